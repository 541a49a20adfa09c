// One mistake, one message: each single mistake in a valid workflow is reported once, on its own line.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { checkFile } from '../../src/compiler/compile.js';
import type { LocatedDiagnostic } from '../../src/compiler/diagnostics/diagnostic.js';
import { corpus } from './corpus.js';
import { mutations } from './mutations.js';

const errorsOf = (text: string): LocatedDiagnostic[] =>
  checkFile(text, 'slip.wf').diagnostics.filter(({ severity }) => severity === 'error');

/** Mistakes of each kind to check; there are 40,000 in total. `npm run fuzz` sets a seed and checks them all. */
const SAMPLE = fc.readConfigureGlobal()?.seed === undefined ? 400 : Number.POSITIVE_INFINITY;

/** Without the ones that need other files. */
const texts = corpus().flatMap(({ text }) => (errorsOf(text).length === 0 ? [text] : []));

const made = new Map<string, number>();
for (const text of texts) for (const { slip } of mutations(text)) made.set(slip, (made.get(slip) ?? 0) + 1);

/** By the mistake itself, so that another fixture changes the sample of the others hardly at all. */
const isSampled = (slip: string, changed: string): boolean => {
  const digest = createHash('md5').update(`${slip}\n${changed}`).digest().readUInt32BE();
  return digest / 2 ** 32 < SAMPLE / (made.get(slip) ?? 1);
};

const found = new Map<string, { text: string; line: number; errors: LocatedDiagnostic[] }[]>();
for (const text of texts) {
  for (const { slip, line, text: changed } of mutations(text)) {
    if (!isSampled(slip, changed)) continue;
    const errors = errorsOf(changed);
    // A mistake that creates another valid workflow, such as a longer name, can't be detected.
    if (errors.length > 0) found.set(slip, [...(found.get(slip) ?? []), { text: changed, line, errors }]);
  }
}

interface Tolerated {
  readonly several: number;
  /** One message on another line: for example, about a variable that is misspelt where it is set. */
  readonly elsewhere: number;
}

/** Maximum mistakes per 1,000 that may cause several messages, or one on another line. None, for all other kinds. */
const tolerated: Readonly<Record<string, Tolerated>> = {
  // The lines after it may belong to the line, or to the block around it.
  'a level too deep': { several: 15, elsewhere: 8 },
  'letter left out': { several: 1, elsewhere: 17 },
  'letters swapped': { several: 1, elsewhere: 17 },
  'word in capitals': { several: 1, elsewhere: 17 },
  'bracket left out': { several: 3, elsewhere: 0 },
  'word left out': { several: 2, elsewhere: 7 },
  'words run together': { several: 1, elsewhere: 0 },
  'word twice': { several: 1, elsewhere: 2 },
};

/** The maximum in a sample of this size, which may exceed it by chance: by three standard deviations. */
function mostIn(perThousand: number, size: number): number {
  const expected = (perThousand * size) / 1_000;
  return SAMPLE === Number.POSITIVE_INFINITY ? expected : expected + 3 * Math.sqrt(expected);
}

/** Whether a line is in the section `inputs:`. */
function isInput(text: string, line: number): boolean {
  const head = text
    .split('\n')
    .slice(0, line)
    .findLast((one) => /^\w/.test(one));
  return head === 'inputs:';
}

for (const [slip, cases] of found) {
  test(slip, () => {
    assert.ok(cases.length >= 100, `only ${cases.length} slips`);
    const told = cases.map(({ text, line, errors }) => ({
      ...{ text, line },
      // A field that an input no longer declares is missing on every line that reads it.
      errors: isInput(text, line) ? errors.filter((error) => error.code !== 'WF097' || error.line === line) : errors,
    }));
    const several = told.filter(({ errors }) => errors.length > 1);
    const elsewhere = told.filter(({ line, errors: [first, ...more] }) => more.length === 0 && first && first.line !== line);
    for (const [what, wrong] of Object.entries({ several, elsewhere })) {
      assert.ok(
        wrong.length <= mostIn(tolerated[slip]?.[what as keyof Tolerated] ?? 0, cases.length),
        `${what}: ${wrong.length} of ${cases.length}, the first:\n${wrong[0]?.text}\n${JSON.stringify(wrong[0]?.errors, undefined, 2)}`,
      );
    }
  });
}

test('a call never swallows a statement', () => {
  for (const statement of [
    'set x to 1',
    'log x',
    'if x is 1:',
    'for each x in y:',
    'wait 1 seconds',
    'complete',
    'reject with x',
    'skip',
    'add 1 to x',
    'step A:',
  ]) {
    for (const slip of [
      statement.replace(/^(\w)(\w)/, '$2$1'),
      statement.slice(1),
      statement.toUpperCase(),
      `${statement} now`,
      `please ${statement}`,
    ]) {
      const { workflow, diagnostics } = checkFile(`workflow:\n    trigger: t\n    ${slip}\n        log 1\n`, 'slip.wf');
      assert.ok(
        workflow.body.every(({ kind }) => kind !== 'call'),
        slip,
      );
      assert.ok(
        diagnostics.some(({ severity, line }) => severity === 'error' && line === 3),
        slip,
      );
    }
  }
});

const head =
  'config:\n    name: "Case"\n    version: 1\n\nservices:\n    Orders is an API at "https://orders.example.com"\n\nworkflow:\n    trigger: t\n';

