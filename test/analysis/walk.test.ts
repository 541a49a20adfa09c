// Random programs never reach a line that the walk calls unreachable, and take only ways that it predicts.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { answerAt, candidates, isOnWay } from '../../src/analysis/candidates.js';
import { findings } from '../../src/analysis/findings.js';
import { walk } from '../../src/analysis/walk.js';
import { statementsIn } from '../../src/compiler/2-parse/walk.js';
import { checkFile } from '../../src/compiler/compile.js';
import { runToEnd } from '../../src/compiler/in-turns.js';
import { createEngine } from '../../src/engine/engine.js';
import { exampleRecord } from '../../src/input/example-value.js';
import { waysOf } from '../../src/rules/ways.js';
import { prepareWithCoverage } from '../../src/testing/coverage.js';
import { MarginReader } from '../../src/testing/margins.js';
import { tryOut } from '../../src/testing/trial.js';
import { loadEmitted } from '../compiler/load-emitted.js';
import { Answers, numberOfCall } from '../compiler/programs/answers.js';
import { compileAnyway, UndeclaredField } from '../compiler/programs/compile-anyway.js';
import { filesOf, programFile, showFiles } from '../compiler/programs/files.js';
import { Generator } from '../compiler/programs/generate.js';
import { envOfPrograms } from '../compiler/programs/print.js';
import { longTapes } from '../compiler/programs/property.js';
import { mockAnswer } from '../compiler/programs/run-program.js';
import { startOfPrograms } from '../compiler/programs/seen.js';
import { Tape } from '../compiler/programs/tape.js';
import { root, runs } from '../root.js';

/** Another one with each round of `npm run fuzz`. */
const firstSeed = Number(process.env.WF_FUZZ_SEED ?? 0);

test('no run reaches a line that the walk says is never reached', async () => {
  let walks = 0;
  let reachedLines = 0;
  for (const tape of fc.sample(longTapes, { numRuns: runs(240), seed: firstSeed + 11 })) {
    const program = new Generator(new Tape(tape)).program();
    const files = await filesOf(program);
    const checked = checkFile(String(files.get(programFile)), 'program.wf');
    const walked = checked.hasErrors ? undefined : walk(checked.text, checked.workflow, checked.facts);
    if (walked === undefined) continue;
    let made: ReturnType<typeof compileAnyway>;
    try {
      made = compileAnyway(files, () => ({ coverage: true }));
    } catch (error) {
      if (error instanceof UndeclaredField) continue;
      throw error;
    }
    const { emitted } = made;
    const { run } = await loadEmitted(emitted.code);
    const merged = walk(checked.text, checked.workflow, checked.facts, { keepsWays: false });
    const reached = new Set<number>();
    const margins = new MarginReader(checked, emitted.reachable);
    const watch = margins.watch(program.request);
    const answers = new Answers(program.answers);
    const { status } = await run(structuredClone(program.request), {
      env: envOfPrograms,
      startedAt: startOfPrograms,
      mock: { answer: (call) => mockAnswer(answers.next(numberOfCall(call))) },
      onReach(index) {
        watch.reach(index);
        const place = emitted.reachable[index];
        if (place?.kind === 'statement' && place.file === undefined) reached.add(place.line);
      },
    });
    walks++;
    reachedLines += reached.size;
    const all = [...statementsIn(checked.workflow.body)];
    const ends = new Set(all.filter(({ kind }) => kind === 'complete' || kind === 'reject').map(({ line }) => line));
    if (status !== 'error') {
      const end = [...reached].findLast((line) => ends.has(line));
      const taken = { status, lines: new Set([end]), answers: watch.answers };
      assert.ok(
        walked.endings.some((way) => isOnWay({ end: way, state: way.state }, taken, margins.lines)),
        `no way that ends as ${status} in line ${end}, ${watch.answers}\n${showFiles(files)}\nrequest: ${JSON.stringify(program.request)}`,
      );
    }
    const never = all.filter((statement) => !walked.reached.has(statement) || merged?.reached.has(statement) === false);
    const wrong = never.filter(({ line }) => reached.has(line)).map(({ line }) => line);
    assert.deepEqual(wrong, [], `${showFiles(files)}\nrequest: ${JSON.stringify(program.request)}`);
  }
  assert.ok(walks >= runs(20) && reachedLines >= runs(50), `${walks} programs with ${reachedLines} lines`);
});

