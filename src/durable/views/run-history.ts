// Groups the entries of a journal into effects (a call with all its attempts, a wait, a question) and shows what each line of the workflow
// did.
import { givenUpBecause } from '../../../runtime/run/together.js';
import { isInside, logAddress } from '../model/addresses.js';
import type { JournalEntry, Retraced, RunState, WaitingFor } from '../model/run-views.js';

/** A round of a `for each` loop. */
export interface Round {
  /** Line of the loop. */
  readonly line: number;
  /** From 1. */
  readonly round: number;
}

/** The history of one line. */
export interface LineHistory {
  readonly effects: Effect[];
  failures: number;
  /** Milliseconds since 1970. */
  firstAt: number;
  lastAt: number;
  /** Total of all its effects, in milliseconds; for a step, from its start to its end. */
  totalMs: number;
}

export interface CallUnderWay {
  readonly line: number;
  readonly title: string;
  /** Milliseconds since 1970. */
  readonly since: number;
}

export class RunHistory {
  readonly effects: Effect[] = [];
  readonly #byPosition = new Map<number, Effect>();
  /** The last effect of each branch, and the last step of each line. */
  readonly #lastAt = new Map<string, Effect>();
  /** Positions of entries that were unfinished when read. */
  readonly open = new Set<number>();
  /** The first unread position. */
  next = 0;
  /** Whether the journal was read to its end. */
  isWhole = false;

  feed(entries: readonly JournalEntry[]): void {
    for (const entry of entries) {
      this.#add(entry);
      if (entry.finishedAt === undefined && mayBeOpen(entry)) this.open.add(entry.position);
      else this.open.delete(entry.position);
      this.next = Math.max(this.next, entry.position + 1);
    }
  }

