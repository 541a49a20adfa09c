// Describes what each line did in a run, or in many: whether it ran, how countNote, and which branch was taken.
import { isLoop } from '../../compiler/2-parse/walk.js';
import type { LineHistory } from '../../durable/views/run-history.js';
import { isOutside } from '../../durable/views/run-history.js';
import { durationWords } from '../html/moment.js';
import type { Outline, OutlineLine } from './text-view.js';

export interface LineFacts {
  /** `idle`: no run reached it. `aside`: a line that can't run, such as a comment. */
  readonly state: 'ran' | 'idle' | 'aside';
  /** The note beside the line; empty if the state says everything. */
  readonly note: string;
  /** A branch taken at least once is highlighted. */
  readonly isTaken?: true;
}

/** Number of runs that reached each line, by line number. */
export type Reached = (line: number) => number;

const ASIDE: LineFacts = { state: 'aside', note: '' };
const IDLE: LineFacts = { state: 'idle', note: '' };

/** @param history what happened at the line, for a single run */
export function lineFacts(outline: Outline, line: number, reached: Reached, history?: LineHistory): LineFacts {
  const known = outline.get(line);
  if (known === undefined) return ASIDE;
  const owner = outline.get(known.owner) ?? known;
  // The head of a branch counts as reached if the branch was taken.
  const count = reached(owner.kind === undefined ? (owner.inner ?? owner.line) : owner.line);
  const hasEffects = history !== undefined && history.effects.length > 0;
  if (count === 0 && !hasEffects)
    return known.kind === undefined && known.inner !== undefined && wasPassed(outline, known, reached)
      ? { state: 'idle', note: 'not taken' }
      : IDLE;
  if (known.owner !== line) return { state: 'ran', note: '' };
  const taken = known.inner === undefined ? 0 : reached(known.inner);
  if (known.kind !== undefined && isLoop(known.kind))
    return { state: 'ran', note: joined(countNote(count), counted(taken, 'round'), durationNote(history)) };
  if (known.kind === undefined) return { state: 'ran', note: joined('taken', countNote(count)), isTaken: true };
  if (known.kind === 'if') return { state: 'ran', note: branchNote(taken, count), ...(taken > 0 ? { isTaken: true } : {}) };
  return { state: 'ran', note: joined(countNote(Math.max(count, 1)), durationNote(history)) };
}

/** Whether the statement that a branch belongs to ran. If so, the branch was not taken; if not, its condition was never tested. */
function wasPassed(outline: Outline, head: OutlineLine, reached: Reached): boolean {
  for (let line = head.line - 1; line > 0; line--) {
    const before = outline.get(line);
    if (before !== undefined && before.kind !== undefined && before.depth <= head.depth) return reached(line) > 0;
  }
  return false;
}

function branchNote(taken: number, count: number): string {
  if (taken === 0) return count === 1 ? 'not taken' : `not taken, ${count}×`;
  if (taken === count) return count === 1 ? 'taken' : `taken, ${count}×`;
  return `taken ${taken} of ${count}×`;
}

const countNote = (count: number): string => (count > 1 ? `${count}×` : '');

/** The duration of a `log` is negligible. */
const durationNote = (history: LineHistory | undefined): string =>
  history?.effects.some(
    (effect) => isOutside(effect) || effect.kind === 'step' || (effect.kind === 'fork' && history.totalMs > 0),
  ) === true
    ? durationWords(history.totalMs)
    : '';

const joined = (...parts: readonly string[]): string => parts.filter((part) => part !== '').join(' · ');

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;
