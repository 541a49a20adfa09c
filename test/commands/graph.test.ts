// `wf graph`: its formats, what it lights, and what it refuses.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { folderWith, workflow } from './wf.js';

const text = workflow('    if request.total is above 100:\n        reject with "too much"\n    complete');
const cases = JSON.stringify([{ name: 'large', input: { total: 500 }, expect: { status: 'rejected' } }]);
const litLines = (svg: string, light: string): string[] =>
  [...svg.matchAll(new RegExp(`<g class="\\w+${light}" data-line="(\\d+)"`, 'g'))].map(([, line = '']) => line);

test('lights the way of a request, and greys out what no case reaches', (context) => {
  const { wf } = folderWith(context, { 'a.wf': text, 'a.test.json': cases, 'in.json': '{"total": 5}' });
  const draw = (...options: string[]): string => {
    const { status, stdout, stderr } = wf(['graph', 'a.wf', ...options]);
    assert.equal(status, 0, stderr);
    return stdout;
  };
  assert.deepEqual(litLines(draw(), ''), ['8', '9', '10']);
  assert.deepEqual(litLines(draw('--input', '{"total": 500}'), ' lit'), ['8', '9']);
  assert.deepEqual(litLines(draw('--input-file', 'in.json'), ' lit'), ['10']);
  assert.deepEqual(litLines(draw('--cases'), ' missed'), ['10']);
  assert.match(
    draw('--format', 'mermaid', '--input', '{"total": 5}'),
    /^ {4}classDef marked stroke-width:4px\n {4}class n2,n4 marked$/m,
  );
  assert.match(draw('--format', 'mermaid', '--cases'), /^ {4}classDef marked fill:.*\n {4}class n4 marked$/m);
  const json = JSON.parse(draw('--format', 'json', '--cases'));
  assert.deepEqual(json.reached, [8, 9]);
  assert.deepEqual(json.nodes[1], { kind: 'complete', line: 10, text: 'complete' });
});

test('refuses what it cannot draw', (context) => {
  const { wf } = folderWith(context, { 'a.wf': text, 'b.wf': text.replace('above', 'abvoe') });
  assert.equal(wf(['graph', 'b.wf']).status, 1);
  assert.match(wf(['graph', 'b.wf']).stderr, /line 8/);
  const refusals: [string, RegExp][] = [
    ['a.wf --format png', /--format must be one of svg, mermaid, json, not "png"/],
    ['a.wf --cases --input {}', /Use either --cases or --input, not both/],
    ['a.wf --cases', /There are no cases: a\.test\.json does not exist/],
    ['a.wf --mocks none.json', /--mocks needs --input/],
    ['a.txt', /not a workflow/],
  ];
  for (const [words, message] of refusals) {
    const { status, stderr } = wf(['graph', ...words.split(' ')]);
    assert.equal(status, 2, words);
    assert.match(stderr, message);
  }
});
