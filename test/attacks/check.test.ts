// Files of a megabyte, written to slow the check down or to flood a terminal.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkFile } from '../../src/compiler/compile.js';
import { renderJson, renderSarif } from '../../src/compiler/diagnostics/render-for-machines.js';
import { renderText } from '../../src/compiler/diagnostics/render-text.js';
import { processorTime, slowness } from '../processor-time.js';
import { someOf } from '../root.js';
import { startVictim } from './victim.js';

const head = 'config:\n    name: "Big"\n    version: 1\n\n';
const body = `${head}workflow:\n    trigger: t\n\n`;
const many = (count: number, line: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => line(index)).join('');

const files: Readonly<Record<string, string>> = {
  'services that are misspelt': `${head}services:\n${many(6_000, (index) => `    Service${index}x is an API at "https://a.example"\n`)}\nworkflow:\n    trigger: t\n\n${many(12_000, (index) => `    get it using Servce${index}\n`)}`,
  'variables that are misspelt':
    body + many(10_000, (index) => `    set name${index} to 1\n`) + many(20_000, (index) => `    log nam${index}\n`),
  'long names': body + many(1_500, (index) => `    set ${'a'.repeat(300)}${index} to ${'b'.repeat(300)}${index}\n`),
  'long names of services': `${head}services:\n${many(1_000, (index) => `    ${'A'.repeat(90)}${index} is an API at "https://a.example"\n`)}\nworkflow:\n    trigger: t\n\n${many(8_000, (index) => `    get it using ${'A'.repeat(89)}B${index}\n`)}`,
  tabs: body + '\tlog "x"\n'.repeat(100_000),
  'steps of one name': body + '    step A:\n        log "x"\n'.repeat(33_000),
  'quotes that never close': body + '    log "\n'.repeat(90_000),
  'no sense at all': '§$%&/ §$%&/ §$%&/ §$%&/\n'.repeat(40_000),
  'one line of words': `${body}    log ${'x '.repeat(480_000)}\n`,
  'one line of unknown names': `${body}    complete with ${Array.from({ length: 1_900 }, (_, index) => `k${index} nope${index}`).join(' and ')} and text "${'x'.repeat(950_000)}"\n`,
  'texts full of unknown names': body + many(700, (index) => `    log "${`{nope${index}}`.repeat(120)}"\n`),
  'a number without an end': `${body}    set x to 1${'0'.repeat(300_000)}.${'0'.repeat(600_000)}1\n`,
  'blocks within blocks': body + many(600, (index) => `${'    '.repeat(index + 1)}if request.a:\n`),
  'lists within lists': `${body}    set x to ${'['.repeat(490_000)}\n`,
  'calculations in braces': `${body}    log "${'{a plus 1}'.repeat(95_000)}"\n`,
  braces: `${body}    log "${'{'.repeat(899_999)}"\n`,
  dashes: `${body}    set a${'-'.repeat(900_000)} to 1\n`,
  spaces: `${body}    set a to 1${' '.repeat(900_000)}x\n`,
  'lost changes of items': `${body}    for each order in request.orders:\n${many(30_000, (index) => `        set order.x${index} to ${index}\n`)}`,
  'look-ups in other words': `${head}tables:\n    Costs:\n        | country is | cost |\n        | any        | 5    |\n\nWorkflow:\n    trigger: t\n${'    get cost in Costs for "DE"\n'.repeat(1_000)}${'    # Costs\n'.repeat(120_000)}`,
  'tables that are misspelt': `${head}tables:\n${many(8_000, (index) => `    Rates${index}:\n        | a is | b |\n        | any | 2 |\n`)}\nworkflow:\n    trigger: t\n\n${many(8_000, (index) => `    look up b in Ratse${index} with a 1\n`)}`,
  'headings that are misspelt': `${head}tables:\n    Wide:\n        | k is |${many(400, (index) => ` heading${index} |`)}\n        | any |${' 1 |'.repeat(400)}\n\nworkflow:\n    trigger: t\n\n${many(20_000, (index) => `    look up headnig${index % 400} in Wide with k 1\n`)}`,
  'conditions that are misspelt': `${head}tables:\n    Wide:\n        |${many(400, (index) => ` heading${index} is |`)} out |\n        |${' any |'.repeat(400)} 1 |\n\nworkflow:\n    trigger: t\n\n${many(20_000, (index) => `    look up out in Wide with headnig${index % 400} 1\n`)}`,
  'uses of misspelt inputs': `${head}inputs:\n${many(12_000, (index) => `    field-${index} is a text\n`)}\nworkflow:\n    trigger: t\n\n${many(20_000, (index) => `    log request.feild-${index}\n`)}`,
  'inputs that are misspelt': `${head}inputs:\n${many(20_000, (index) => `    field-${index} is a text\n`)}\nworkflow:\n    trigger: t\n\n${many(5_000, (index) => `    log request.feild-${index}\n`)}`,
  'conditions of many parts': `${body}${`    if ${'request.a is 1 and '.repeat(240)}request.b:\n        log "x"\n`.repeat(210)}    set z to request.a is "x" or "y"\n`,
  'waits for messages': `${body}    set z to request.a is "x" or "y"\n${many(14_000, (index) => `    wait for m${index} with a request.b at most 3 days\n        save the message as p${index}\n`)}`,
  warnings: body + many(20_000, (index) => `    set a${index} to request.a is "x" or "y"\n`),
};