const comparators = ['is above', 'is at least', 'is below', 'is at most'];
const atoms: readonly ((pick: (most: number) => number) => string)[] = [
  (pick) => `request.a ${comparators[pick(4)]} ${pick(6) * 10}`,
  (pick) => `request.a plus request.b ${comparators[pick(4)]} ${pick(6) * 10}`,
  (pick) => `request.a ${comparators[pick(4)]} request.b`,
  (pick) => `request.b is between ${pick(4)} and ${4 + pick(4)}`,
  (pick) => `request.tags.count ${comparators[pick(4)]} ${1 + pick(3)}`,
  (pick) => `request.name starts with "${'xyz'[pick(3)]}"`,
  (pick) => `request.name is${pick(2) === 0 ? '' : ' not'} "${'xyz'[pick(3)]}1"`,
  (pick) => `request.kind is one of ["small", "${['large', 'odd'][pick(2)]}"]`,
  () => 'request.paid',
  () => 'request.note does not exist',
  (pick) => `years from request.born to today ${comparators[pick(4)]} ${15 + pick(4)}`,
  (pick) => `request.born is before "20${10 + pick(9)}-01-01"`,
  (pick) => `stock.level ${comparators[pick(4)]} ${pick(4)}`,
  (pick) => `decision is "${['yes', 'no'][pick(2)]}"`,
  (pick) => `total ${comparators[pick(4)]} ${pick(4) * 30}`,
];

/** A workflow that decides by what requests, services and people say. */
function decisions(numbers: readonly number[]): string {
  let at = 0;
  const pick = (most: number): number => (numbers[at++ % numbers.length] ?? 0) % most;
  const condition = (): string => {
    const other = (): string => atoms[pick(atoms.length)]?.(pick) ?? '';
    const one = other();
    return [one, one, `not (${one})`, `(${one}) and (${other()})`, `(${one}) or (${other()})`][pick(5)] ?? '';
  };
  let ends = 0;
  const block = (depth: number, indent: string): string[] =>
    Array.from({ length: 1 + pick(2) }).flatMap(() => [
      `${indent}if ${condition()}:`,
      ...(depth < 2 && pick(2) === 0 ? block(depth + 1, `${indent}    `) : [`${indent}    set total to total plus ${pick(9)}`]),
      ...(pick(3) === 0 ? [`${indent}    reject with "${++ends}"`] : []),
      ...(pick(2) === 0 ? [`${indent}otherwise if ${condition()}:`, `${indent}    reject with "${++ends}"`] : []),
    ]);
  return `config:
    name: "Decisions"
    version: 1
inputs:
    a is a number from 0 to 100
    b is a whole number from 0 to 10
    tags is a list of at most 5 texts
    name is a text
    kind is one of "small", "large", "odd"
    paid is yes or no
    note is a text, optional
    born is a date
services:
    Stock is an API at "https://stock.example.com"
    Boss is a person
workflow:
    trigger: now
    get stock using Stock at "/stock"
        save the result as stock
    ask Boss to approve
        choose from "yes", "no"
        save the result as decision
    set total to request.a times 2
${block(0, '    ').join('\n')}
    complete with total total
`;
}

