// `wf test --generate`: writes cases for every way through a workflow and for both sides of each boundary. Each is run first, and kept if it
// reaches something that no case before it does. People review them: they say what happens, not what should.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { mocksFromJson } from '../../runtime/services/given-mocks.js';
import type { Value, WfRecord } from '../../runtime/types.js';
import { isRecord } from '../../runtime/values/record.js';
import { type Candidate, candidates, isOnWay } from '../analysis/candidates.js';
import { hintsOf } from '../analysis/variations.js';
import { EXAMPLE_DAY } from '../analysis/witness.js';
import type { Comparator, Expression } from '../compiler/2-parse/tree.js';
import { expressionsOf, operandsOf, statementsIn } from '../compiler/2-parse/walk.js';
import type { Checked } from '../compiler/compile.js';
import type { Span } from '../compiler/diagnostics/diagnostic.js';
import type { Prepared } from '../engine/prepare/prepared.js';
import { exampleRecord } from '../input/example-value.js';
import { runCase } from './compare-outcome.js';
import { type CoveredPreparation, prepareWithCoverage } from './coverage.js';
import { type Explored, explore, missedBranches, type NewWay, ReachedPlaces, type RunBefore, reachOf } from './explore.js';
import { MarginReader, sidesOf } from './margins.js';
import { caseFileOf, readCases } from './read-cases.js';
import type { TestCase } from './test-case.js';
import type { TestSession } from './test-session.js';
import { madeCalls, repeatedWaits, type Trial, type Tried, tryOut, usedAnswers, usedMessages } from './trial.js';

/** A trial, and what happened. */
interface Kept {
  readonly trial: Trial;
  /** The boundary that it stands at: `total = 100`. */
  readonly label: string | undefined;
  readonly tried: Tried;
}

/** Changes of one value to try. */
const MOST_VARIATIONS = 3_000;

/** Returns the number of cases that were added; `undefined` if the file has errors. */
export async function generateCases(session: TestSession, file: string): Promise<number | undefined> {
  const { cwd } = session;
  const full = path.resolve(cwd, file);
  const preparation = await prepareWithCoverage(file, { cwd, trace: true });
  if (!preparation.ok) {
    session.report(preparation.diagnostics);
    session.notRun(file);
    return undefined;
  }
  const { checked } = preparation;
  const existing = readCases(file, cwd)?.cases ?? [];
  const written = writtenCases(full);
  // Earlier generated cases come again, and are left out at the end: the search is the same each time.
  const ofPeople = existing.filter((_, index) => written[index]?.generated !== true);
  const search = new Search(session, preparation);
  await search.passOver(ofPeople);
  for (const candidate of candidates(checked, exampleRecord(checked.facts.inputs ?? [], 'typical')))
    await search.run(candidate, candidate);
  const hints = hintsOf([checked]);
  const run = (trial: Trial): ReturnType<typeof search.run> => search.run(trial);
  await explore(search.bases, hints, { most: MOST_VARIATIONS, run });
  const further = new Map<Trial, NewWay>();
  for (const trial of missedBranches(preparation, search.runs)) {
    const way = (await search.run(trial))?.way;
    if (way !== undefined) further.set(trial, way);
  }
  await explore(further, hints, { most: MOST_VARIATIONS / 3, run });
  await search.keepForSlips(checked, file, ofPeople);
  const known = new Set(written.map(({ input = {}, env = {}, mocks = {}, messages = {} }) => keyOf(input, env, mocks, messages)));
  const kept = search.kept.filter(({ trial: { request, env, mocks, messages }, tried }) => {
    const key = keyOf(request, { ...env }, usedAnswers(mocks, tried), usedMessages(messages, tried));
    return !known.has(key) && known.add(key);
  });
  if (kept.length > 0)
    append(
      path.resolve(cwd, caseFileOf(file)),
      kept,
      existing.map(({ name }) => name),
      checked.text,
    );
  return kept.length;
}

/** Trials so far, and those that are worth keeping. */
class Search {
  readonly kept: Kept[] = [];
  readonly bases = new Map<Trial, NewWay>();
  /** One for each way. */
  readonly runs: RunBefore[] = [];
  readonly #session: TestSession;
  readonly #prepared: Prepared;
  readonly #lines: readonly number[];
  readonly #news = new News();
  readonly #seen = new Set<string>();
  readonly #ways = new Set<string>();
  readonly #further = new ReachedPlaces();
  readonly #tried: Kept[] = [];

