import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LocatedDiagnostic } from '../../src/compiler/diagnostics/diagnostic.js';
import { renderGithub, renderJson, renderSarif } from '../../src/compiler/diagnostics/render-for-machines.js';

const one: LocatedDiagnostic = {
  code: 'WF010',
  severity: 'error',
  span: { start: 100, end: 107 },
  file: 'case.wf',
  line: 13,
  column: 9,
  length: 7,
  sourceLine: '    log greting',
  message: 'Nothing sets "greting".',
  suggestion: 'greeting',
  hint: 'set it first:\n    set greting to "…"',
};
const two: LocatedDiagnostic = {
  code: 'WF002',
  severity: 'warning',
  span: { start: 0, end: 1 },
  file: 'case.wf',
  line: 14,
  column: 12,
  length: 1,
  sourceLine: '    complete',
  message: 'm',
};
const titles = { WF010: 'A name that nothing sets' };
const sarif = (list: LocatedDiagnostic[]) => JSON.parse(renderSarif(list, { titles, version: '1.2.3' }));

test('json: a list with everything that a tool needs', () => {
  const { span: _span, ...rest } = one;
  assert.deepEqual(JSON.parse(renderJson([one, two])), [
    { ...rest, endLine: 13, endColumn: 16 },
    {
      code: 'WF002',
      severity: 'warning',
      file: 'case.wf',
      line: 14,
      column: 12,
      length: 1,
      endLine: 14,
      endColumn: 13,
      sourceLine: '    complete',
      message: 'm',
    },
  ]);
  assert.equal(renderJson([]), '[]');
});

test('json and sarif: a megabyte line with many faults does not fill the memory', () => {
  const sourceLine = 'x'.repeat(1_000_000);
  const many = Array.from({ length: 1000 }, () => ({ ...two, sourceLine }));
  assert.ok(renderJson(many).length < 4_000_000);
  assert.ok(renderSarif(many, { titles, version: '1' }).length < 4_000_000);
});

test('github: one command each, on one line', () => {
  assert.equal(
    renderGithub([one, two]),
    '::error file=case.wf,line=13,col=9,endLine=13,endColumn=16,title=WF010::Nothing sets "greting".%0ADid you mean "greeting"?%0AHint: set it first:%0A    set greting to "…"\n' +
      '::warning file=case.wf,line=14,col=12,endLine=14,endColumn=13,title=WF002::m',
  );
});

test('github: names and messages never end a property, a command or a line', () => {
  const text = renderGithub([{ ...two, file: './a,b:c\n%/d.wf', message: '100 %\n::error::forged\r\u001b[2J' }]);
  assert.equal(
    text,
    '::warning file=a%2Cb%3Ac%0A%25/d.wf,line=14,col=12,endLine=14,endColumn=13,title=WF002::100 %25%0A::error::forged\\r\\u001b[2J',
  );
});

test('sarif 2.1.0: rules, results, regions', () => {
  const log = sarif([one, two, one]);
  assert.equal(log.version, '2.1.0');
  const [run] = log.runs;
  assert.equal(run.columnKind, 'utf16CodeUnits');
  assert.deepEqual(run.tool.driver, {
    name: 'wf',
    version: '1.2.3',
    rules: [
      { id: 'WF002', shortDescription: { text: 'WF002' } },
      { id: 'WF010', shortDescription: { text: 'A name that nothing sets' } },
    ],
  });
  assert.deepEqual(run.results[0], {
    ruleId: 'WF010',
    ruleIndex: 1,
    level: 'error',
    message: { text: 'Nothing sets "greting".\nDid you mean "greeting"?\nHint: set it first:\n    set greting to "…"' },
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: 'case.wf', uriBaseId: '%SRCROOT%' },
          region: { startLine: 13, startColumn: 9, endColumn: 16, snippet: { text: '    log greting' } },
        },
      },
    ],
  });
  for (const result of run.results) assert.equal(run.tool.driver.rules[result.ruleIndex].id, result.ruleId);
  assert.deepEqual(sarif([]).runs[0].results, []);
});

test('sarif: a fault past the end of its line is an empty region there', () => {
  const { region } = sarif([{ ...two, column: 13 }]).runs[0].results[0].locations[0].physicalLocation;
  assert.deepEqual([region.startColumn, region.endColumn], [13, 13]);
});

test('sarif: paths are percent-encoded and use forward slashes', () => {
  const uri = (file: string) => sarif([{ ...two, file }]).runs[0].results[0].locations[0].physicalLocation.artifactLocation;
  assert.deepEqual(uri('./my flows/100% ü#?.wf'), { uri: 'my%20flows/100%25%20%C3%BC%23%3F.wf', uriBaseId: '%SRCROOT%' });
  assert.deepEqual(uri('../a.wf'), { uri: '../a.wf', uriBaseId: '%SRCROOT%' });
  assert.deepEqual(uri('/tmp/a b.wf'), { uri: 'file:///tmp/a%20b.wf' });
});
