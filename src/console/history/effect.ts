// Entries of a run's journal → its effects: one call with all its attempts, one wait, one question. Their values stay in the store until
// somebody looks at them.
import type { JournalEntry } from '../../durable/durable-engine.js';

export interface Effect {
  /** Position of its first entry: its address. */
  readonly position: number;
  readonly kind: JournalEntry['kind'];
  readonly line: number | undefined;
  readonly branch: string;
  /** The rounds of loops that it belongs to, as far as they are known. */
  rounds: JournalEntry['rounds'];
  readonly service: string | undefined;
  readonly phrase: string | undefined;
  readonly method: string | undefined;
  readonly url: string | undefined;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  /** `undefined` while it is open. */
  finishedAt: number | undefined;
  ok: boolean | undefined;
  status: number | undefined;
  attempts: number;
  failedAttempts: number;
  /** Of the last attempt that failed. */
  error: string | undefined;
  /** ISO 8601: when the next attempt, or the end of the wait, is due. */
  due: string | undefined;
  /** Of `log`, `step`, `warning` and `resumed`. */
  readonly message: string | undefined;
  /** Position of the last entry that was counted. */
  counted: number;
}

/** Whether something outside was asked or waited for; the other entries only tell of the run itself. */
export const isOutside = ({ kind }: Pick<Effect, 'kind'>): boolean =>
  kind === 'call' || kind === 'wait' || kind === 'message' || kind === 'person';

export function effectOf(entry: JournalEntry): Effect {
  const effect: Effect = {
    position: entry.position,
    kind: entry.kind,
    line: entry.line,
    branch: entry.branch,
    rounds: entry.rounds,
    service: entry.service,
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

/** Takes in a further entry of the effect, or a later state of the one that was taken in last. */
export function mergeEntry(effect: Effect, entry: JournalEntry): void {
  if (entry.kind === 'retry') {
    effect.due = entry.finishedAt === undefined ? entry.due : undefined;
    effect.finishedAt = undefined;
    return;
  }
  const isNew = entry.position !== effect.counted || effect.finishedAt === undefined;
  if (isNew && entry.ok === false && entry.kind === 'call') effect.failedAttempts++;
  effect.counted = entry.position;
  // The beginning of a step is told as something that is over.
  const isOpen = entry.finishedAt === undefined || (entry.kind === 'step' && STEP_BEGINS.test(entry.message ?? ''));
  effect.finishedAt = isOpen || entry.finishedAt === undefined ? undefined : Date.parse(entry.finishedAt);
  effect.ok = entry.ok;
  effect.status = entry.status;
  effect.attempts = Math.max(effect.attempts, entry.attempt ?? 0);
  effect.error = entry.error ?? (entry.ok === true ? undefined : effect.error);
  effect.due = entry.finishedAt === undefined ? entry.due : undefined;
}

/** Whether an entry belongs to this effect: a further attempt, the wait before one, the end of a wait, a question or a step. */
export function continues(effect: Effect, entry: JournalEntry): boolean {
  if (effect.line !== entry.line || effect.branch !== entry.branch) return false;
  if (effect.kind === 'call') return entry.kind === 'retry' || (entry.kind === 'call' && (entry.attempt ?? 0) > 1);
  return effect.kind === entry.kind && effect.finishedAt === undefined && entry.finishedAt !== undefined;
}

const STEP_BEGINS = /: start$/;