  readonly #margins: MarginReader;

  constructor(session: TestSession, { checked, prepared, reachable }: Extract<CoveredPreparation, { ok: true }>) {
    this.#margins = new MarginReader(checked, reachable);
    this.#session = session;
    this.#prepared = prepared;
    this.#lines = reachable.map(({ line }) => line);
  }

  /** Lines that the cases of people reach are not new. */
  async passOver(existing: readonly TestCase[]): Promise<void> {
    for (const one of existing) {
      const reached = new Set<number>();
      const onReach = (index: number): void => void reached.add(index);
      const { record } = await runCase(this.#session.engine, this.#prepared, one, { onReach });
      this.#news.add(reached, ending(record.outcome.status, record.outcome.message));
    }
  }

  /** Tells what a trial has shown, if it is another one. */
  async run(trial: Trial, aim?: Candidate): Promise<Explored | undefined> {
    const key = keyOf(trial.request, trial.mocks, trial.messages);
    if (this.#session.signal.aborted || this.#seen.has(key) || !mocksFromJson(trial.mocks).ok) return undefined;
    this.#seen.add(key);
    const watch = this.#margins.watch(trial.request);
    const tried = await tryOut(this.#session.engine, this.#prepared, trial, watch);
    if (tried.isRefused) return undefined;
    const { margins, answers } = watch;
    const lines = new Set([...tried.reached].map((index) => this.#lines[index]));
    const { status } = tried.outcome;
    // It may show something new all the same.
    const met = aim !== undefined && isOnWay(aim, { status, lines, answers }, this.#margins.lines) ? aim : undefined;
    const way = `${[...tried.reached].join()} ${sidesOf(margins)}`;
    const isNew = !this.#ways.has(way);
    this.#ways.add(way);
    const kept = { trial, label: met?.label, tried };
    this.#tried.push(kept);
    if (this.#news.isNew(aim, met, tried)) this.kept.push(kept);
    if (!isNew) return { margins, way: undefined };
    const found = {
      calls: madeCalls(tried),
      waits: repeatedWaits(tried),
      margins,
      isFurther: this.#further.add(tried.reached),
      isNear: false,
      reach: reachOf(tried),
    };
    this.runs.push({ trial, reached: tried.reached });
    if (aim !== undefined) this.bases.set(trial, found);
    return { margins, way: found };
  }

  /** Keeps a case for each slip that none shows so far. */
  async keepForSlips(checked: Checked, file: string, existing: readonly TestCase[]): Promise<void> {
    const { cwd, engine } = this.#session;
    const slips = evenly([...slipsOf(checked)], MOST_SLIPS);
    for (const { line, text } of slips) {
      const onLine = this.#tried.filter(({ tried }) => [...tried.reached].some((index) => this.#lines[index] === line));
      // To compile it takes longer than to run it a hundred times.
      const changed =
        onLine.length === 0 ? undefined : await prepareWithCoverage(file, { cwd, trace: false, source: Buffer.from(text) });
      if (changed?.ok !== true) continue;
      const shows = async ({ trial, tried }: Kept): Promise<boolean> =>
        shownOf(tried) !== shownOf(await tryOut(engine, changed.prepared, trial));
      const mine = onLine.filter((one) => this.kept.includes(one));
      const others = evenly(
        onLine.filter((one) => !this.kept.includes(one)),
        MOST_TRIALS_OF_SLIP,
      );
      if (await anyOf(existing, async (one) => (await runCase(engine, changed.prepared, one)).differences.length > 0)) continue;
      if (await anyOf(mine, shows)) continue;
      await anyOf(others, async (one) => {
        const isShown = await shows(one);
        if (isShown) this.kept.push(one);
        return isShown;
      });
    }
  }
}

/** A file has more than people would read cases for. */
const MOST_SLIPS = 60;
const MOST_TRIALS_OF_SLIP = 60;

const evenly = <T>(items: readonly T[], most: number): readonly T[] =>
  items.length <= most
    ? items
    : Array.from({ length: most }, (_, index) => items[Math.floor((index * items.length) / most)] as T); // within its length

async function anyOf<T>(items: readonly T[], test: (item: T) => Promise<boolean>): Promise<boolean> {
  for (const item of items) if (await test(item)) return true;
  return false;
}

/** The expectations of a case. */
const shownOf = ({ outcome: { status, outputs, message, error }, calls }: Tried): string =>
  JSON.stringify([status, outputs, status === 'error' ? error?.line : message, calls]);

const ending = (status: string, message: string | undefined): string => `${status} ${message ?? ''}`;

/** Lines and branches that the cases so far have reached. */
class News {
  readonly #reached = new ReachedPlaces();
  readonly #ends = new Set<string>();
  readonly #tags = new Set<string>();

  add(reached: ReadonlySet<number>, end: string): boolean {
    const isFurther = this.#reached.add(reached);
    const isNewEnd = !this.#ends.has(end);
    this.#ends.add(end);
    return isFurther || isNewEnd;
  }

  /**
   * Whether a run reached something new: a line, a branch, an end, or a boundary on the way that it was made for.
   * @param met its aim, if it took that way
   */
  isNew(aim: Candidate | undefined, met: Candidate | undefined, { outcome, reached }: Tried): boolean {
    const message = outcome.status === 'rejected' ? outcome.message?.replaceAll(/\d+/g, '#') : String(outcome.error?.line ?? '');
    if (aim === undefined)
      return this.add(reached, outcome.status === 'rejected' ? outcome.status : ending(outcome.status, message));
    const isNew = this.add(reached, ending(outcome.status, message));
    if (met?.tag === undefined || this.#tags.has(`${met.tag} ${outcome.status}`)) return isNew;
    this.#tags.add(`${met.tag} ${outcome.status}`);
    return true;
  }
}

/** Tells two cases apart. */
const keyOf = (...parts: readonly Value[]): string => JSON.stringify(parts);

/** The cases in the file, as written. */
function writtenCases(full: string): WfRecord[] {
  const file = full.replace(/\.wf$/, '.test.json');
  if (!existsSync(file)) return [];
  const read: unknown = JSON.parse(readFileSync(file, 'utf8'));
  return Array.isArray(read) ? read : ((read as { cases?: WfRecord[] }).cases ?? []); // `readCases` has accepted it
}

function append(file: string, kept: readonly Kept[], taken: readonly string[], text: string): void {
  const names = new Set(taken);
  const made = kept.map((one) => caseOf(one, names, text));
  const shown = made.map((one) => JSON.stringify(one, undefined, 2).replaceAll('\n', '\n  '));
  if (!existsSync(file)) {
    writeFileSync(file, `[\n  ${shown.join(',\n  ')}\n]\n`);
    return;
  }
  // The cases of people stay as they are, to the last space.
  const before = readFileSync(file, 'utf8');
  const end = before.lastIndexOf(']');
  const head = before.slice(0, end).trimEnd();
  const tail = before.slice(end);
  writeFileSync(
    file,
    `${head}${head.endsWith('[') ? '' : ','}\n  ${shown.join(',\n  ')}\n${tail.endsWith('\n') ? tail : `${tail}\n`}`,
  );
}

function caseOf({ trial, label, tried }: Kept, names: Set<string>, text: string): WfRecord {
  const { request, env } = trial;
  const { outcome, calls } = tried;
  const [mocks, messages] = [usedAnswers(trial.mocks, tried), usedMessages(trial.messages, tried)];
  const { status, message, outputs } = outcome;
  return {
    name: nameOf(label ?? failureIn(mocks), tried, names),
    generated: true,
    input: request,
    ...(Object.keys(env).length === 0 ? {} : { env: { ...env } }),
    ...(/\b(?:today|now)\b/.test(text) ? { at: EXAMPLE_DAY } : {}),
    ...(Object.keys(mocks).length === 0 ? {} : { mocks }),
    ...(Object.keys(messages).length === 0 ? {} : { messages }),
    expect: {
      status,
      ...(outputs === undefined || status !== 'completed' ? {} : { outputs }),
      ...(message === undefined ? {} : { message }),
      calls: calls.map(({ service, phrase, method, path: at, parameters, where, body, instruction, addressee }) => ({
        service: service ?? null,
        phrase: phrase ?? null,
        ...defined({ method, path: at, parameters, where, body, instruction, addressee }),
      })),
    },
  };
}

const defined = (values: Readonly<Record<string, Value | undefined>>): WfRecord =>
  Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => (value === undefined || isNothing(value) ? [] : [[name, value]])),
  );

const isNothing = (value: Value): boolean => typeof value === 'object' && value !== null && Object.keys(value).length === 0;

function nameOf(detail: string | undefined, { outcome }: Tried, names: Set<string>): string {
  const { status, message, outputs = {} } = outcome;
  const [result] = Object.entries(outputs);
  const shown = result === undefined || typeof result[1] === 'object' ? '' : `: ${result[0]} ${String(result[1])}`;
  const what = status === 'completed' ? `completed${shown}` : `${status}: ${message ?? ''}`;
  const own = detail?.replace(/^request\./, '');
  const isClear = own !== undefined && own.length <= LONGEST_DETAIL && !/[\n"{(*]/.test(own);
  // The error of a call names its service.
  const isSaid = own === undefined || what.includes(own) || (status === 'error' && / (answers|gives) /.test(own));
  const where = !isClear || isSaid ? '' : `, ${own}`;
  const cut = what.length > 80 ? `${what.slice(0, 79)}…` : what;
  const base = `${where === '' ? cut : cut.replace(/\.$/, '')}${where}`.replaceAll(/\s+/g, ' ');
  let name = base;
  for (let count = 2; names.has(name); count++) name = `${base} (${count})`;
  names.add(name);
  return name;
}

/** Characters of what tells a case from another. */
const LONGEST_DETAIL = 60;

/** `Stock answers 503` for the first call that fails. */
function failureIn(mocks: WfRecord): string | undefined {
  for (const [service, answers] of Object.entries(mocks))
    for (const answer of answers !== undefined && isRecord(answers) ? Object.values(answers) : []) {
      if (answer === undefined || !isRecord(answer)) continue;
      if (typeof answer.error === 'string') return `${service} gives no answer`;
      if (typeof answer.status === 'number' && answer.status >= 300) return `${service} answers ${answer.status}`;
    }
  return undefined;
}

// Small mistakes that people make when they change a workflow, as changes of its text: a boundary beside the right one, `or` for `and`, a zero
// too many, a line that is forgotten. Cases that notice none of them say little.

interface Slip {
  /** 1-based, of the statement. */
  readonly line: number;
  readonly text: string;
}

const beside: Readonly<Record<Comparator, Comparator>> = {
  is: 'is not',
  'is not': 'is',
  'is above': 'is at least',
  'is at least': 'is above',
  'is below': 'is at most',
  'is at most': 'is below',
  'is before': 'is on or before',
  'is on or before': 'is before',
  'is after': 'is on or after',
  'is on or after': 'is after',
  'is one of': 'is not one of',
  'is not one of': 'is one of',
  contains: 'starts with',
  'does not contain': 'contains',
  'starts with': 'contains',
  'ends with': 'contains',
  'is like': 'is not',
};

const FORGOTTEN: ReadonlySet<string> = new Set(['skip', 'stop', 'set', 'add']);

/** Texts with one slip each. Some of them may have errors. */
function* slipsOf({ text, workflow }: Checked): Iterable<Slip> {
  const changed = ({ start, end }: Span, by: string): string => text.slice(0, start) + by + text.slice(end);
  for (const statement of statementsIn(workflow.body)) {
    const { line, kind, span } = statement;
    if (FORGOTTEN.has(kind)) yield { line, text: changed(span, 'log ""') };
    for (const [place, by] of new Map(expressionsOf(statement).flatMap(({ expression }) => [...slipsIn(expression)])))
      yield { line, text: changed(place, by) };
  }
}

function* slipsIn(expression: Expression): Iterable<readonly [Span, string]> {
  switch (expression.kind) {
    case 'comparison': {
      const { left, right, comparator } = expression;
      yield [{ start: left.span.end, end: right.span.start }, ` ${beside[comparator]} `];
      break;
    }
    case 'logic':
      for (const [index, operand] of expression.operands.entries()) {
        const next = expression.operands[index + 1];
        const other = expression.operator === 'and' ? ' or ' : ' and ';
        if (next !== undefined) yield [{ start: operand.span.end, end: next.span.start }, other];
      }
      break;
    case 'not':
      yield [{ start: expression.span.start, end: expression.operand.span.start }, ''];
      break;
    case 'number':
      yield [expression.span, String(expression.value === 0 ? 1 : expression.value * 10)];
      break;
    default:
  }
  for (const { expression: inner } of operandsOf(expression)) yield* slipsIn(inner);
}
