// `schemas/runs.schema.json` describes what `wf runs list --json` prints, whatever became of the runs.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { folderWith, workflow } from '../commands/wf.js';
import { root } from '../root.js';
import { fits } from '../testing/json-schema.js';

const schema = JSON.parse(readFileSync(path.join(root, 'schemas', 'runs.schema.json'), 'utf8'));

test('the list fits the schema, and the schema describes each of its keys', (context) => {
  const body =
    '    if request.wait:\n        wait for go\n    if request.no:\n        reject with "no"\n    set x to request.n plus 1\n    complete with x x';
  const { wf } = folderWith(context, { 'order.wf': workflow(body) });
  for (const input of ['{"n": 1}', '{"no": true}', '{"n": "a"}', '{"wait": true}'])
    wf(['run', 'order.wf', '--store', 'runs', '--input', input]);
  const list = (...words: string[]) => JSON.parse(wf(['runs', 'list', '--json', '--store', 'runs', ...words]).stdout);
  const all = list();
  assert.deepEqual(
    all.runs.map(({ status }: { status: string }) => status),
    ['waiting', 'error', 'rejected', 'completed'],
  );
  for (const page of [all, list('--limit', '1')]) {
    assert.ok(fits({ schema }, 'schema', page), JSON.stringify(page));
    for (const key of Object.keys(page)) assert.ok(key in schema.properties, key);
    for (const run of page.runs) for (const key of Object.keys(run)) assert.ok(key in schema.$defs.run.properties, key);
  }
  for (const key of Object.keys(all.runs[0].waitingFor)) assert.ok(key in schema.$defs.waitingFor.properties, key);
  assert.ok(!fits({ schema }, 'schema', { runs: [{ ...all.runs[0], status: 5 }] }));
});
