// The parts of a path → the path as it is sent. Its own file, because here values of a request become part of an address: none may change
// which host or which level is called (security.md 12, 13).
import { badPathValue, type Failure } from '../call-errors.js';
import type { PathPart } from '../types.js';
import { show } from '../values.js';

export interface FilledPath {
  readonly ok: true;
  /** Percent-encoded, without `?`. */
  readonly path: string;
  /** What stands behind the `?`, encoded; may be empty. */
  readonly query: string;
}

/** One text as a part of an address. A half of a surrogate pair, which no encoding has, becomes the replacement character. */
export const encodeComponent = (text: string): string => encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\ufffd'));

/** Fills a path: every value is one segment of it, or behind the `?` one value of the query. A fragment is never sent. */
export function fillPath(parts: readonly PathPart[]): FilledPath | Failure {
  let path = '';
  let query: string | undefined;
  /** The values in the segment that is being put together. */
  let names: string[] = [];
  for (const part of parts) {
    if (typeof part !== 'string') {
      if (query !== undefined) {
        query += encodeComponent(show(part.value));
        continue;
      }
      const segment = segmentOf(part);
      if (typeof segment !== 'string') return segment;
      path += segment;
      names.push(part.name);
      continue;
    }
    const [text = '', fragment] = part.split('#', 2);
    const question = query === undefined ? text.indexOf('?') : -1;
    const inPath = query === undefined ? (question < 0 ? text : text.slice(0, question)) : '';
    for (const [index, piece] of inPath.split(/([/\\])/).entries()) {
      if (index % 2 === 1) {
        const wrong = levelChanged(path, names);
        if (wrong !== undefined) return wrong;
        names = [];
      }
      path += piece;
    }
    if (query !== undefined) query += text;
    else if (question >= 0) query = text.slice(question + 1);
    if (fragment !== undefined) break;
  }
  return levelChanged(path, names) ?? { ok: true, path, query: query ?? '' };
}

function segmentOf({ name, value }: Exclude<PathPart, string>): string | Failure {
  if (value === null || value === undefined || value === '')
    return badPathValue(name, 'is empty, and the path needs a value there');
  if (typeof value === 'object') {
    return badPathValue(name, `is a ${Array.isArray(value) ? 'list' : 'record'}, and the path needs a text or a number there`);
  }
  const text = show(value);
  if (text === '.' || text === '..') return badPathValue(name, `is "${text}", which would change the path itself`);
  return encodeComponent(text);
}

/** A segment that is `.` or `..` through its values, perhaps together with what stands around them: addresses resolve those. */
function levelChanged(path: string, names: readonly string[]): Failure | undefined {
  const segment = path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1).replace(/%2e/gi, '.');
  const [name] = names;
  return name !== undefined && (segment === '.' || segment === '..')
    ? badPathValue(name, `makes a part of the path "${segment}", which would change the path itself`)
    : undefined;
}
