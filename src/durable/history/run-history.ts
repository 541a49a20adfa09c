// Builds a history from pieces of a run's journal: what each line of the workflow did. An entry may arrive again with its end.
import type { JournalEntry, Retraced } from '../journal-views.js';
import { placeOfLog } from '../place-of-log.js';
import { continues, type Effect, effectOf, isOutside, mergeEntry } from './effect.js';

/** A round of a `for each` loop. */
export interface Round {
  /** Line of the loop. */
  readonly line: number;
  /** From 1. */
  readonly round: number;
}

/** What happened on one line. */
export interface LineHistory {
  readonly effects: Effect[];
  failures: number;
  /** Milliseconds since 1970. */
  firstAt: number;
  lastAt: number;
  /** Total of all its effects, in milliseconds; for a step, from its start to its end. */
  totalMs: number;
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

  /** What each line did. If rounds are chosen, only in those; effects outside the chosen loops always count. */
  byLine(rounds: readonly Round[] = [], now = Date.now()): Map<number, LineHistory> {
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
      // What a called workflow did is part of its call.
      const isOwn = effect.workflow === undefined;
      if (effect.ok === false && isOwn) line.failures++;
      line.firstAt = Math.min(line.firstAt, effect.startedAt);
      line.lastAt = Math.max(line.lastAt, end);
      line.totalMs += isOwn ? end - effect.startedAt : 0;
    }
    return lines;
  }

  /** Records the rounds that the effects belong to. */
  place({ rounds, logged }: Pick<Retraced, 'rounds' | 'logged'>): void {
    const logs = new Map<string, number>();
    for (const effect of this.effects) {
      if (isOutside(effect) || effect.kind === 'fork') effect.rounds ??= rounds.get(effect.position);
      if (effect.kind !== 'log' || effect.line === undefined) continue;
      const place = placeOfLog(effect.branch, effect.line);
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
