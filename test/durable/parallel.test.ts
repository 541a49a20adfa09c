// Work at the same time in recorded runs: wherever a run is cut off, it ends with the same outputs, no recorded call is made again, and the
// branch that ended a block ends it every time.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { JournalHost } from '../../src/durable/journal/journal-host.js';
import { entryKinds } from '../../src/durable/model/entries.js';
import { type Execution, execute, journaled, journaledFile } from './journaled.js';
import { randomFrom } from './random-from.js';

/** What is recorded is not done again, and everything is done. */
function assertDoneOnce(first: Execution, cut: number, resumed: Execution): void {
  const recorded = first.rows
    .slice(0, cut)
    .flatMap(({ branch, seq, kind }) => (kind === entryKinds.call ? [`${branch}-${seq}`] : []));
  const again = recorded.filter(
    (key) => resumed.done.has(key) && !resumed.rows.some((row, at) => at >= cut && keyOf(row) === key),
  );
  assert.deepEqual(again, [], 'done again after its record');
  for (const [key, words] of resumed.done) assert.equal(first.done.get(key) ?? words, words, 'a key is one call');
}
const keyOf = ({ branch, seq }: Execution['rows'][number]): string => `${branch}-${seq}`;

test('a run that is cut off after any record ends with the same outputs', async () => {
  const prepared = await journaledFile('parallel/blocks-and-rounds.wf');
  const first = await execute(prepared, [], { random: randomFrom(3) });
  assert.deepEqual(first.outcome?.outputs, { b: 1, c: 2, found: [2, 6, 8, 10], h: 5 });
  assert.ok(first.most >= 3, `${first.most} together`);
  for (let cut = 0; cut < first.rows.length; cut++) {
    const resumed = await execute(prepared, first.rows.slice(0, cut), { random: randomFrom(cut) });
    assert.equal(resumed.stuck, undefined);
    assert.deepEqual(resumed.outcome?.outputs, first.outcome?.outputs, `cut at ${cut}`);
    assertDoneOnce(first, cut, resumed);
    const keys = new Set([...resumed.rows.slice(0, cut).map(keyOf), ...resumed.done.keys()]);
    for (const key of first.done.keys()) assert.ok(keys.has(key), `${key} was lost at ${cut}`);
    // The whole record, once more: nothing is left to do.
    const again = await execute(prepared, resumed.rows);
    assert.deepEqual(
      [again.outcome?.outputs, again.done.size, again.rows.length],
      [first.outcome?.outputs, 0, resumed.rows.length],
    );
  }
});

test('a block in a branch that was cut off does not hold up a resumed run', async () => {
  const prepared = await journaledFile('parallel/cut-off-block.wf');
  const first = await execute(prepared, []);
  assert.deepEqual(first.outcome?.outputs, { who: 'first' });
  assert.ok(first.done.size > 2 && first.done.size < 14, 'the rounds were cut off');
  const again = await execute(prepared, first.rows);
  assert.deepEqual([again.outcome?.outputs, again.done.size], [{ who: 'first' }, 0]);
});

test('nothing is recorded any more in a branch that was cut off', async () => {
  const prepared = await journaledFile('parallel/cut-off-after-a-block.wf');
  const { outcome, rows } = await execute(prepared, []);
  assert.deepEqual(outcome?.outputs, { who: 'other' });
  const inner = rows.findIndex(({ branch, kind, part }) => branch === '0.0' && kind === entryKinds.fork && part === 1);
  assert.ok(inner > 0);
  // As if the other branch had ended the run in the moment before the end of the block was written.
  const before = rows.filter(({ branch }, at) => at < inner || branch !== '0.0').map((row, pos) => ({ ...row, pos }));
  const again = await execute(prepared, before);
  assert.deepEqual([again.outcome?.outputs, again.done.size, again.rows], [{ who: 'other' }, 0, before]);
});

test('the branch that ended a block ends it again, whichever would be first this time', async () => {
  const prepared = await journaledFile('parallel/two-winners.wf');
  const winners = new Set<string>();
  for (let seed = 0; seed < 12; seed++) {
    const first = await execute(prepared, [], { random: randomFrom(seed) });
    const who = String(first.outcome?.outputs?.who);
    winners.add(who);
    const end = first.rows.findIndex(({ kind, part }) => kind === entryKinds.fork && part === 1);
    assert.ok(end > 0);
    for (let cut = 0; cut <= first.rows.length; cut++) {
      const resumed = await execute(prepared, first.rows.slice(0, cut), { random: randomFrom(seed + cut) });
      if (cut > end) assert.deepEqual([resumed.outcome?.outputs?.who, resumed.done.size], [who, 0], `cut at ${cut}`);
      else assert.match(String(resumed.outcome?.outputs?.who), /first|second/);
    }
  }
  assert.deepEqual([...winners].sort(), ['first', 'second']);
});

