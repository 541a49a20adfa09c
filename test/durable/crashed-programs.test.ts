// Random programs that die at every barrier do what the evaluator says, like those that never die: same end, outputs, log and calls.
import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { refusedOf } from '../../runtime/run/durable-run.js';
import type { LogEntry, Outcome, WorkflowModule } from '../../runtime/types.js';
import type { JournalHost } from '../../src/durable/journal/journal-host.js';
import { RunJournal } from '../../src/durable/journal/run-journal.js';
import { RunRecords } from '../../src/durable/journal/run-records.js';
import { type EntryRow, entryKinds } from '../../src/durable/model/entries.js';
import type { StoreWrite } from '../../src/durable/model/run-rows.js';
import type { StoredSite } from '../../src/durable/model/versions.js';
import { toLog } from '../../src/durable/views/journal-entries.js';
import { loadEmitted } from '../compiler/load-emitted.js';
import { Answers, firstUnordered, numberOfCall } from '../compiler/programs/answers.js';
import { callsIn, partsOf } from '../compiler/programs/calls-in.js';
import { compileAnyway, UndeclaredField } from '../compiler/programs/compile-anyway.js';
import { evaluate } from '../compiler/programs/evaluate.js';
import { type Files, filesOf, programFile, showFiles } from '../compiler/programs/files.js';
import { Generator } from '../compiler/programs/generate.js';
import { envOfPrograms } from '../compiler/programs/print.js';
import { longTapes } from '../compiler/programs/property.js';
import { isCallOfPart, mockAnswer, seenCall, seenEntry, seenOutcome } from '../compiler/programs/run-program.js';
import { assertSeen, type Seen, startOfPrograms } from '../compiler/programs/seen.js';
import { Tape } from '../compiler/programs/tape.js';
import type { Program } from '../compiler/programs/tree.js';
import { runs, seed } from '../root.js';
import { fakeClock } from './fake-clock.js';

// A random program that runs with the journal of durable runs and dies at its barriers. Each life sees only what was on disk when the
// previous one died. Together they must produce what the evaluator says, without repeating a recorded call.

/** The disk of a run, which outlives its processes. */
interface Disk {
  rows: EntryRow[];
  readonly sites: Map<number, StoredSite>;
}

/** How one life of a run ends: at the barrier with this number, counted from 0, before or after what waits for it is on disk. */
interface Death {
  readonly barrier: number;
  readonly isWritten: boolean;
}

class Life implements JournalHost {
  readonly id = '0'.repeat(32);
  readonly n = 1;
  readonly startedAt = startOfPrograms.getTime();
  readonly #disk: Disk;
  readonly #death: Death | undefined;
  #pending: EntryRow[] = [];
  #barriers = 0;
  isDead = false;
  /** Resolves when the process has died. */
  readonly dead: Promise<'dead'>;
  #die: (dead: 'dead') => void = () => undefined;

  constructor(disk: Disk, death: Death | undefined) {
    this.#disk = disk;
    this.#death = death;
    this.dead = new Promise((resolve) => {
      this.#die = resolve;
    });
  }

  get barriers(): number {
    return this.#barriers;
  }

  write(write: StoreWrite): void {
    if (write[0] !== 'entry') return;
    const [, , pos, branch, seq, part, kind, site, at, ms, body] = write;
    this.#pending.push({ pos, branch: branch ?? '', seq, part, kind, site, at, ms, body });
  }

  durable(): Promise<void> {
    // Other branches of the same process die with it.
    if (this.isDead) return new Promise(() => undefined);
    const barrier = this.#barriers++;
    if (barrier !== this.#death?.barrier) {
      this.sync();
      return Promise.resolve();
    }
    if (this.#death.isWritten) this.sync();
    this.isDead = true;
    this.#die('dead');
    return new Promise(() => undefined);
  }

  lose(): void {}

  sync(): void {
    this.#disk.rows.push(...this.#pending.splice(0));
  }

  isSame = (recorded: number | null, site: { readonly site: number }): boolean => recorded === site.site;
  keyOf = (branch: string, seq: number): string => `${branch}#${seq}`;
  accept(): void {}
  flush(): void {}
  describe(site: StoredSite): void {
    this.#disk.sites.set(site.site, site);
  }
  siteText = (site: number | null): string => `place ${site}`;
  wantMessage = (): Promise<undefined> => Promise.resolve(undefined);
  messageDone(): void {}
  openTask = (): Promise<never> => Promise.reject(new Error('Programs ask nobody.'));
  answerOf = (): Promise<undefined> => Promise.resolve(undefined);
  taskDone(): void {}
  knocked = (): Promise<void> => new Promise(() => undefined);
  showWaiting(): void {}
}

/** Everything that the lives of a program have shown to the outside world. */
class Scene {
  readonly disk: Disk = { rows: [], sites: new Map() };
  readonly calls: unknown[] = [];
  readonly #program: Program;
  readonly #module: WorkflowModule;
  readonly #told = new Map<string, unknown>();
  /** Numbers of calls by their files and lines. */
  readonly #callAt: ReadonlyMap<string, number>;

  constructor(program: Program, module: WorkflowModule) {
    this.#program = program;
    this.#module = module;
    const workflows = [{ file: programFile, workflow: program }, ...partsOf(program)];
    this.#callAt = new Map(
      workflows.flatMap(({ file, workflow }) =>
        callsIn(workflow.body).map(({ line, number }) => [`${path.basename(file)}:${line.at}`, number]),
      ),
    );
  }

