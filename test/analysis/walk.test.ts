// Random programs never reach a line that the walk calls unreachable.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { findings } from '../../src/analysis/findings.js';
import { walk } from '../../src/analysis/walk.js';
import { statementsIn } from '../../src/compiler/2-parse/walk.js';
import { checkFile } from '../../src/compiler/compile.js';
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
import { runs } from '../root.js';

test('no run reaches a line that the walk says is never reached', async () => {
  let walks = 0;
  let reachedLines = 0;
  for (const tape of fc.sample(longTapes, { numRuns: runs(240), seed: 11 })) {
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
    const answers = new Answers(program.answers);
    const { status } = await run(structuredClone(program.request), {
      env: envOfPrograms,
      startedAt: startOfPrograms,
      mock: { answer: (call) => mockAnswer(answers.next(numberOfCall(call))) },
      onReach(index) {
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
      assert.ok(
        walked.endings.some((way) => way.status === status && way.line === end),
        `no way that ends as ${status} in line ${end}\n${showFiles(files)}\nrequest: ${JSON.stringify(program.request)}`,
      );
    }
    const never = all.filter((statement) => !walked.reached.has(statement) || merged?.reached.has(statement) === false);
    const wrong = never.filter(({ line }) => reached.has(line)).map(({ line }) => line);
    assert.deepEqual(wrong, [], `${showFiles(files)}\nrequest: ${JSON.stringify(program.request)}`);
  }
  assert.ok(walks >= runs(20) && reachedLines >= runs(50), `${walks} programs with ${reachedLines} lines`);
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
  const found = findings(checkFile(`${text.join('\n')}\n`, 'many.wf'));
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
  const [found] = findings(checkFile(text, 'words.wf'));
  assert.match(found?.message ?? '', /: request\.name starts with "ab" here, so "request\.name is "b"" is never true here\.$/);
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
