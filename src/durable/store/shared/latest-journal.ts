// Caches the journal that was read last, for its next page. A journal only grows, so that page reads what has been recorded since.
import { isDeepStrictEqual } from 'node:util';
import { inTurn } from '../../../engine/waits.js';

/** Milliseconds after which the journal is dropped from memory. */
const KEPT_MS = 60_000;

/** Reads a journal in pieces: rows, or steps with several rows. */
interface JournalSource<Piece, Made> {
  /** Its run has ended, so nothing follows what is read now. */
  readonly isOver?: boolean;
  /** The pieces from this one on, or all of them. */
  readonly read: (from: Piece | undefined) => Promise<Piece[]>;
  /** Adds the next pieces to what was made of the earlier ones, of which there may be none. */
  readonly extend: (made: Made | undefined, pieces: readonly Piece[]) => Made | Promise<Made>;
}

export class LatestJournal<Piece, Made> {
  #latest: { readonly id: string; readonly journal: ReadJournal<Piece, Made> } | undefined;
  #forgetting: ReturnType<typeof setTimeout> | undefined;

  /** The result of reading the whole journal of a run. One run after the other is asked for, as an export does, and one is read page by page. */
  of(id: string, source: JournalSource<Piece, Made>): Promise<Made> {
    clearTimeout(this.#forgetting);
    this.#forgetting = setTimeout(() => {
      this.#latest = undefined;
    }, KEPT_MS);
    this.#forgetting.unref();
    if (this.#latest?.id !== id) this.#latest = { id, journal: new ReadJournal() };
    return this.#latest.journal.next(source);
  }
}

interface Known<Piece, Made> {
  readonly made: Made;
  readonly last: Piece | undefined;
  readonly isOver: boolean;
}

class ReadJournal<Piece, Made> {
  readonly #reading = inTurn();
  #known: Known<Piece, Made> | undefined;

  next(source: JournalSource<Piece, Made>): Promise<Made> {
    return this.#reading(async () => {
      if (this.#known?.isOver === true) return this.#known.made;
      const pieces = await source.read(this.#known?.last);
      const known = this.#continues(pieces) ? this.#known : undefined;
      const next = known === this.#known ? pieces.slice(known?.last === undefined ? 0 : 1) : await source.read(undefined);
      // If this fails, some of the pieces may have been added.
      this.#known = undefined;
      const made = await source.extend(known?.made, next);
      this.#known = { made, last: next.at(-1) ?? known?.last, isOver: source.isOver === true };
      return made;
    });
  }

  /** Whether these pieces begin with the last one known. Another store may have been restored in place of this one, for example. */
  #continues([first]: readonly Piece[]): boolean {
    return this.#known?.last === undefined || isDeepStrictEqual(first, this.#known.last);
  }
}