test('a request that is made for a way takes a way that was predicted, and mostly that one', async (t) => {
  const engine = createEngine({ env: {}, mock: true });
  t.after(() => engine.close());
  let [made, met] = [0, 0];
  for (const numbers of fc.sample(fc.array(fc.nat(), { minLength: 80, maxLength: 80 }), {
    numRuns: runs(150),
    seed: firstSeed + 12,
  })) {
    const text = decisions(numbers);
    const version = await prepareWithCoverage('decisions.wf', { cwd: root, trace: true, source: Buffer.from(text) });
    assert.ok(version.ok, `${text}${version.ok ? '' : JSON.stringify(version.diagnostics)}`);
    const { checked, prepared, reachable } = version;
    const margins = new MarginReader(checked, reachable);
    const ways = walk(checked.text, checked.workflow, checked.facts)?.endings ?? [];
    const ends = new Set(ways.map(({ line }) => line));
    for (const one of candidates(checked, exampleRecord(checked.facts.inputs ?? [], 'typical'))) {
      const watch = margins.watch(one.request);
      const { outcome, reached, isRefused } = await tryOut(engine, prepared, one, watch);
      const { status } = outcome;
      const end = [...reached].map((index) => reachable[index]?.line).findLast((line) => ends.has(line));
      const taken = { status, lines: new Set([status === 'error' ? outcome.error?.line : end]), answers: watch.answers };
      const { request, mocks } = one;
      const where = `${text}\n${JSON.stringify({ request, mocks })}\n${JSON.stringify([outcome, end, watch.answers])}`;
      assert.ok(
        isRefused || ways.some((way) => isOnWay({ end: way, state: way.state }, taken, margins.lines)),
        `this way was not predicted\n${where}`,
      );
      if (!one.state.isExact || one.end.status === undefined) continue;
      made++;
      if (isOnWay(one, taken, margins.lines)) met++;
    }
  }
  t.diagnostic(`${met} of ${made}`);
  assert.ok(made >= runs(150) && met >= made * 0.7, `${met} of ${made}`);
});

