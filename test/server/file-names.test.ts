// Serves any file name at exactly its percent-encoded path, and nowhere else.
import assert from 'node:assert/strict';
import { request } from 'node:http';
import { test } from 'node:test';
import fc from 'fast-check';
import { createRouteTable, routePath } from '../../src/server/workflows/route-table.js';
import { runs } from '../root.js';
import { completed, echo, fakeWorkflow } from './fake-workflow.js';
import { startServer } from './test-server.js';

const names = [
  'a b',
  '{b}',
  '+',
  '(',
  ')',
  '?',
  ':id',
  '*x',
  'ü',
  '#',
  '%41',
  'a.b',
  '[x]',
  '$&',
  '^',
  '\\',
  "it's",
  '!',
  '|',
  '名前',
  'x;y=1',
  '*',
  ':',
  '{*all}',
  '__proto__',
  'constructor',
];
const named = names.map((name) => fakeWorkflow(name, async () => completed({ name })));

/** Sends the path unchanged; `fetch` would normalize it. */
function postRaw(port: number, path: string): Promise<{ readonly status: number; readonly text: string }> {
  return new Promise((resolve, reject) => {
    const sent = request({ port, host: '127.0.0.1', method: 'POST', path, agent: false }, (response) => {
      let text = '';
      response.on('data', (part) => {
        text += part;
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
    });
    sent.on('error', reject);
    sent.end();
  });
}

for (const direct of [true, false]) {
  test(`serves names with special characters (${direct ? 'direct path' : 'Express'})`, async (t) => {
    const { port } = await startServer(t, { workflows: named, direct });
    for (const name of names) {
      const { status, text } = await postRaw(port, `/${encodeURIComponent(name)}`);
      assert.equal(status, 200, name);
      assert.deepEqual(JSON.parse(text).outputs, { name });
    }
    for (const path of [
      '/x',
      '/anything',
      '/a',
      '/A',
      '/a%20b/',
      '/a+b',
      '/%2541/x',
      '/b',
      '/:idx',
      '/1',
      '/%28',
      '/hello/x',
      '/.',
      '/..',
      '/%2e',
      '/toString',
      '/x;y=2',
      '//',
    ]) {
      assert.equal((await postRaw(port, path)).status, 404, path);
    }
  });
}

test('both ways find the same route for any name and any path', async (t) => {
  const one = await startServer(t, { workflows: named, direct: true });
  const other = await startServer(t, { workflows: named, direct: false });
  const part = fc.constantFrom(
    ...names.map(encodeURIComponent),
    'a',
    '/',
    '.',
    '%',
    '%2F',
    ':',
    '*',
    '(',
    '{',
    '}',
    '?',
    'x',
    '%zz',
    ';',
  );
  await fc.assert(
    fc.asyncProperty(fc.array(part, { minLength: 1, maxLength: 3 }), async (parts) => {
      const path = `/${parts.join('')}`;
      const [first, second] = await Promise.all([postRaw(one.port, path), postRaw(other.port, path)]);
      assert.deepEqual(first, second, path);
    }),
    { numRuns: runs(150) },
  );
});

test('any base name has one path, and only that path finds it', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.string({ unit: 'grapheme', minLength: 1 }), { minLength: 1, maxLength: 5 }), (basenames) => {
      const table = createRouteTable(
        basenames.map((name) => echo(name)),
        false,
      );
      for (const name of basenames) {
        assert.match(routePath(name), /^\/[^/?#{}\s]+$/);
        assert.equal(table.find(routePath(name))?.prepared.basename, name);
      }
      assert.equal(new Set(table.routes.map(({ path }) => path)).size, basenames.length);
    }),
  );
});