test('rounds that began before stop the loop finish and count, also after a crash', async () => {
  const prepared = await journaledFile('parallel/stop-the-loop.wf');
  for (let seed = 0; seed < 8; seed++) {
    const first = await execute(prepared, [], { random: randomFrom(seed) });
    const found = first.outcome?.outputs?.found;
    assert.ok(Array.isArray(found) && !found.includes(4) && !found.includes(8), JSON.stringify(found));
    const end = first.rows.findIndex(({ kind, part }) => kind === entryKinds.fork && part === 1);
    for (let cut = 0; cut <= first.rows.length; cut++) {
      const before = first.rows.slice(0, cut);
      const resumed = await execute(prepared, before, { random: randomFrom(seed * 100 + cut) });
      const again = resumed.outcome?.outputs?.found;
      assert.ok(Array.isArray(again), resumed.stuck);
      if (cut > end) assert.deepEqual(again, found);
      const begun = new Set(before.flatMap(({ branch }) => (branch === '' ? [] : [Number(branch.split('.')[1]) + 1])));
      for (const number of begun) if (number !== 4) assert.ok(again.includes(number), `${number} had begun; cut at ${cut}`);
    }
  }
});

test('a block that ended is stuck if its branches come another way, and nothing is done', async () => {
  const prepared = await journaledFile('parallel/another-way.wf');
  const first = await execute(prepared, [], { env: { MODE: 'plain' } });
  assert.equal(first.outcome?.status, 'completed');
  for (const [mode, said] of [
    ['more', /line 14, "Work: do more".*place 2/],
    ['longer', /line 17, "Work: do longer".*the end of the branch/],
    ['less', /the branch ended.*place 4/],
    ['reject', /ended differently/],
  ] as const) {
    const other = await execute(prepared, first.rows, { env: { MODE: mode } });
    assert.deepEqual([other.outcome?.status, other.done.size, other.rows.length], [undefined, 0, first.rows.length], mode);
    assert.match(other.stuck ?? '', said);
  }
});

test('an error and a time limit in one branch end the run; calls of all branches count towards the limit', async () => {
  const prepared = await journaledFile('parallel/failing-branch.wf');
  const first = await execute(prepared, [], { request: { zero: 0 } });
  assert.deepEqual([first.outcome?.error?.code, first.outcome?.error?.line], ['WF603', 14]);
  assert.ok(first.done.size < 5, 'the other branch was aborted');
  const again = await execute(prepared, first.rows, { request: { zero: 0 } });
  assert.deepEqual([again.outcome?.error?.code, again.done.size], ['WF603', 0]);
  const many = await execute(prepared, [], { request: { zero: 2 }, effects: 99_997 });
  assert.deepEqual([many.outcome?.error?.code, many.done.size], ['WF631', 3]);
  const endless = (): number => Number.POSITIVE_INFINITY;
  const late = await execute(prepared, [], { request: { zero: 2 }, options: { timeoutMs: 1 }, random: endless });
  assert.equal(late.outcome?.error?.code, 'WF690');
});

test('a branch that was asking the store when another one ended the run stops waiting', async () => {
  const going: (() => void)[] = [];
  const slowly =
    <T>(answer: T) =>
    (): Promise<T> =>
      new Promise((resolve) => going.push(() => resolve(answer)));
  const waits: unknown[] = [];
  const host = {
    wantMessage: slowly(undefined),
    openTask: slowly({ task: 't', run: 'run', question: 'q', url: 'u' }),
    showWaiting: (...shown: unknown[]) => void waits.push(shown),
  };
  for (const name of ['message-or-work', 'person-or-work']) {
    const prepared = await journaledFile(`parallel/${name}.wf`);
    const { outcome, rows } = await execute(prepared, [], { host });
    assert.deepEqual([outcome?.outputs, going.length], [{ who: 'other' }, 1]);
    const [before] = [rows.length];
    going.pop()?.();
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual([waits, rows.length], [[], before], `${name}: nothing is shown or written after the end`);
  }
});

test('a branch that was asking the store when its run left memory waits no longer', async () => {
  const going: (() => void)[] = [];
  let asked = 0;
  const host: Partial<JournalHost> = {
    wantMessage: () =>
      ++asked === 1 ? Promise.resolve(undefined) : new Promise((resolve) => going.push(() => resolve(undefined))),
  };
  const { outcome } = await execute(await journaledFile('parallel/message-and-work.wf'), [], { host, random: () => 0.9 });
  assert.deepEqual([outcome, going.length], [undefined, 1], 'it was released');
  // Older types of Node.js lack it.
  const { getActiveResourcesInfo } = process as unknown as { getActiveResourcesInfo: () => string[] };
  const timers = (): number => getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
  const before = timers();
  going.pop()?.();
  await new Promise((resolve) => setImmediate(resolve));
  assert.ok(timers() <= before);
});

