// Every code in the table has a message in the catalogue, and the other way around.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { RunEnded, runtimeErrors, WfError } from '../../runtime/values/errors.js';
import { root } from '../root.js';

test('the table and the catalogue have the same codes', () => {
  const files = readdirSync(path.join(root, 'runtime'), { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.ts'),
  );
  const catalogue = files.map((name) => readFileSync(path.join(root, 'runtime', name), 'utf8')).join('');
  const used = new Set(Array.from(catalogue.matchAll(/(?:new WfError|super)\(\s*'(WF\d{3})'/g), (match) => match[1]));
  assert.deepEqual([...used].sort(), Object.keys(runtimeErrors).sort());
  for (const code of used) assert.match(code ?? '', /^WF6\d\d$/);
});

test('an error carries its code and location', () => {
  const error = new WfError('WF601', 'message', [3, 5, 7, 'request.a']);
  assert.deepEqual(
    [error.name, error.code, error.message, error.location],
    ['WfError', 'WF601', 'message', [3, 5, 7, 'request.a']],
  );
  assert.ok(!(new RunEnded('interrupted') instanceof WfError));
});
