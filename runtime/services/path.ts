// Fills in the path of a call. Values of a request become part of an address here, and none may change the host or the level of
// the path.
import type { PathPart } from '../types.js';
import { show } from '../values/values.js';
import { badPathValue, type Failure } from './call-errors.js';

export interface FilledPath {
  readonly ok: true;
  /** Percent-encoded, without `?`. */
  readonly path: string;
  /** The query after the `?`, encoded; may be empty. */
  readonly query: string;
}

/** Encodes text as part of an address. Half of a surrogate pair has no encoding and becomes the replacement character. */
export const encodeComponent = (text: string): string => encodeURIComponent(text.replace(/[\ud800-\udfff]/gu, '\ufffd'));

/** Fills in a path: every value becomes one segment or, after the `?`, one query value. A fragment is never sent. */
export function fillPath(parts: readonly PathPart[]): FilledPath | Failure {
  let path = '';
  let query: string | undefined;
  /** The values in the current segment. */
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
    return badPathValue(name, 'is empty, but the path needs a value there');
  if (typeof value === 'object') {
    return badPathValue(name, `is a ${Array.isArray(value) ? 'list' : 'record'}, but the path needs text or a number there`);
  }
  const text = show(value);
  if (/\p{Surrogate}/u.test(text))
    return badPathValue(name, 'contains half of a character (a lone surrogate), which no address can contain');
  if (text === '.' || text === '..') return badPathValue(name, `is "${text}", which would lead to a different path`);
  return encodeComponent(text);
}

/**
 * A segment that becomes `.` or `..` through its values, perhaps together with the text around them. Addresses resolve those.
 */
function levelChanged(path: string, names: readonly string[]): Failure | undefined {
  const segment = path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1).replace(/%2e/gi, '.');
  const [name] = names;
  return name !== undefined && (segment === '.' || segment === '..')
    ? badPathValue(name, `turns part of the path into "${segment}", which would lead to a different path`)
    : undefined;
}
