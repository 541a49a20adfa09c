import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, beforeEach, test } from 'node:test';
import { loadEnvironment } from '../../src/engine/prepare/environment.js';
import { UsageError } from '../../src/engine/usage-error.js';

const folder = mkdtempSync(path.join(tmpdir(), 'wf-environment-'));
const dotenv = path.join(folder, '.env');
beforeEach(() => rmSync(dotenv, { recursive: true, force: true }));
after(() => rmSync(folder, { recursive: true, force: true }));

const load = async (text: string | Buffer | undefined, shell: Record<string, string | undefined> = {}) => {
  if (text !== undefined) writeFileSync(dotenv, text);
  return { ...(await loadEnvironment(folder, shell)) };
};

test('a missing .env is fine', async () => {
  assert.deepEqual(await load(undefined, { A: '1', B: undefined }), { A: '1' });
});

test('the shell takes precedence, even with empty text, but not with an unset variable', async () => {
  const text = 'A=file\nB=file\nC=file\nD="two\\nlines" # why\nexport E=5\n';
  assert.deepEqual(await load(text, { A: 'shell', B: '', C: undefined }), {
    A: 'shell',
    B: '',
    C: 'file',
    D: 'two\nlines',
    E: '5',
  });
});

test('reads a byte order mark, CRLF, and an empty file', async () => {
  assert.deepEqual(await load('\uFEFFA=1\r\nB=ü\r\n'), { A: '1', B: 'ü' });
  assert.deepEqual(await load(''), {});
});

test('reports a folder, a circular link and other encodings as wrong usage', async () => {
  mkdirSync(dotenv);
  const usage = (pattern: RegExp) => (error: unknown) =>
    error instanceof UsageError && pattern.test(error.message) && !error.message.includes(folder);
  await assert.rejects(load(undefined), usage(/\.env .*it is a folder\.$/));
  rmSync(dotenv, { recursive: true });
  symlinkSync('.env', dotenv);
  await assert.rejects(load(undefined), usage(/links form a circle/));
  rmSync(dotenv);
  await assert.rejects(load(Buffer.from('A=1\n', 'utf16le').fill(0xff, 0, 1)), usage(/UTF-8/));
});

test('inherits nothing, and reaches no prototype', async () => {
  const environment = await loadEnvironment(folder, {});
  assert.equal(environment.constructor, undefined);
  await load('__proto__=x\nconstructor=y\n');
  assert.equal((await loadEnvironment(folder, {})).constructor, 'y');
  assert.equal(({} as Record<string, unknown>).x, undefined);
});

test('prints nothing, and leaves the process unchanged', async (t) => {
  const written = [t.mock.method(process.stdout, 'write'), t.mock.method(process.stderr, 'write')];
  await load('WF_TEST_ONLY=1\n');
  assert.deepEqual(
    written.map((method) => method.mock.callCount()),
    [0, 0],
  );
  assert.equal(process.env.WF_TEST_ONLY, undefined);
});