test('a branch that only begins to wait while another one ends the run does not keep the run', async () => {
  let [asked, lookAgain] = [0, (): void => undefined];
  const host: Partial<JournalHost> = {
    // The result of the call is recorded, and its branch ends the run in this turn. That is recorded two turns later.
    flush: () => void setImmediate(() => lookAgain()),
    wantMessage: () =>
      new Promise((resolve) => {
        if (asked++ === 0) lookAgain = () => resolve(undefined);
      }),
  };
  const { outcome, rows } = await execute(await journaledFile('parallel/work-or-message.wf'), [], { host });
  assert.deepEqual([outcome?.outputs, asked], [{ who: 'other' }, 2]);
  assert.equal(rows.at(-1)?.part, 1, 'the end of the block is recorded');
});

test('random programs that are cut off after random records end with the same outputs', async () => {
  await fc.assert(
    fc.asyncProperty(fc.infiniteStream(fc.nat()), fc.nat(), async (choices, seed) => {
      const program = randomProgram(choices);
      const prepared = await journaled(program);
      const random = randomFrom(seed);
      const first = await execute(prepared, [], { random });
      assert.equal(first.outcome?.status, 'completed', `${program}\n${first.stuck ?? first.outcome?.message}`);
      for (let tries = 0; tries < 6; tries++) {
        const cut = Math.floor(random() * first.rows.length);
        const resumed = await execute(prepared, first.rows.slice(0, cut), { random });
        assert.deepEqual(resumed.outcome?.outputs, first.outcome?.outputs, `${program}\ncut at ${cut}: ${resumed.stuck}`);
        assertDoneOnce(first, cut, resumed);
      }
    }),
    { numRuns: 25 },
  );
});

/** Blocks and loops in each other; each variable has one place. Outputs are everything that was set outside of rounds. */
function randomProgram(choices: Iterable<number>): string {
  const source = choices[Symbol.iterator]();
  const choose = (below: number): number => source.next().value % below;
  let names = 0;
  const outputs: string[] = [];
  const statement = (depth: number, isRound: boolean, list: string | undefined): string[] => {
    const kind = depth > 2 ? choose(2) : choose(6);
    const name = `v${++names}`;
    if (kind === 0 || kind === 1) {
      if (!isRound) outputs.push(name);
      const add = list === undefined ? [] : [`add ${name}.n to ${list}`];
      return [`do ${name} using Work with n ${names}`, `    save the result as ${name}`, ...add];
    }
    if (kind === 2) return [`step S${names}:`, ...inner(statement(depth + 1, isRound, list)), `    log "${name}"`];
    if (kind === 3) {
      const branches = Array.from({ length: 2 + choose(2) }, (_, index) => [
        `step B${names++}:`,
        ...inner(statement(depth + 1, isRound, index === 0 ? list : undefined)),
      ]);
      return ['at the same time:', ...branches.flatMap(inner)];
    }
    const own = list ?? `l${names}`;
    if (list === undefined) outputs.push(...(isRound ? [] : [own]));
    const items = Array.from({ length: choose(5) + 1 }, (_, index) => index).join(', ');
    return [
      ...(list === undefined ? [`set ${own} to []`] : []),
      `for each i${names} in [${items}]${kind === 4 ? `, ${1 + choose(3)} at a time` : ''}:`,
      ...inner(statement(depth + 1, true, own)),
    ];
  };
  const inner = (lines: readonly string[]): string[] => lines.map((line) => `    ${line}`);
  const lines = [...statement(0, false, undefined), ...statement(0, false, undefined), ...statement(0, false, undefined)];
  return [...lines, `complete with ${outputs.map((name) => `${name} ${name}`).join(' and ') || 'ok true'}`].join('\n');
}

test('a time limit of the host counts work and not waits; that of the file counts both', async () => {
  const waiting = await journaledFile('parallel/waits-and-work.wf');
  const kept = await execute(waiting, [], { options: { timeoutMs: 1_000 } });
  assert.deepEqual([kept.outcome?.status, kept.done.size], ['completed', 3]);
  const busy = await execute(waiting, [], { options: { timeoutMs: 0.01 } });
  assert.equal(busy.outcome?.error?.code, 'WF690');
});

test('while a branch can continue from records, no other one does anything', async () => {
  const prepared = await journaledFile('parallel/late-branch.wf');
  const { rows } = await execute(prepared, [], { env: { MODE: 'plain' } });
  const cut = rows
    .filter(({ branch, kind, part }) => branch !== '0.0' && !(kind === entryKinds.fork && part === 1))
    .map((row, pos) => ({ ...row, pos }));
  const resumed = await execute(prepared, cut, { env: { MODE: 'plain' } });
  assert.deepEqual([resumed.outcome?.status, [...resumed.done.values()]], ['completed', ['late']]);
  const other = await execute(prepared, cut, { env: { MODE: 'other' } });
  assert.match(other.stuck ?? '', /"Work: do x"/);
  assert.equal(other.done.size, 0, 'the late branch waits until it is known that the run came the same way');
});
