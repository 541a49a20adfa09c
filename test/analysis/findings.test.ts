// What the walk warns about, and what it keeps silent about, each with a few lines.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { analyse } from '../../src/analysis/analyse.js';
import { findings } from '../../src/analysis/findings.js';
import { checkFile } from '../../src/compiler/compile.js';
import { runToEnd } from '../../src/compiler/in-turns.js';

const services = `services:
    Stock is an API at "https://stock.example.com"
    Boss is a person
`;
const asked = (...lines: string[]): string[] => [
  'ask Boss to approve {request.total}',
  '    choose from "yes", "no", "later"',
  '    save the result as answer',
  ...lines,
];
const stocked = (...lines: string[]): string[] => ['get stock using Stock at "/stock"', '    save the result as stock', ...lines];
/** An `if` with these conditions. */
const chain = (...conditions: string[]): string[] => [
  ...conditions.flatMap((condition, index) => [`${index === 0 ? '' : 'otherwise '}if ${condition}:`, `    log "${index}"`]),
  'complete with done true',
];

const cases: readonly (readonly [what: string, lines: readonly string[], message: RegExp | undefined, inputs?: string])[] = [
  [
    'a boundary beside a condition with two limits',
    chain('request.kg is below 5', 'request.kg is above 5 and request.kg is at most 10', 'request.kg is above 10'),
    /A kg of exactly 5 fits no line.*above 10\)/,
  ],
  [
    'a boundary beside a range',
    chain('request.kg is between 1 and 5', 'request.kg is above 6', 'request.kg is below 6'),
    /exactly 6/,
  ],
  [
    'a day',
    chain('request.day is before "2026-01-01"', 'request.day is after "2026-01-01"'),
    /exactly 2026-01-01/,
    'day is a date',
  ],
  [
    'a whole number',
    chain('request.n is at most 10', 'request.n is at least 12'),
    /exactly 11 fits no line/,
    'n is a whole number',
  ],
  [
    'a number that is left out on purpose',
    chain('request.n is below 7', 'request.n is at least 7 and request.n is not 7'),
    undefined,
  ],
  ['a boundary for some only', chain('request.n is above 5 and request.b', 'request.n is below 5 and request.b'), undefined],
  ['whole numbers without a gap', chain('request.n is at most 10', 'request.n is at least 11'), undefined, 'n is a whole number'],
  [
    'an answer of a person',
    asked('if answer is "yes":', '    complete with paid true', 'otherwise if answer is "no":', '    reject with "no"'),
    /^The answer "later" of Boss ends without a result/,
  ],
  [
    'an answer of a service',
    stocked('if stock.level is above 5:', '    complete with level 5', 'if stock.level is below 3:', '    reject with "none"'),
    /^A stock\.level of \d ends without a result/,
  ],
  [
    'a request and an answer',
    asked(
      'if request.total is above 9 and answer is "no":',
      '    reject with "no"',
      'if answer is "yes":',
      '    complete with a 1',
    ),
    /^A total of .* with the answer "(?:no|later)" of Boss ends/,
  ],
  [
    'a list that is never empty',
    ['if request.tags.count is 0:', '    reject with "none"'],
    /never reached/,
    'tags is a list of at least 1 texts',
  ],
  [
    'a list that has items only where its count was read first',
    ['if request.tags is not empty:', '    log "{request.tags.count}"', 'if request.tags.count is 0:', '    reject with "none"'],
    undefined,
    'tags is a list of texts',
  ],
  [
    'choices that differ from way to way',
    [
      'set first to "yes"',
      'if request.total is above 9:',
      '    set first to "sure"',
      'ask Boss to approve {request.total}',
      '    choose from first, "no"',
      '    save the result as answer',
      'if answer is "sure":',
      '    log "sure"',
    ],
    undefined,
  ],
  [
    'a variable that is set again after the silence of a service',
    stocked('    on failure:', '        log "none"', 'set stock to request.total', 'set more to stock plus 1'),
    undefined,
  ],
  [
    'a variable that only a later condition of the same lines compares',
    [
      ...chain('request.a', 'request.b', 'request.c', 'request.d', 'request.e', 'request.f').slice(0, -1),
      'set kind to "x"',
      'if request.a:',
      '    set kind to request.kind',
      'if request.n is above 1:',
      '    log "1"',
      'otherwise if kind is "y":',
      '    log "2"',
    ],
    undefined,
  ],
  ['a round too many', ['repeat at most 3 times:', '    if round is above 3:', '        log "4"'], /round is from 1 to 3 here/],
  [
    'items that were chosen by the same limit before',
    ['set large to each line in request.lines where line.kg is above 5', ...inLarge('line.kg is below 4')],
    /line\.kg is below 4" is never true/,
  ],
  [
    'items that were chosen by a limit that has changed since',
    [
      'set limit to 5',
      'set large to each line in request.lines where line.kg is above limit',
      'set limit to 50',
      ...inLarge('line.kg is below limit'),
    ],
    undefined,
  ],
];

function inLarge(condition: string): string[] {
  return ['for each line in large sorted by kg:', `    if ${condition}:`, '        log "small"'];
}

for (const [what, lines, message, inputs] of cases)
  test(`${message === undefined ? 'says nothing of' : 'warns about'} ${what}`, () => {
    const declared = inputs === undefined ? '' : `inputs:\n    ${inputs}\n`;
    const body = ['trigger: now', ...lines].map((line) => `    ${line}\n`).join('');
    const checked = checkFile(`config:\n    name: "Case"\n    version: 1\n${declared}${services}workflow:\n${body}`, 'case.wf');
    assert.deepEqual(
      checked.diagnostics.filter(({ severity }) => severity === 'error'),
      [],
    );
    const found = runToEnd(findings(checked)).map((one) => one.message);
    if (message === undefined) assert.deepEqual(found, []);
    else assert.ok(found.length === 1 && message.test(found[0] ?? ''), found.join('\n'));
  });

