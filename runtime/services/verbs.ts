// The first word of a call determines the HTTP method. Calls, the dry run and docs/connectors.md share this table.
import type { ServiceKind } from './service-types.js';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** The words for each method. Any other word is a POST. */
export const verbs = {
  GET: ['get', 'fetch', 'retrieve', 'check', 'pull', 'list', 'find', 'search', 'read', 'look', 'load', 'query', 'count'],
  PUT: ['put', 'update', 'modify', 'change', 'edit', 'replace'],
  PATCH: ['patch'],
  DELETE: ['delete', 'remove', 'cancel'],
} as const;

const methods: ReadonlyMap<string, Method> = new Map(
  // Object.entries widens the keys to string; they are the methods above.
  (Object.entries(verbs) as [Method, readonly string[]][]).flatMap(([method, words]) =>
    words.map((word) => [word, method] as const),
  ),
);

/** The method of a call, by its verb in any case. A webhook and an AI always use POST. */
export function methodOf(kind: ServiceKind, verb: string): Method {
  if (kind === 'webhook' || kind === 'workflow' || kind === 'ai' || kind === 'mail' || kind === 'person') return 'POST';
  return methods.get(verb.toLowerCase()) ?? 'POST';
}
