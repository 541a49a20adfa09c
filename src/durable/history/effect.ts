// Groups the entries of a run's journal into effects: a call with all its attempts, a wait, a question. Their values are loaded from the
// store on demand.
import type { JournalEntry } from '../journal-views.js';

export interface Effect {
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

/** The same, except for what happened inside a called workflow: the page of its run shows that. */
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
  effect.ok = entry.ok;
  effect.status = entry.status;
  effect.attempts = Math.max(effect.attempts, entry.attempt ?? 0);
  effect.error = entry.error ?? (entry.ok === true ? undefined : effect.error);
  effect.due = entry.finishedAt === undefined ? entry.due : undefined;
}

/** Whether an entry belongs to this effect: another attempt, the wait before it, the end of a wait, question or step. */
export function continues(effect: Effect, entry: JournalEntry): boolean {
  if (effect.line !== entry.line || effect.branch !== entry.branch) return false;
  // A call is open again from the wait before an attempt on, whether or not that is sent.
  const isLater = (entry.attempt ?? 0) > 1 || effect.finishedAt === undefined;
  if (effect.kind === 'call') return entry.kind === 'retry' || (entry.kind === 'call' && isLater);
  return effect.kind === entry.kind && effect.finishedAt === undefined && entry.finishedAt !== undefined;
}

const STEP_BEGINS = /: start$/;