for (const [title, text] of someOf(Object.entries(files), 8)) {
  test(`46, 64. Checks ${title} quickly, and prints no more than anyone reads`, () => {
    assert.ok(text.length < 1_500_000);
    const took = processorTime();
    const { diagnostics } = checkFile(text, 'big.wf');
    const shown = renderText(diagnostics, { colour: true });
    assert.ok(diagnostics.length > 0 && diagnostics.length <= 1_001, String(diagnostics.length));
    if (diagnostics.length > 200) assert.match(shown, /\n\n[\d,]+ more (?:errors|warnings)[^\n]* not shown\. [^\n]*$/);
    assert.ok(shown.length < 1_000_000, String(shown.length));
    // Two seconds on an idle machine; without the limits, some of these take a minute.
    assert.ok(took() < 8_000 * slowness(), `${Math.round(took())} ms`);
    for (const output of [shown, renderJson(diagnostics), renderSarif(diagnostics, { titles: {}, version: '0' })])
      assert.ok(output.length < 5_000_000, String(output.length));
  });
}

const long: Readonly<Record<string, string>> = {
  '1,000 conditions': `${body}    if request.a is 0:\n        set y to 0\n${many(999, (index) => `    otherwise if request.a is ${index + 1}:\n        set y to ${index}\n        set z${index} to y\n`)}`,
  'lines deep in branches': `${body}${many(95, (index) => `${'    '.repeat(index + 1)}if request.a is 0:\n`)}${many(2_000, (index) => `${'    '.repeat(96)}set v${index} to ${index}\n`)}`,
  '5,000 branches':
    body +
    many(
      5_000,
      (index) => `    if request.a is ${index}:\n        set x${index} to 1\n    otherwise:\n        set x${index} to 2\n`,
    ),
  '17,000 unusual names':
    body + many(8_500, (index) => `    set __proto__${index} to ${index}\n    set ü${index}名 to ${index}\n`),
};

for (const [title, text] of someOf(Object.entries(long))) {
  test(`52. Runs ${title}`, async (t) => {
    const files = { 'case.wf': text };
    const { stdout, stderr } = await startVictim(t, ['run', 'case.wf', '--json', '--quiet', '--input', '{"a":0}'], { files })
      .ended;
    assert.equal(stdout, '{"status":"completed","outputs":{}}\n', stderr);
  });
}

const noise = Buffer.from(Array.from({ length: 1_000_000 }, (_, index) => (index * 7_919 + (index >> 3) * 104_729) & 255));

const senseless: Readonly<Record<string, string | Uint8Array>> = {
  'bytes without any sense': noise,
  'NUL bytes': new Uint8Array(1_000_000),
  'Latin-1': Buffer.from(`${body}    log "${'é'.repeat(1000)}"\n`, 'latin1'),
  'an expression of 150,000 terms': `${body}    set x to 1${' plus 1'.repeat(150_000)}\n`,
  'parentheses without an end': `${body}    set x to ${'('.repeat(900_000)}\n`,
  nothing: '',
  'comments only': '# nothing\n'.repeat(90_000),
};

for (const [title, bytes] of someOf(Object.entries(senseless)))
  test(`4. wf check of ${title} gives a place, and never a stack`, async (t) => {
    const { code, stdout, stderr } = await startVictim(t, ['check', 'case.wf'], { files: { 'case.wf': bytes } }).ended;
    assert.equal(code, 1, stderr);
    assert.match(stdout + stderr, /case\.wf, line \d+/);
    assert.doesNotMatch(stdout + stderr, /^\s+at /m);
  });

test('5. Depth is limited before anything recurses, and the message has its line', () => {
  const blocks = (depth: number): string =>
    `${body + many(depth, (index) => `${'    '.repeat(index + 1)}if request.a:\n`)}${'    '.repeat(depth + 1)}log "x"\n`;
  const parentheses = (depth: number): string => `${body}    set x to ${'('.repeat(depth)}1${')'.repeat(depth)}\n    log x\n`;
  const codesOf = (text: string): string[] => checkFile(text, 'deep.wf').diagnostics.map(({ code }) => code);
  for (const [text, code] of [
    [blocks(101), 'WF006'],
    [blocks(500), 'WF006'],
    [parentheses(201), 'WF007'],
    [parentheses(100_000), 'WF007'],
  ] as const) {
    const { diagnostics } = checkFile(text, 'deep.wf');
    assert.ok(codesOf(text).includes(code));
    assert.match(renderText(diagnostics, { colour: false }), /deep\.wf, line \d+ \(WF00[67]\)/);
  }
  assert.deepEqual(
    [...codesOf(blocks(98)), ...codesOf(parentheses(200))].filter((code) => /WF00[67]/.test(code)),
    [],
  );
});

test('47. No address of a plugin becomes code', async (t) => {
  const file = (at: string): string =>
    `${head}services:\n    Evil is a plugin at "${at}"\n\nworkflow:\n    trigger: t\n\n    do it using Evil\n`;
  const code = 'export default async () => { console.log("it ran") }';
  const addresses = [
    `data:text/javascript,${encodeURIComponent(code)}`,
    'DATA:text/javascript,1',
    'http://evil.example/x.mjs',
    'https://evil.example/x.mjs',
    'node:child_process',
    'a package',
    'file:///etc/passwd',
  ];
  const all = addresses.flatMap((at) => ['run', 'check', 'build'].map((command) => ({ at, command })));
  for (const { at, command } of someOf(all)) {
    const { code, stdout, stderr } = await startVictim(t, [command, 'case.wf'], { files: { 'case.wf': file(at) } }).ended;
    assert.equal(code, 1, `${command} ${at}: ${stdout}${stderr}`);
    assert.match(stdout + stderr, /case\.wf, line 6/);
    assert.doesNotMatch(stdout, /it ran/);
  }
});
