// `wf rules`: inputs, tables and endings of the examples, as text and as JSON.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { test } from 'node:test';
import type { Values } from '../../src/commands/command-spec.js';
import { rulesCommand } from '../../src/commands/rules.js';
import type { Rules } from '../../src/rules/rules.js';
import { cli, fixture, root, testFile } from '../root.js';
import { inMemoryIo } from '../testing/in-memory-io.js';
import { folderWith } from './wf.js';

function rules(
  file: string,
  ...options: string[]
): { readonly code: number | null; readonly stdout: string; readonly stderr: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [cli, 'rules', file, ...options], {
    cwd: root,
    encoding: 'utf8',
  });
  return { code: status, stdout, stderr };
}
/** In this process. */
function rulesHere(name: string, values: Values): { readonly code: number; readonly out: string; readonly err: string } {
  const io = inMemoryIo(root, {});
  return { code: rulesCommand(fixture('examples', name), values, io), ...io.written };
}
const ofExample = (name: string): Rules => JSON.parse(rulesHere(name, { json: true }).out);

test('inputs have their kinds, limits and defaults, also inside of records and lists', () => {
  const { inputs } = ofExample('order-review.wf');
  assert.deepEqual(inputs, [
    { field: 'id', mustBe: 'a text' },
    { field: 'customer', mustBe: 'a record' },
    { field: 'customer.name', mustBe: 'a text' },
    { field: 'customer.orders', mustBe: 'a whole number', otherwise: 0 },
    { field: 'items', mustBe: 'a list of records' },
    { field: 'items.*.sku', mustBe: 'a text' },
    { field: 'items.*.quantity', mustBe: 'a whole number of at least 1' },
    { field: 'items.*.price', mustBe: 'a number of at least 0' },
    { field: 'items.*.gift', mustBe: 'yes or no', otherwise: false },
  ]);
});

test('tables are written as in a workflow, also those of a file', () => {
  const [zones, surcharges] = ofExample('shipping-costs.wf').tables;
  assert.equal(zones?.file, './shipping-zones.xlsx');
  assert.deepEqual(zones?.headings, ['country is', 'weight is at most', 'cost', 'carrier']);
  assert.deepEqual(zones?.rows[2], { line: 4, cells: ['one of "AT", "CH"', '5', '9.5', '"Post"'] });
  assert.deepEqual(surcharges?.rows[0]?.cells, ['true', '"DE"', '6']);
});

test('an ending has the conditions around it, outermost first, with those of earlier branches', () => {
  const { endings } = ofExample('slack-notification.wf');
  assert.deepEqual(
    endings.map((ending) => [ending.kind, ending.with, ending.when.map(({ text }) => text)]),
    [
      ['completed', 'sent', ['not (request.event is "outage")', 'request.quiet']],
      ['rejected', '"Slack did not take the message: {failure.message}"', ['post message using Slack fails']],
      ['completed', 'sent and characters', []],
    ],
  );
  const matching = ofExample('invoice-matching.wf').endings[0];
  assert.deepEqual(
    matching?.when.map(({ text }) => text),
    ['get order using Purchasing fails', 'failure.status is 404'],
  );
  const shipping = ofExample('shipping-costs.wf').endings[0];
  assert.deepEqual(
    shipping?.when.map(({ text }) => text),
    ['for each parcel in request.parcels', 'no row of Zones matches'],
  );
});

test('every rejection and completion of every example is listed', () => {
  for (const name of readdirSync(fixture('examples')).filter((file) => file.endsWith('.wf'))) {
    const { code, out, err } = rulesHere(name, {});
    assert.deepEqual([code, err], [0, ''], name);
    const { endings, inputs } = ofExample(name);
    for (const { line } of endings) assert.match(out, new RegExp(`^ {4}line ${line}: with`, 'm'));
    for (const { field } of inputs ?? []) assert.ok(out.includes(`\n    ${field}: `), field);
  }
});