/** Whether a cell of `wf rules` fits a value. */
function fits(words: string, value: unknown): boolean {
  const isEmpty = value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0);
  const listed = (list: string): boolean =>
    list.split(/, | or /).some((one) => JSON.stringify(value) === one || (one === 'empty' && isEmpty));
  const term = (said: string): boolean => {
    const [, relation = '', limit = ''] = /^(\D*?) ?((?:-?\d|").*)?$/.exec(said) ?? [];
    const text = String(value);
    const prefixes = (): string[] => JSON.parse(`[${limit}]`);
    switch (relation) {
      case '':
      case 'one of':
        return listed(limit);
      case 'not':
        return !listed(limit);
      case 'above':
        return Number(value) > Number(limit);
      case 'below':
        return limit.startsWith('"') ? JSON.stringify(value) < limit : Number(value) < Number(limit);
      case 'at least':
        return limit.startsWith('"') ? JSON.stringify(value) >= limit : Number(value) >= Number(limit);
      case 'at most':
        return Number(value) <= Number(limit);
      case 'from':
        return Number(value) >= Number(limit.split(' to ')[0]) && Number(value) <= Number(limit.split(' to ')[1]);
      case 'starts with':
        return prefixes().every((one) => text.startsWith(one));
      case 'does not start with':
        return !prefixes().some((one) => text.startsWith(one));
      case 'a number':
        return typeof value === 'number';
      case 'text':
        return typeof value === 'string';
      case 'true':
      case 'false':
        return text === relation;
      case 'empty':
        return isEmpty;
      case 'not empty':
        return !isEmpty;
      default:
        throw new Error(said);
    }
  };
  const alternatives = words.split(/^not | and | but /.test(words) ? ', or ' : ' or ');
  return alternatives.some((each) => {
    const [said = '', left = ''] = each.split(' but not ');
    return said.split(' and ').every(term) && !listed(left);
  });
}

test('the row of `wf rules` that fits a run says how it ended', async (t) => {
  const engine = createEngine({ env: {}, mock: true });
  t.after(() => engine.close());
  let [certain, open] = [0, 0];
  for (const numbers of fc.sample(fc.array(fc.nat(), { minLength: 80, maxLength: 80 }), {
    numRuns: runs(100),
    seed: firstSeed + 13,
  })) {
    const text = decisions(numbers);
    const version = await prepareWithCoverage('decisions.wf', { cwd: root, trace: true, source: Buffer.from(text) });
    assert.ok(version.ok);
    const { checked, prepared, reachable } = version;
    const { columns, rows } = waysOf(checked);
    const ends = new Set(rows.map(({ line }) => line));
    const isAnswer = (name: string): boolean => rows.some(({ when }) => ['yes', 'no'].includes(when[name] ?? ''));
    const linesOf = (name: string): number[] => {
      const line = / \(line (\d+)\)$/.exec(name)?.[1];
      if (line !== undefined) return [Number(line)];
      return text.split('\n').flatMap((one, index) => (one.endsWith(`if ${name}:`) ? [index + 1] : []));
    };
    const read = columns.filter((name) => !isAnswer(name) && name !== 'also depends on lines');
    const values = read.map((name, index) => `v${index} (${name})`).join(' and ');
    const body = text.slice(0, text.indexOf('    set total'));
    const probe = await prepareWithCoverage('probe.wf', {
      cwd: root,
      trace: true,
      source: Buffer.from(`${body}    complete with ${values || 'v 1'}\n`),
    });
    assert.ok(probe.ok, values);
    const margins = new MarginReader(checked, reachable);
    for (const one of candidates(checked, exampleRecord(checked.facts.inputs ?? [], 'typical'))) {
      const watch = margins.watch(one.request);
      const { outcome, reached } = await tryOut(engine, prepared, one, watch);
      if (outcome.status === 'error') continue;
      const { outputs } = (await tryOut(engine, probe.prepared, one, margins.watch(one.request))).outcome;
      const end = [...reached].map((index) => reachable[index]?.line).findLast((line) => ends.has(line));
      const isFitting = (when: Readonly<Record<string, string>>): boolean =>
        Object.entries(when).every(([name, words]) => {
          if (name === 'also depends on lines') return true;
          if (isAnswer(name)) return linesOf(name).some((line) => watch.answers.includes(answerAt(line, words === 'yes')));
          return fits(words, outputs?.[`v${read.indexOf(name)}`]);
        });
      const fitting = rows.filter(({ when }) => isFitting(when));
      const where = `${text}\n${JSON.stringify({ end, request: one.request, mocks: one.mocks, outputs, answers: watch.answers, fitting })}`;
      assert.ok(
        fitting.some(({ line }) => line === end),
        `no row\n${where}`,
      );
      const sure = fitting.filter(({ when }) => when['also depends on lines'] === undefined);
      assert.ok(
        sure.every(({ line }) => line === end),
        `a wrong row\n${where}`,
      );
      if (sure.length > 0) certain++;
      else open++;
    }
  }
  t.diagnostic(`${certain} runs with a row that is certain, ${open} with one that leaves something open`);
  assert.ok(certain >= runs(500), String(certain));
});

test('after 300 conditions on different values, still knows what came before', () => {
  const many = Array.from({ length: 300 }, (_, index) => [
    `if request.v${index} is above ${index}:`,
    `    log "${index}"`,
  ]).flat();
  const lines = [
    'if request.weight is below 10:',
    '    reject with "too light"',
    ...many,
    'if request.weight is below 5:',
    '    log "never"',
  ];
  const text = [
    'config:',
    '    name: "Many"',
    '    version: 1',
    'workflow:',
    '    trigger: now',
    ...lines.map((line) => `    ${line}`),
  ];
  const found = runToEnd(findings(checkFile(`${text.join('\n')}\n`, 'many.wf')));
  assert.deepEqual(
    found.map(({ code }) => code),
    ['WF150'],
  );
});

test('says in a sentence what a value can be where a line is never reached', () => {
  const text = `config:
    name: "Words"
    version: 1
workflow:
    trigger: now
    if request.name starts with "ab":
        if request.name is "b":
            log "never"
`;
  const [found] = runToEnd(findings(checkFile(text, 'words.wf')));
  assert.match(found?.message ?? '', /: request\.name starts with "ab" here, so "request\.name is "b"" is never true here\.$/);
});

test('`wf rules` says what a value can be as a person would', () => {
  const rows = Array.from({ length: 41 }, (_, index) => `        | ${index} | ${index} |`);
  const text = `config:
    name: "Words"
    version: 1
inputs:
    amount is a number
    price is a number above 0
    reminders is a whole number from 0 to 3
    share is a number
    skill is anything, optional
    status is a whole number
tables:
    Fees:
        | status is | fee |
${rows.join('\n')}
workflow:
    trigger: now
    if request.amount is 0:
        reject with "1"
    if request.amount is above 2000:
        reject with "2"
    if (request.price divided by 3) is above 10.1:
        reject with "3"
    if (7 times request.share) is above 20000:
        reject with "4"
    if request.reminders is below 1:
        reject with "5"
    if request.skill is not empty and request.skill is not "none":
        reject with "6"
    if request.status is 404:
        reject with "7"
    look up fee in Fees with status request.status
        if nothing matches:
            set fee to 0
    complete with fee fee
`;
  const checked = checkFile(text, 'words.wf');
  const when = (message: string): Readonly<Record<string, string>> | undefined =>
    waysOf(checked).rows.find(({ outcome }) => outcome.startsWith(message))?.when;
  const before = {
    'request.amount': 'at most 2000 but not 0',
    'request.price': 'at most 30.3',
    'request.share': 'at most about 2857.14',
  };
  assert.deepEqual(when('reject with "5"'), { ...before, 'request.reminders': '0' });
  assert.deepEqual(when('reject with "6"'), {
    ...before,
    'request.reminders': 'at least 1',
    'request.skill': 'not "none" or empty',
  });
  assert.deepEqual(when('complete'), {
    ...before,
    'request.reminders': 'at least 1',
    'request.skill': '"none" or empty',
    'request.status': 'not 404',
    'also depends on lines': `${text.split('\n').findIndex((line) => line.includes('look up')) + 1} (table Fees)`,
  });
});

function walkOf(lines: readonly string[], tables: readonly string[] = []) {
  const head = ['config:', '    name: "Large"', '    version: 1', ...tables, 'workflow:', '    trigger: when a test runs', ''];
  const checked = checkFile([...head, ...lines.map((line) => `    ${line}`), ''].join('\n'), 'large.wf');
  assert.deepEqual(
    checked.diagnostics.filter(({ severity }) => severity === 'error'),
    [],
  );
  return walk(checked.text, checked.workflow, checked.facts);
}

const doubled: Readonly<Record<string, readonly [first: string, again: string]>> = {
  'a fixed text': ['set value to "ab"', 'set value to "{value}{value}"'],
  'a text with values': ['set value to "{request.a} and {request.b}"', 'set value to "{value}{value}"'],
  'a product': ['set value to request.a', 'set value to value times value'],
  'a fixed list': ['set value to ["a"]', 'set value to [value, value]'],
  'a list of values': ['set value to [request.a]', 'set value to [value, value]'],
};

for (const [what, [first, again]] of Object.entries(doubled))
  test(`follows ${what} that doubles in 100 lines only while it is small`, () => {
    const walked = walkOf([
      first,
      ...Array<string>(100).fill(again),
      'if value is request.limit:',
      '    reject with "equal"',
      'complete with value value',
    ]);
    assert.deepEqual(
      new Set(walked?.endings.map(({ status }) => status).filter((status) => status !== 'error')),
      new Set(['rejected', 'completed']),
    );
  });

test('says nothing of a workflow whose tables have too many ways', () => {
  const numbers = Array.from({ length: 200 }, (_, index) => index);
  const rows = numbers.slice(0, 30).map((row) => `        | ${row + 1} | "C${row % 5}" | ${row} |`);
  const tables = [
    'tables:',
    ...numbers.flatMap((number) => [`    T${number}:`, '        | weight is below | country is | fee |', ...rows]),
  ];
  const lookUps = numbers.flatMap((number) => [
    `look up fee in T${number} with weight request.w${number} and country request.country`,
    '    if nothing matches:',
    '        set fee to 1',
    'log "{fee}"',
  ]);
  assert.equal(walkOf([...lookUps, 'complete with done true'], tables), undefined);
  assert.notEqual(walkOf([...lookUps.slice(0, 4), 'complete with done true'], tables.slice(0, 33)), undefined);
});