  #add(entry: JournalEntry): void {
    const place = isOutside(entry) || entry.kind === 'retry' ? entry.branch : `${entry.kind} ${entry.line} ${entry.branch}`;
    const known = this.#byPosition.get(entry.position);
    const last = this.#lastAt.get(place);
    if (known !== undefined && known.kind === entry.kind && isOutside(entry)) {
      mergeEntry(known, entry);
    } else if (last !== undefined && continues(last, entry)) {
      this.open.delete(last.counted);
      mergeEntry(last, entry);
      this.#byPosition.set(entry.position, last);
    } else {
      const effect = effectOf(entry);
      this.effects.push(effect);
      this.#byPosition.set(entry.position, effect);
      // Earlier unfinished entries of this branch won't change any more.
      if (last !== undefined && isOutside(entry)) this.open.delete(last.counted);
      this.#lastAt.set(place, effect);
    }
  }

  /**
   * The history of each line. If rounds are chosen, only in those; effects outside the chosen loops always count.
   * @param begun when the run began. A rerun keeps earlier records, and a step of it may have begun before.
   */
  byLine(rounds: readonly Round[] = [], now = Date.now(), begun = 0): Map<number, LineHistory> {
    const lines = new Map<number, LineHistory>();
    for (const effect of this.effects) {
      if (effect.line === undefined || !isInRounds(effect, rounds)) continue;
      let line = lines.get(effect.line);
      if (line === undefined) {
        line = { effects: [], failures: 0, firstAt: effect.startedAt, lastAt: effect.startedAt, totalMs: 0 };
        lines.set(effect.line, line);
      }
      const end = effect.finishedAt ?? now;
      line.effects.push(effect);
      // The effects of a called workflow are part of its call.
      const isOwn = effect.workflow === undefined;
      if (effect.ok === false && isOwn) line.failures++;
      line.firstAt = Math.min(line.firstAt, effect.startedAt);
      line.lastAt = Math.max(line.lastAt, end);
      const from = effect.kind === 'step' && end > begun ? Math.max(effect.startedAt, begun) : effect.startedAt;
      line.totalMs += isOwn ? end - from : 0;
    }
    return lines;
  }

  /** The calls that a run is making, with the time since when, in milliseconds since 1970: a call begins when its branch has no record left. */
  callsUnderWay({ status, startedAt }: Pick<RunState, 'status' | 'startedAt'>, { next }: Pick<Retraced, 'next'>): CallUnderWay[] {
    if (status !== 'running') return [];
    return next.map(({ line, title, branch }) => ({ line, title, since: this.#lastOf(branch) ?? Date.parse(startedAt) }));
  }

  #lastOf(branch: string): number | undefined {
    let last: number | undefined;
    for (const { branch: other, finishedAt } of this.effects)
      if (finishedAt !== undefined && (other === '' || isInside(branch, other))) last = Math.max(last ?? finishedAt, finishedAt);
    return last;
  }

  /** Closes what was under way when the run ended, so that nothing of an ended run counts on or looks open. */
  closeAt(endedAt: number): void {
    for (const effect of this.effects) {
      if (effect.finishedAt !== undefined) continue;
      effect.finishedAt = endedAt;
      effect.due = undefined;
      effect.isCutOff = isOutside(effect);
    }
  }

  /** Records the rounds that the effects belong to. */
  place({ rounds, logged }: Pick<Retraced, 'rounds' | 'logged'>): void {
    const logs = new Map<string, number>();
    for (const effect of this.effects) {
      if (isOutside(effect) || effect.kind === 'fork') effect.rounds ??= rounds.get(effect.position);
      if (effect.kind !== 'log' || effect.line === undefined) continue;
      const place = logAddress(effect.branch, effect.line);
      const count = logs.get(place) ?? 0;
      logs.set(place, count + 1);
      effect.rounds ??= logged.get(place)?.[count];
    }
  }

  /** The effect that an entry belongs to. */
  at(position: number): Effect | undefined {
    return this.#byPosition.get(position);
  }
}

/** All others are recorded when they are over. */
const mayBeOpen = (entry: JournalEntry): boolean => isOutside(entry);

const isInRounds = (effect: Effect, rounds: readonly Round[]): boolean =>
  rounds.every(({ line, round }) => (effect.rounds ?? []).every(([loop, of]) => loop !== line || of === round));

/** Fields of entries that only the page of an effect and `--json` show. An effect has all others: `tsc` asks for a new one. */
export type OnItsPage = 'attempt' | 'site' | 'sent' | 'answer' | 'headers';

export interface Effect extends Record<Exclude<keyof JournalEntry, OnItsPage>, unknown> {
  /** Position of its first entry, which is its address. */
  readonly position: number;
  readonly kind: JournalEntry['kind'];
  readonly line: number | undefined;
  readonly branch: string;
  /** The rounds of the loops around it, as far as known. */
  rounds: JournalEntry['rounds'];
  readonly service: string | undefined;
  /** Inside a called workflow: its service, and the line in its file. */
  readonly workflow: string | undefined;
  readonly calledLine: number | undefined;
  /** The run of a called workflow. */
  readonly run: string | undefined;
  readonly phrase: string | undefined;
  readonly method: string | undefined;
  readonly url: string | undefined;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  /** `undefined` while it is in progress. */
  finishedAt: number | undefined;
  /** The end of the run, or of its branch, ended it: its result was never recorded. */
  isCutOff: boolean;
  ok: boolean | undefined;
  status: number | undefined;
  attempts: number;
  failedAttempts: number;
  /** Error of the last failed attempt. */
  error: string | undefined;
  /** ISO 8601: the next attempt, or the end of the wait. */
  due: string | undefined;
  /** The text of `log`, `step`, `warning` and `resumed`. */
  readonly message: string | undefined;
  /** Position of the last entry counted. */
  counted: number;
}

/** Whether the run called or waited for something outside. All other entries concern only the run itself. */
export const isOutside = ({ kind }: Pick<Effect, 'kind'>): boolean =>
  kind === 'call' || kind === 'workflow' || kind === 'wait' || kind === 'message' || kind === 'person';

/** Whether the page of a run shows it. The effects of a called workflow are on the page of its own run. */
export const isShown = (effect: Pick<Effect, 'kind' | 'workflow'>): boolean => isOutside(effect) && effect.workflow === undefined;

export function effectOf(entry: JournalEntry): Effect {
  const effect: Effect = {
    position: entry.position,
    kind: entry.kind,
    line: entry.line,
    branch: entry.branch,
    rounds: entry.rounds,
    service: entry.service,
    workflow: entry.workflow,
    calledLine: entry.calledLine,
    run: entry.run,
    phrase: entry.phrase,
    method: entry.method,
    url: entry.url,
    startedAt: Date.parse(entry.startedAt),
    finishedAt: undefined,
    isCutOff: false,
    ok: undefined,
    status: undefined,
    attempts: 0,
    failedAttempts: 0,
    error: undefined,
    due: undefined,
    message: entry.message,
    counted: -1,
  };
  mergeEntry(effect, entry);
  return effect;
}

/** Adds another entry of the effect, or a later state of the last one. */
export function mergeEntry(effect: Effect, entry: JournalEntry): void {
  if (entry.kind === 'retry') {
    effect.due = entry.finishedAt === undefined ? entry.due : undefined;
    effect.finishedAt = undefined;
    return;
  }
  const isNew = entry.position !== effect.counted || effect.finishedAt === undefined;
  if (isNew && entry.ok === false && entry.kind === 'call') effect.failedAttempts++;
  effect.counted = entry.position;
  // The start of a step is recorded when it is over.
  const isOpen = entry.finishedAt === undefined || (entry.kind === 'step' && STEP_BEGINS.test(entry.message ?? ''));
  effect.finishedAt = isOpen || entry.finishedAt === undefined ? undefined : Date.parse(entry.finishedAt);
  effect.isCutOff = GIVEN_UP.has(entry.error ?? '');
  effect.ok = effect.isCutOff ? undefined : entry.ok;
  effect.status = entry.status;
  effect.attempts = Math.max(effect.attempts, entry.attempt ?? 0);
  effect.error = entry.error ?? (entry.ok === true ? undefined : effect.error);
  effect.due = entry.finishedAt === undefined ? entry.due : undefined;
}

/** What the runtime records of a call that it gave up because its branch was over: no service failed. */
const GIVEN_UP: ReadonlySet<string> = new Set(Object.values(givenUpBecause));

/** Whether an entry belongs to this effect: another attempt, the wait before it, the end of a wait, question or step. */
export function continues(effect: Effect, entry: JournalEntry): boolean {
  if (effect.line !== entry.line || effect.branch !== entry.branch) return false;
  // A call is open again from the wait before an attempt on, whether or not that is sent.
  const isLater = (entry.attempt ?? 0) > 1 || effect.finishedAt === undefined;
  if (effect.kind === 'call') return entry.kind === 'retry' || (entry.kind === 'call' && isLater);
  return effect.kind === entry.kind && effect.finishedAt === undefined && entry.finishedAt !== undefined;
}

const STEP_BEGINS = /: start$/;

const WAITS = { wait: 'time', message: 'message', person: 'person', call: 'retry' } as const;

const isWait = (kind: JournalEntry['kind']): kind is keyof typeof WAITS => Object.hasOwn(WAITS, kind);

/** Finds the wait of each branch of an unfinished run, and its line. */
export function openWaits({ waitingFor }: Pick<RunState, 'waitingFor'>, effects: readonly Effect[]): WaitingFor[] {
  const waits = effects.flatMap((effect): WaitingFor[] => {
    const { kind, line, due, service, phrase, finishedAt, startedAt } = effect;
    if (finishedAt !== undefined || !isWait(kind) || (kind === 'call' && due === undefined)) return [];
    if (waitingFor?.line === line && waitingFor?.kind === WAITS[kind]) return [waitingFor];
    const name = phrase ?? service;
    return [
      {
        kind: WAITS[kind],
        ...(kind === 'call' ? {} : { since: new Date(startedAt).toISOString() }),
        ...(due === undefined ? {} : { until: due }),
        ...(kind === 'message' && name !== undefined ? { name } : {}),
        ...(service === undefined ? {} : { service }),
        ...(line === undefined ? {} : { line }),
      },
    ];
  });
  if (waits.length > 0 || waitingFor === undefined) return waits;
  return [waitingFor];
}