test('says nothing of a gap in a table where no run gets to the look-up with such a value', () => {
  const text = (spam: string, rows = ''): string => `config:
    name: "Mail"
    version: 1

services:
    Reader is an AI using "anthropic/claude-sonnet-4-5"

tables:
    Target:
        | urgency is | hours |
        | "urgent"   | 1     |
        | "normal"   | 24    |
${rows}
workflow:
    trigger: when a mail arrives

    ask Reader to sort this mail: {request.text}
        choose from "urgent", "normal", "spam"
        save the result as urgency
    if urgency is "spam":
        ${spam}
    look up hours in Target with urgency urgency
    complete with hours hours
`;
  const codes = (given: string): string[] => analyse(checkFile(given, 'mail.wf'), 'mail.wf').map(({ code }) => code);
  assert.deepEqual(codes(text('set urgency to "normal"')), []);
  assert.deepEqual(codes(text('log "spam"')), ['WF141']);
  // Too many rows to follow.
  const many = Array.from({ length: 50 }, (_, index) => `        | "${index}" | ${index} |\n`).join('');
  assert.deepEqual(
    codes(text('set urgency to "normal"', many)).filter((code) => code === 'WF141'),
    ['WF141'],
  );
});

const setIf = ['if request.a:', '    set x to 1'];
const setOr = [...setIf, 'otherwise if request.b:', '    set x to 2'];
const round = (...lines: string[]): string[] => ['for each one in request.all:', ...lines.map((line) => `    ${line}`)];

/** The lines below `trigger:`, counted from 1, that are said to read what may not be set. */
const unset: readonly (readonly [what: string, at: readonly number[], ...lines: string[]])[] = [
  ['read under the same condition', [], ...setIf, 'if request.a:', '    log "{x}"'],
  ['read under a narrower condition', [], ...setIf, 'if request.a and request.b:', '    log "{x}"'],
  ['read in the condition itself', [], ...setIf, 'if request.a and x is 1:', '    log "1"'],
  ['read before the condition', [3], ...setIf, 'if x is 1 and request.a:', '    log "1"'],
  ['read in the other case', [4], ...setIf, 'if not request.a:', '    log "{x}"'],
  ['read under the same condition, and then anywhere', [5], ...setIf, 'if request.a:', '    log "{x}"', 'log "{x}"'],
  ['read under either condition', [], ...setOr, 'if request.a or request.b:', '    log "{x}"'],
  [
    'read where no other value is possible',
    [],
    'if request.n is above 5:',
    '    set x to 1',
    'if request.n is above 6:',
    '    log "{x}"',
  ],
  [
    'read where another value is possible',
    [4],
    'if request.n is above 5:',
    '    set x to 1',
    'if request.n is above 4:',
    '    log "{x}"',
  ],
  ['read where another variable says so', [], 'set has to false', ...setIf, '    set has to true', 'if has:', '    log "{x}"'],
  ['read where the rest is over', [], ...setIf, 'if not request.a:', '    reject with "no"', 'log "{x}"'],
  ['set to a value that may be empty', [], 'if request.a:', '    set x to request.b', 'if request.a:', '    log "{x}"'],
  ['set to empty', [4], 'if request.a:', '    set x to empty', 'if request.a:', '    log "{x}"'],
  ['read in the same round', [], ...round('if one.a:', '    set x to 1', 'if one.a:', '    log "{x}"')],
  ['read in the next round', [6], ...round('if one.a:', '    set x to 1', 'if one.b:', '    if one.c:', '        log "{x}"')],
  ['read after the rounds', [4], ...round('if one.a:', '    set x to 1'), 'log "{x}"'],
  ['kept as a condition that not all ways ask', [3], ...setIf, 'set ok to x is 1', 'if request.a and ok:', '    log "1"'],
  [
    'an answer',
    [],
    'if request.a:',
    '    get x using Stock at "/x"',
    '        save the result as x',
    'if request.a:',
    '    log "{x}"',
  ],
  [
    'an answer that did not come',
    [5],
    'get x using Stock at "/x"',
    '    save the result as x',
    '    on failure:',
    '        log "no"',
    'log "{x}"',
  ],
  [
    'an answer, where a flag tells of its failure',
    [],
    'set failed to false',
    'get x using Stock at "/x"',
    '    save the result as x',
    '    on failure:',
    '        set failed to true',
    'if failed:',
    '    reject with "no"',
    'log "{x}"',
  ],
  ['in an expression', [4], ...setIf, 'if request.b:', '    set seen to x plus one for each one in request.all'],
];

for (const [what, at, ...lines] of unset)
  test(`${at.length === 0 ? 'proves that a name is set' : 'says where a name may not be set'}: ${what}`, () => {
    const body = ['trigger: now', ...lines].map((line) => `    ${line}\n`).join('');
    const text = `config:\n    name: "Case"\n    version: 1\n\nservices:\n    Stock is an API at "https://stock.example.com"\n\nworkflow:\n${body}`;
    const checked = checkFile(text, 'case.wf');
    assert.ok(!checked.hasErrors, checked.diagnostics.map(({ message }) => message).join('\n'));
    assert.ok(
      checked.diagnostics.some(({ code }) => code === 'WF101'),
      'not without the walk',
    );
    const found = analyse(checked, 'case.wf').filter(({ code }) => code === 'WF101');
    assert.deepEqual(
      found.map(({ line }) => line - 9),
      at,
    );
  });
