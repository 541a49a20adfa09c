// The example connector, with real files and processes: its promises must hold when two processes write at once, and after a power cut in
// the middle of a line.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { cli, fixture, root } from './root.js';

const connector = fixture('examples', 'connectors', 'ledger.mjs');

function inFolder<T>(use: (folder: string) => T): T {
  const folder = mkdtempSync(path.join(tmpdir(), 'wf-ledger-'));
  const done = (): void => rmSync(folder, { recursive: true, force: true });
  let result: T;
  try {
    result = use(folder);
  } catch (error) {
    done();
    throw error;
  }
  if (result instanceof Promise) return result.finally(done) as T; // the promise itself, with another action after it
  done();
  return result;
}

const entries = (folder: string, name: string): string[] =>
  readFileSync(path.join(folder, `${name}.jsonl`), 'utf8')
    .split('\n')
    .filter((line) => line !== '');

interface Response {
  readonly status: string;
  readonly outputs?: Record<string, unknown>;
  readonly message?: string;
}

/** Runs a workflow of `test/files` with the connector next to it, without mock services and without the caller's home. */
function runWorkflow(folder: string, name: string): { readonly response: Response; readonly shown: string } {
  cpSync(connector, path.join(folder, 'ledger.mjs'));
  cpSync(path.join(root, 'test/files', `${name}.wf`), path.join(folder, 'book.wf'));
  const { status, signal, stdout, stderr } = spawnSync(process.execPath, [cli, 'run', 'book.wf', '--json'], {
    cwd: folder,
    encoding: 'utf8',
    env: { PATH: process.env.PATH, HOME: folder, XDG_CACHE_HOME: path.join(folder, '.cache'), LEDGER_FOLDER: folder },
  });
  const shown = `exit code ${status}, signal ${signal}\n${stdout}\n${stderr}\nfiles: ${readdirSync(folder).join(' ')}`;
  assert.match(stdout, /^\{.*\}\n$/, shown);
  return { response: JSON.parse(stdout), shown };
}

test('records an entry once, reads it back, and never changes it', () =>
  inFolder((folder) => {
    const { response, shown } = runWorkflow(folder, 'record-twice');
    assert.deepEqual(response.outputs, { first: 201, second: 200, conflict: 409, missing: 404, amounts: 20 }, shown);
    assert.equal(entries(folder, 'payments').length, 1);
  }));

test('no text in the path leads out of the folder', () =>
  inFolder((folder) => {
    const { response, shown } = runWorkflow(folder, 'outside');
    assert.equal(response.status, 'error', shown);
    assert.match(response.message ?? '', /the name of a ledger consists of letters/, shown);
  }));

test('concurrent processes that record the same references agree on who was first', () =>
  inFolder(async (folder) => {
    const script = `import { call } from ${JSON.stringify(pathToFileURL(connector).href)};
const results = [];
for (let n = 0; n < 25; n++) {
  const { value, status } = await call({ verb: 'record', description: 'entry', path: 'shared', parameters: { reference: 'R-' + n, amount: n }, headers: {}, signal: new AbortController().signal });
  results.push([value.id, status]);
}
console.log(JSON.stringify(results));`;
    const outputs = await Promise.all(
      [1, 2, 3, 4].map(
        () =>
          new Promise<[string, number][]>((resolve, reject) => {
            const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
              env: { ...process.env, LEDGER_FOLDER: folder },
              stdio: ['ignore', 'pipe', 'inherit'],
            });
            let text = '';
            child.stdout.on('data', (chunk) => (text += chunk));
            child
              .on('error', reject)
              .on('close', (code) => (code === 0 ? resolve(JSON.parse(text)) : reject(new Error(`ended with ${code}`))));
          }),
      ),
    );
    for (let n = 0; n < 25; n++) {
      const about = outputs.map((results) => results[n] ?? ['', 0]);
      assert.equal(new Set(about.map(([id]) => id)).size, 1, `reference ${n} has several first entries`);
      assert.equal(
        about.filter(([, status]) => status === 201).length,
        1,
        `reference ${n} was recorded first ${JSON.stringify(about)}`,
      );
    }
  }));

test('skips a torn last line, and starts the next entry on a new one', () =>
  inFolder((folder) => {
    writeFileSync(path.join(folder, 'payments.jsonl'), '{"id":"a","reference":"R-1","amount":1}\n{"id":"b","refer');
    const { response, shown } = runWorkflow(folder, 'after-a-torn-line');
    assert.deepEqual(response.outputs, { 'status-code': 201, count: 2 }, shown);
  }));
