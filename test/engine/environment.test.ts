import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, beforeEach, test } from 'node:test';
import { loadEnvironment } from '../../src/engine/environment.js';
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

test('the shell wins, also with an empty text, not with a variable that is not set', async () => {
  const text = 'A=file\nB=file\nC=file\nD="two\\nlines" # why\nexport E=5\n';
  assert.deepEqual(await load(text, { A: 'shell', B: '', C: undefined }), {
    A: 'shell',
    B: '',
    C: 'file',
    D: 'two\nlines',
    E: '5',
  });
});

test('byte order mark, CRLF, an empty file', async () => {
  assert.deepEqual(await load('\uFEFFA=1\r\nB=ü\r\n'), { A: '1', B: 'ü' });
  assert.deepEqual(await load(''), {});
});

test('a folder, a link in a circle and other encodings are wrong usage that says so', async () => {
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

test('nothing is inherited, and nothing reaches a prototype', async () => {
  const environment = await loadEnvironment(folder, {});
  assert.equal(environment.constructor, undefined);
  await load('__proto__=x\nconstructor=y\n');
  assert.equal((await loadEnvironment(folder, {})).constructor, 'y');
  assert.equal(({} as Record<string, unknown>).x, undefined);
});

test('nothing is printed, and the process itself is not changed', async (t) => {
  const written = [t.mock.method(process.stdout, 'write'), t.mock.method(process.stderr, 'write')];
  await load('WF_TEST_ONLY=1\n');
  assert.deepEqual(
    written.map((method) => method.mock.callCount()),
    [0, 0],
  );
  assert.equal(process.env.WF_TEST_ONLY, undefined);
});