test('a large table is cut in the text, and complete in JSON', (context) => {
  const { wf } = folderWith(context, {
    'a.wf': testFile('commands/files/prices.wf'),
    'prices.csv': `weight is,cost\n${Array.from({ length: 150 }, (_, index) => `${index},${index}`).join('\n')}\nany,9\n`,
  });
  const { stdout } = wf(['rules', 'a.wf']);
  assert.match(stdout, /Inputs\n {4}not declared: the request may have any fields\n/);
  assert.match(stdout, /\n {4}99 {8}\| 99 {5}row 101\n {4}… and 51 more rows\n/);
  assert.equal(JSON.parse(wf(['rules', 'a.wf', '--json']).stdout).tables[0].rows.length, 151);
});

test('ways to one result are one row where a row says exactly what they say, and calls that decide are columns', (context) => {
  const { wf } = folderWith(context, { 'ways.wf': testFile('commands/files/ways.wf') });
  const { ways } = JSON.parse(wf(['rules', 'ways.wf', '--json']).stdout);
  const reservation = 'create reservation using Stock (line 20)';
  assert.deepEqual(
    ways.rows.map(({ line, when, outcome }: { readonly line: number; readonly when: object; readonly outcome: string }) => [
      line,
      when,
      ...(outcome.match(/\(.*\)/) ?? []),
    ]),
    [
      [16, { 'request.lines': 'an empty list' }],
      [24, { 'request.lines': 'a list with items', [reservation]: 'fails' }],
      [26, { 'request.lines': 'a list with items', [reservation]: 'works', 'request.days': 'from 4 to 10' }, '(discount 0.1)'],
      [26, { 'request.lines': 'a list with items', [reservation]: 'works', 'request.days': 'at most 3' }, '(discount 0)'],
      [27, { 'request.lines': 'a list with items', [reservation]: 'works', 'request.days': 'at least 11' }],
    ],
  );
});

test('a list says once what all ways to an outcome share', (context) => {
  const { wf } = folderWith(context, {
    'claim.wf': `config:
    name: "Claim"
    version: 1

inputs:
    amount is a number above 0
    kind is one of "travel", "meals", "training"
    receipt is yes or no

workflow:
    trigger: when somebody hands in what they have paid for

    if not request.receipt:
        reject with "There is no receipt, and without one nobody is paid anything at all, however small it is."
    set limit to 100
    if request.kind is "travel":
        set limit to 500
    if request.amount is above limit:
        reject with "This is too much for one claim of this kind, so please ask your manager beforehand."
    complete with paid request.amount
`,
  });
  const { stdout } = wf(['rules', 'claim.wf']);
  assert.deepEqual(stdout.slice(stdout.indexOf('Ways')).trimEnd().split('\n').slice(3, 8), [
    '    line 19: reject with "This is too much for one claim of this kind, so please ask your manager beforehand."',
    '        request.receipt: true',
    '        request.kind               | request.amount',
    '        "travel"                   | above 500',
    '        one of "meals", "training" | above 100',
  ]);
});

test('the rows of a look-up are lines of a table, each with its result', (context) => {
  const rows = Array.from(
    { length: 30 },
    (_, index) => `        | "${'ABC'.charAt(index % 3)}" | ${index + 1} | ${index / 2} |\n`,
  );
  const { wf } = folderWith(context, {
    'prices.wf': `config:
    name: "Prices"
    version: 1

inputs:
    zone is one of "A", "B", "C"
    weight is a number above 0

tables:
    Prices:
        | zone is | weight is at most | cost |
${rows.join('')}
workflow:
    trigger: when a parcel is packed

    look up cost in Prices with zone request.zone and weight request.weight
        if nothing matches:
            reject with "This is too heavy for one parcel to this zone, so please make several, or ask for a pallet instead."
    complete with cost cost
`,
  });
  const { stdout } = wf(['rules', 'prices.wf']);
  const ways = stdout.slice(stdout.indexOf('Ways')).trimEnd().split('\n');
  assert.deepEqual(ways.slice(1, 9), [
    '    line 48: reject with "This is too heavy for one parcel to this zone, so please make several, or ask for a pallet instead."',
    '        request.zone | request.weight',
    '        "C"          | above 30',
    '        "B"          | above 29',
    '        "A"          | above 28',
    '    line 49: complete with cost cost',
    '        request.zone | request.weight          | result',
    '        "A"          | at most 1               | cost 0',
  ]);
  assert.ok(ways.includes('        "B"          | above 26 and at most 29 | cost 14'), stdout);
  assert.equal(ways.length, 1 + 5 + 2 + 30);
});

