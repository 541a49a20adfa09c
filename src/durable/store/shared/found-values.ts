// The values that `find by` names, as hashes beside the run: they find it again by a whole value, even if the store is encrypted.
import type { RunExtra } from '../../model/stored-run.js';
import type { VersionInfo } from '../../model/versions.js';
import type { Sealing } from './sealing.js';

/** Maximum values of a run, some of which may be items of lists. */
const MOST_VALUES = 100;

type Hashing = Pick<Sealing, 'hash'>;

/** The hash of a value or of a search term, without spaces around it: a number and its text are found alike. */
export const foundHash = (term: string, { hash }: Hashing): string => hash(`found ${term.trim()}`).toString('hex');

/** Hashes of the values at these paths of a request; `undefined` without paths. @param request as JSON */
export function foundHashes(findBy: VersionInfo['findBy'], request: string, sealing: Hashing): string[] | undefined {
  if (findBy === undefined) return undefined;
  const fields: unknown = JSON.parse(request);
  const values = findBy.flatMap((path) => valuesAt(fields, path)).slice(0, MOST_VALUES);
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
