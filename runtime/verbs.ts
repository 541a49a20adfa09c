// The verb table of language.md 6: the first word of a call decides what is sent. Its own file, because the dry run and the docs
// read it as well.
import type { ServiceKind } from './types.js';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** The words that stand for a method; every other word is a POST. */
export const verbs = {
  GET: ['get', 'fetch', 'retrieve', 'check', 'pull', 'list', 'find', 'search', 'read', 'look', 'load', 'query', 'count'],
  PUT: ['update', 'modify', 'change', 'edit', 'replace'],
  PATCH: ['patch'],
  DELETE: ['delete', 'remove', 'cancel'],
} as const;

const methods: ReadonlyMap<string, Method> = new Map(
  // Object.entries widens the keys to string; they are the methods above.
  (Object.entries(verbs) as [Method, readonly string[]][]).flatMap(([method, words]) =>
    words.map((word) => [word, method] as const),
  ),
);

/** The method of a call: by its verb, in any case; a webhook and an AI are always sent to with POST. */
export function methodOf(kind: ServiceKind, verb: string): Method {
  if (kind === 'webhook' || kind === 'ai') return 'POST';
  return methods.get(verb.toLowerCase()) ?? 'POST';
}
