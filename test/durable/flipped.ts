// Flips bits of the files of a store, one at a time.
import assert from 'node:assert/strict';
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { half, isSlow } from '../root.js';
import { randomFrom } from './random-from.js';

/** Bits that are flipped in each file, one at a time. */
const FLIPS = Number(process.env.WF_TEST_FLIPS ?? (isSlow ? 100 : 8));

const SEED = Number(process.env.WF_TEST_SEED ?? 58);

/** Of more flips, all that are not noticed are listed. */
const MOST_AT_ONCE = 100;

/** What may be said instead of the truth. */
const REPORTED =
  /is damaged|newer wf|belongs to another program|encrypted with another key|is encrypted, and|written without a key|is empty|is missing|of the plugin|cannot be used/;

/** @throws an error that says nothing to its reader */
export function wordsOf(error: unknown): string {
  if (!(error instanceof Error) || error.name !== 'UsageError' || !REPORTED.test(error.message)) throw error;
  return error.message;
}

export const isReport = (answer: unknown): boolean => REPORTED.test(JSON.stringify(answer) ?? '');

/** The part of an answer that is the same whenever it is asked for. */
export const lasting = (answer: unknown): unknown =>
  JSON.parse(JSON.stringify(answer, (key, value) => (key === 'durationMs' ? undefined : value)) ?? 'null');

/** Flips that are tried at the same time: each spends most of its time waiting. */
const LANES = 6;

interface Flips {
  /** The folder that contains `runs`, in which copies are made. */
  readonly folder: string;
  /** Name of the file in `runs`. */
  readonly file: string;
  readonly isEncrypted: boolean;
  /** Bits that were not noticed once, in the layout that the store had then: byte and bit. */
  readonly seen?: readonly (readonly [number, number])[];
  /** Texts whose pages are left out: they have a hash of their own. */
  readonly hashed?: readonly string[];
}

/** The pages with anything but zeros and parts of these texts. */
function pagesBut(texts: readonly string[], content: Buffer): number[] {
  const whole = texts.join();
  const isOther = (page: number): boolean => {
    const middle = content.subarray(page * PAGE + PAGE / 2, page * PAGE + PAGE / 2 + 50);
    return !whole.includes(middle.toString());
  };
  return Array.from({ length: content.length / PAGE }, (_, page) => page).filter(isOther);
}

const PAGE = 4096;

/** @param look at the copy of a store in which one bit is flipped; returns whether that was noticed. @throws if it tells anything else than the truth */
export async function flipBits(
  { folder, file, isEncrypted, seen = [], hashed = [] }: Flips,
  look: (copy: string) => Promise<boolean>,
): Promise<void> {
  const random = randomFrom(SEED + (isEncrypted ? 1 : 0));
  const whole = readFileSync(path.join(folder, 'runs', file));
  const pages = pagesBut(hashed, whole);
  const anywhere = (): number => {
    for (;;) {
      const at = (pages[Math.floor(random() * pages.length)] ?? 0) * PAGE + Math.floor(random() * PAGE);
      // In the middle of nothing, there is nothing to change.
      if (whole.subarray(at - 8, at + 8).some((byte) => byte !== 0)) return at;
    }
  };
  const failed: string[] = [];
  let first: Error | undefined;
  let [begunFlips, noticed] = [0, 0];
  const flip = async (copy: string, number: number): Promise<void> => {
    const [at, bit] = seen[number] ?? [anywhere(), Math.floor(random() * 8)];
    if (half !== undefined && number >= seen.length && number % 2 !== half) return;
    rmSync(copy, { recursive: true, force: true });
    cpSync(path.join(folder, 'runs'), path.join(copy, 'runs'), { recursive: true });
    const name = path.join(copy, 'runs', file);
    const content = readFileSync(name);
    content[at] = (content[at] ?? 0) ^ (1 << bit);
    writeFileSync(name, content);
    try {
      if (await look(copy)) noticed++;
    } catch (error) {
      const where = `Bit ${bit} of byte ${at} (page ${Math.floor(at / 4096) + 1}, ${at % 4096}) of ${file}`;
      if (FLIPS > MOST_AT_ONCE) {
        console.error(where, error);
        failed.push(where);
        return;
      }
      // No lane goes on when the test is over: nobody would close its store.
      first ??= new Error(where, { cause: error });
      begunFlips = FLIPS;
    }
  };
  const lane = async (_: unknown, number: number): Promise<void> => {
    while (begunFlips < FLIPS) await flip(path.join(folder, `copy${number}`), begunFlips++);
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  if (first !== undefined) throw first;
  assert.deepEqual(failed, []);
  assert.ok(noticed > 0);
}