  /** @returns the outcome, unless the process dies first; and the barriers that it reached */
  async live(death?: Death): Promise<{ readonly outcome: Outcome | undefined; readonly barriers: number }> {
    const { request } = this.#program;
    const life = new Life(this.disk, death);
    const records = new RunRecords();
    // As the store returns them.
    for (const row of structuredClone(this.disk.rows)) records.add(row);
    // A service gives the same answer to the same request.
    const made = this.#recorded();
    const answers = new Answers(this.#program.answers, made);
    const told = new Map(made);
    const journal = new RunJournal(life, records);
    const dying = new AbortController();
    const running = this.#module.run(structuredClone(request), {
      signal: dying.signal,
      env: envOfPrograms,
      keepLog: false,
      durable: journal,
      mock: { answer: (call) => mockAnswer(answers.next(numberOfCall(call))) },
      onExchange: (exchange) => {
        if (life.isDead) return;
        const number = numberOfCall(exchange.call);
        const turn = told.get(number) ?? 0;
        told.set(number, turn + 1);
        this.#tell(`${number}, turn ${turn}`, number < firstUnordered, seenCall(exchange));
      },
    });
    const outcome = await Promise.race([running, life.dead]);
    if (outcome === 'dead') {
      // A process that dies takes its timers along.
      dying.abort();
      return { outcome: undefined, barriers: life.barriers };
    }
    journal.finish(outcome.error === undefined || !/^WF69[0-3]$/.test(outcome.error.code));
    life.sync();
    return { outcome, barriers: life.barriers };
  }

  /** How often each call has a recorded result, by its number. */
  #recorded(): Map<number, number> {
    const made = new Map<number, number>();
    for (const { kind, part, site } of this.disk.rows) {
      if (kind !== entryKinds.call || part === 0) continue;
      const place = this.disk.sites.get(site ?? Number.NaN);
      const { file, line } = place?.inside ?? { file: programFile, line: place?.line };
      const number = this.#callAt.get(`${file}:${line}`) ?? 0;
      made.set(number, (made.get(number) ?? 0) + 1);
    }
    return made;
  }

  #tell(turn: string, isOrdered: boolean, call: unknown): void {
    if (!isOrdered) {
      this.calls.push(call);
      return;
    }
    const before = this.#told.get(turn);
    if (before === undefined) this.calls.push(call);
    else assert.deepEqual(call, before, 'a call in doubt is sent as it was');
    this.#told.set(turn, call);
  }

  log(): LogEntry[] {
    return toLog(this.disk.rows, this.disk.sites, { root: '', branch: '' });
  }
}

interface Survived {
  /** Number of deaths. */
  readonly deaths: number;
  readonly status: Seen['status'];
}

/**
 * Lets the program die at each of its barriers in turn, and once at several in a row.
 * @returns `undefined` if the program was too big to run, or read an undeclared field
 */
async function survives(tape: readonly number[]): Promise<Survived | undefined> {
  const program = new Generator(new Tape(tape), { effects: 60 }).program();
  const files = await filesOf(program);
  const expected = evaluate(program);
  if (expected === undefined) return undefined;
  // The call of a workflow is none of a service: only what happens in it has records.
  const calls = expected.calls.filter((call) => !isCallOfPart(call));
  const module = await moduleOf(files);
  if (module === undefined) return undefined;
  let deaths = 0;
  const tried = async (lives: readonly Death[]): Promise<number> => {
    const scene = new Scene(program, module);
    let barriers = 0;
    try {
      for (const death of lives) {
        const { outcome } = await scene.live(death);
        if (outcome !== undefined) return 0;
        deaths++;
      }
      const last = await scene.live();
      barriers = last.barriers;
      assert.ok(last.outcome !== undefined);
      const actual = { ...seenOutcome(last.outcome), logs: scene.log().flatMap(seenEntry), calls: scene.calls };
      assertSeen(actual, { ...expected, calls }, lives.length);
    } catch (error) {
      const { message, stack } = error instanceof Error ? error : { message: String(error), stack: '' };
      throw new Error(
        `${message}\n${refusedOf(error)?.message ?? ''}\ndied: ${JSON.stringify(lives)}\n${showFiles(files)}\n${stack}`,
        {
          cause: error,
        },
      );
    }
    return barriers;
  };
  const barriers = await tried([]);
  for (let barrier = 0; barrier < Math.min(barriers, MOST_BARRIERS); barrier++) {
    for (const isWritten of [true, false]) await tried([{ barrier, isWritten }]);
  }
  // In sequence: each life gets one barrier further than the previous one.
  if (barriers > 1)
    await tried(Array.from({ length: Math.min(barriers, MOST_BARRIERS) }, () => ({ barrier: 1, isWritten: true })));
  return { deaths, status: expected.status };
}

async function moduleOf(files: Files): Promise<WorkflowModule | undefined> {
  try {
    return await loadEmitted(compileAnyway(files).emitted.code);
  } catch (error) {
    if (error instanceof UndeclaredField) return undefined;
    throw error;
  }
}

/** Barriers of a program at which it dies. */
const MOST_BARRIERS = 40;

test('programs that die at every barrier and the evaluator agree', async (t) => {
  // A wait advances `now`, which the evaluator doesn't model.
  fakeClock.freeze(startOfPrograms.getTime());
  t.after(() => {
    fakeClock.offset = 0;
  });
  let deaths = 0;
  await fc.assert(
    fc.asyncProperty(longTapes, async (tape) => {
      deaths += (await survives(tape))?.deaths ?? 0;
    }),
    { seed: seed(5), numRuns: runs(60) },
  );
  t.diagnostic(`${deaths} deaths`);
  assert.ok(deaths > runs(150), `${deaths} deaths`);
});