test('says what counts as false', (context) => {
  const { wf } = folderWith(context, {
    'case.wf': `config:
    name: "Case"
    version: 1

workflow:
    trigger: when a case comes in

    if request.express:
        reject with "no"
    complete
`,
  });
  const { ways } = JSON.parse(wf(['rules', 'case.wf', '--json']).stdout);
  assert.deepEqual(
    ways.rows.map(({ when }: { readonly when: object }) => when),
    [{ 'request.express': 'not 0, false or empty' }, { 'request.express': '0 or false or empty' }],
  );
});

test('a condition that no value tells is a column, and a row says where it leaves something open', (context) => {
  const { wf } = folderWith(context, { 'claim.wf': testFile('commands/files/claim.wf') });
  const { ways } = JSON.parse(wf(['rules', 'claim.wf', '--json']).stdout);
  const call = 'get policy using Policies (line 19)';
  const wrong = 'not (request.policy is like "P-*" and request.happened is on or after policy.begins)';
  const open = { 'policy.closed': 'not true' };
  const late = { ...open, 'request.happened': 'at least "2020-01-01"', [call]: 'works', [wrong]: 'no' };
  const parts = { 'request.parts': 'a list with items', 'also depends on lines': '42' };
  const [yes, boss] = [
    { ...late, verdict: '"yes"' },
    { ...late, verdict: '"ask"', 'verdict (line 37)': '"yes"' },
  ];
  const photo = { ...parts, 'part.price': 'above 100' };
  assert.deepEqual(
    ways.rows.map(({ line, when }: { readonly line: number; readonly when: object }) => [line, when]),
    [
      [28, { [call]: 'works', 'policy.closed': 'true' }],
      [24, { [call]: 'gives an error', 'failure.status': '404' }],
      [25, { [call]: 'gives an error', 'failure.status': 'not 404' }],
      [25, { [call]: 'gives no answer' }],
      [30, { ...open, [call]: 'works', 'request.happened': 'below "2020-01-01"' }],
      [32, { ...late, [wrong]: 'yes' }],
      [41, { ...boss, 'verdict (line 37)': '"no"' }],
      [44, { ...boss, ...photo }],
      [44, { ...yes, ...photo }],
      [45, { ...boss, 'request.parts': 'an empty list' }],
      [45, { ...boss, ...parts }],
      [45, { ...yes, 'request.parts': 'an empty list' }],
      [45, { ...yes, ...parts }],
    ],
  );
  const { stdout } = wf(['rules', 'claim.wf']);
  assert.match(
    stdout,
    / {4}line 30: reject with "Too long ago\."\n {8}policy\.closed: not true\n {8}get policy using Policies \(line 19\): works\n/,
  );
  assert.match(stdout, /line 28: without outputs\n {8}when get policy using Policies works \(line 19\)\n/);
});

test('a file with errors has no rules', () => {
  const { code, stdout, stderr } = rules(fixture('invalid/WF020/input.wf'));
  assert.deepEqual([code, stdout], [1, '']);
  assert.match(stderr, /WF020/);
  const other = rules('package.json');
  assert.equal(other.code, 2);
  assert.match(other.stderr, /package\.json is not a workflow: its name must end in \.wf\./);
});
