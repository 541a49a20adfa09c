// Reads the texts of a stored run. If one can't be decrypted, or isn't what wf wrote, this run is unreadable, but lists that contain it are
// not. Values named by `find by` are hashed, so that a whole value finds the run even if the store is encrypted.
import type { RunRow } from '../../model/run-rows.js';
import type { RunExtra } from '../../model/stored-run.js';
import type { VersionInfo } from '../../model/versions.js';
import type { Sealing } from './sealing.js';

type RowTexts = Pick<RunRow, 'waits' | 'request' | 'outcome' | 'extra' | 'isDamaged'>;

/** Stand for the texts of a run that can't be read. */
export const damagedTexts: RowTexts = { waits: null, request: '{}', outcome: null, extra: null, isDamaged: true };

/** @param open the text of a value, as it was before it was sealed */
export function textsOfRow<T>(
  { waits, request, outcome, extra }: Readonly<Partial<Record<'waits' | 'request' | 'outcome' | 'extra', T | null>>>,
  open: (value: T) => string,
): RowTexts {
  try {
    const texts = [waits, request, outcome].map((value) => (value === null || value === undefined ? null : open(value)));
    const [waiting = null, requested = null, ended = null] = texts;
    const others = extra === null || extra === undefined ? null : String(extra);
    for (const text of [...texts, others]) if (text !== null && !isRecordText(text)) return damagedTexts;
    return { waits: waiting, request: requested ?? '{}', outcome: ended, extra: others };
  } catch {
    return damagedTexts;
  }
}

/** Whether a text is a record as JSON. @throws if it is no JSON */
function isRecordText(text: string): boolean {
  const value: unknown = JSON.parse(text);
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Maximum values of a run, some of which may be items of lists. */
const MOST_FOUND_VALUES = 100;

type Hashing = Pick<Sealing, 'hash'>;

/** The hash of a value or of a search term, without spaces around it: a number and its text are found alike. */
export const foundHash = (term: string, { hash }: Hashing): string => hash(`found ${term.trim()}`).toString('hex');

/** Hashes of the values at these paths of a request; `undefined` without paths. @param request as JSON */
export function foundHashes(findBy: VersionInfo['findBy'], request: string, sealing: Hashing): string[] | undefined {
  if (findBy === undefined) return undefined;
  const fields: unknown = JSON.parse(request);
  const values = findBy.flatMap((path) => valuesAt(fields, path)).slice(0, MOST_FOUND_VALUES);
  return [...new Set(values.map((value) => foundHash(value, sealing)))];
}

/** Texts, numbers and truth values; of a list, those in it. */
function valuesAt(request: unknown, path: readonly string[]): string[] {
  let value = request;
  for (const field of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, field)) return [];
    value = Reflect.get(value, field);
  }
  return (Array.isArray(value) ? value : [value])
    .filter((one) => typeof one === 'string' || typeof one === 'number' || typeof one === 'boolean')
    .map((one) => String(one).trim())
    .filter((text) => text !== '');
}

/** @param extra the stored properties of a run, as JSON, with hashes of another store perhaps */
export function withFound(extra: string | null, found: readonly string[] | undefined): string | null {
  if (extra === null && found === undefined) return null;
  if (found === undefined && extra?.includes('"found"') !== true) return extra;
  const { found: _, ...rest } = JSON.parse(extra ?? '{}') as RunExtra; // written by a live run
  return JSON.stringify(found === undefined ? rest : { ...rest, found });
}