/** A mistake → the lines of its errors, counted from the line after the trigger. */
const table: readonly (readonly [what: string, body: string, lines: readonly number[]])[] = [
  [
    'a broken loop is still a loop',
    'foreach order in request.orders\n        if order.id is 1:\n            skip\n        log order',
    [1],
  ],
  ['a broken loop without its item', 'for each in request.orders:\n        log order', [1]],
  [
    'a broken if and its otherwise',
    'fi request.a is 1:\n        log 1\n    otherwise if request.a is 2:\n        log 2\n    otherwise:\n        log 3',
    [1],
  ],
  [
    'a branch that cannot be read',
    'if request.a is 1:\n        log 1\n    otherwise if request.a si 2:\n        log 2\n    otherwise:\n        log 3',
    [3],
  ],
  ['a quote that is never closed sets its variable', 'set x to "a\n    log x', [1]],
  ['a variable that a broken save names', 'get it using Orders at "/"\n        save result as it\n    log it', [2]],
  [
    'a variable that a broken call saves',
    'get it usng Orders at "/"\n        save the result as it\n        on failure:\n            log failure.message\n    log it',
    [1],
  ],
  [
    'a misspelt retry',
    'get it using Orders at "/"\n        on failure:\n            rety 3 times\n            if still failing:\n                log 1',
    [3],
  ],
  [
    'a misspelt still failing',
    'get it using Orders at "/"\n        on failure:\n            retry 3 times\n            if sitll failing:\n                log failure.message',
    [4],
  ],
  ['statements indented under a call', 'get it using Orders at "/"\n        log 1\n        log 2\n    log 3', [2]],
  [
    'a block that is shifted by a level',
    'log 1\n            log 2\n            if true:\n                log 3\n            log 4\n    log 5',
    [2],
  ],
  ['three spaces everywhere', 'if true:\n       log 1\n       log 2\n    log 3', [2]],
  ['two faults in one line are one message', 'log [nope, "{1}"]', [1]],
  ['a name that is never set is reported once', 'set x to nope\n    log nope\n    log "{nope}"', [1]],
  [
    'the failure of a broken call in rounds',
    'set failure to []\n    for each n in [1, 2], 2 at a time:\n        get it using Orders at "/x\n            on failure:\n                add failure.status to failure',
    [3],
  ],
  [
    'a broken on failure in rounds',
    'set failure to []\n    for each n in [1, 2], 2 at a time:\n        get it using Orders at "/x"\n            on failure\n                add failure.status to failure',
    [4],
  ],
  [
    'a branch one level too deep, below a call',
    'get it using Orders at "/x"\n        save the result as it\n        if it.a is 1:\n        log "a"\n    otherwise:\n        log "b"',
    [3],
  ],
  [
    'a call one level too deep, below another call',
    'get it using Orders at "/x"\n        save the result as it\n        get that using Orders at "/y"\n        save the result as that\n    log that',
    [3],
  ],
  ['a misspelt word between values', 'log first reversed haracters of "abc"', [1]],
  ['a step that starts like a look-up', 'Look at the order:\n        log 1', [1]],
  ['a loop without the name of its item', 'for each one in [1]:\n        log one\n    for each in [1]:\n        log one', [3]],
  ['a fault does not hide the next one', 'set x to 1 plsu 2\n    log nope\n    set y to\n    log y plus x', [1, 2, 3]],
];

for (const [what, body, lines] of table) {
  test(what, () => {
    const start = head.split('\n').length - 1;
    assert.deepEqual(
      errorsOf(`${head}    ${body}\n    get it using Orders\n`).map(({ line }) => line - start),
      lines,
    );
  });
}

test('tables', () => {
  const at = (table: string): string[] =>
    errorsOf(
      `config:\n    name: "A"\n    version: 1\n\n${table}\nworkflow:\n    trigger: t\n    look up cost in Post with weight request.weight\n    complete with cost cost\n`,
    ).map(({ code, line }) => `${code} ${line}`);
  const rows = '        | one of 1, 2 | 4 |\n        | above 5 | 9 |\n        | any | 12 |\n';
  assert.deepEqual(at(`tables:\n    Post:\n        | weight is | cost |\n${rows}`), []);
  assert.deepEqual(at(`tables:\n    Post:\n        | is | cost |\n${rows}`), ['WF250 6'], 'no heading is a condition');
  assert.deepEqual(
    at(`tables:\n    Post:\n        | is | cost is |\n${rows}`),
    ['WF252 8'],
    'the heading, not each cell or look-up',
  );
  assert.deepEqual(at(`tables:\n    :\n        | weight is | cost |\n${rows}`), ['WF250 6']);
  assert.deepEqual(at(`:\n    Post:\n        | weight is | cost |\n${rows}`), ['WF056 5']);
});

test('sections', () => {
  const services = 'services:\n    Orders is an API at "https://orders.example.com"\n';
  const workflow = 'workflow:\n    trigger: t\n    get it using Orders\n';
  const at = (text: string): string[] => errorsOf(text).map(({ code, line }) => `${code} ${line}`);
  assert.deepEqual(at(`config:\n    name: "A"\n${services}${workflow}`), []);
  assert.deepEqual(at(`config:\n    name: "A"\n${workflow}${services}`), ['WF054 6']);
  assert.deepEqual(at(`config:\n    name: "A"\n    ${services}${workflow}`), ['WF056 3']);
  assert.deepEqual(
    at(
      `config:\n    name: "A"\n${services.replaceAll('\n', '\n    ').replace('services', '    services').trimEnd()}\n${workflow}`,
    ),
    ['WF056 3'],
  );
  assert.deepEqual(at(`config:\n    name: "A"\nservises:\n    Orders is an API at "https://orders.example.com"\n${workflow}`), [
    'WF056 3',
  ]);
  assert.deepEqual(at(`config:\n    name: "A"\n${services}wrkflow\n    trigger: t\n    get it using Orders\n`), ['WF056 5']);
  assert.deepEqual(at(`config:\n    name: "A"\n:\n    Orders is an API at "https://orders.example.com"\n${workflow}`), [
    'WF056 3',
  ]);
});
