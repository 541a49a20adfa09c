// The meaning of the first word of a call: its HTTP method, or its operation on a table or in a folder. The check, the plan, the run and
// docs/connectors.md share these tables.
import type { DatabaseWish, FolderTask, TableTask } from './connector-types.js';
import type { Method, ServiceKind } from './service-types.js';

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

/** Whether the first word of a call determines its method. */
const followsVerb: Readonly<Record<ServiceKind, boolean>> = {
  api: true,
  plugin: true,
  database: true,
  folder: true,
  webhook: false,
  ai: false,
  workflow: false,
  mail: false,
  person: false,
};

/** The method of a call, by its verb in any case. A webhook and an AI always use POST. */
export function methodOf(kind: ServiceKind, verb: string): Method {
  return followsVerb[kind] ? (methods.get(verb.toLowerCase()) ?? 'POST') : 'POST';
}

interface DatabaseForm {
  readonly does: TableTask['does'];
  readonly wish: DatabaseWish;
}

const databaseWords: readonly (readonly [DatabaseForm, readonly string[]])[] = [
  [{ does: 'select', wish: 'record' }, ['get', 'fetch', 'retrieve', 'read', 'look', 'load', 'check', 'pull']],
  [{ does: 'select', wish: 'rows' }, ['list', 'find', 'search', 'query']],
  [{ does: 'count', wish: 'number' }, ['count']],
  [{ does: 'insert', wish: 'record' }, ['create', 'add', 'insert', 'save', 'store']],
  [{ does: 'update', wish: 'number' }, ['update', 'modify', 'change', 'edit', 'replace', 'put', 'patch']],
  [{ does: 'delete', wish: 'number' }, ['delete', 'remove', 'cancel']],
];

const folderWordLists: readonly (readonly [FolderTask['does'], readonly string[]])[] = [
  ['read', ['get', 'fetch', 'retrieve', 'read', 'look', 'load', 'pull']],
  ['list', ['list', 'find', 'search']],
  ['write', ['save', 'write', 'create', 'store', 'put', 'replace', 'update', 'export']],
  ['append', ['add', 'append', 'insert']],
  ['delete', ['delete', 'remove']],
];

const byWord = <T>(lists: readonly (readonly [T, readonly string[]])[]): ReadonlyMap<string, T> =>
  new Map(lists.flatMap(([form, words]) => words.map((word) => [word, form] as const)));

/** First word of a call → its operation on a table. */
export const databaseForms = byWord(databaseWords);

/** First word of a call → its operation in a folder. */
export const folderForms = byWord(folderWordLists);

/** The form of the result of a call with its own SQL. Unknown words, such as `drop`, return whatever there is. */
export function statementWish(verb: string): DatabaseWish {
  const form = databaseForms.get(verb.toLowerCase());
  if (form === undefined) return 'whatever there is';
  return form.does === 'insert' ? 'whatever there is' : form.wish;
}

/** The file extensions that folders support. */
const fileEndings = ['csv', 'xlsx', 'json', 'txt'] as const;
export type FileEnding = (typeof fileEndings)[number];

/** The extension of a name in lower case, if folders support it. */
export function fileEnding(name: string): FileEnding | undefined {
  const ending = name.slice(name.lastIndexOf('.') + 1).toLowerCase();
  return name.includes('.') ? fileEndings.find((known) => known === ending) : undefined;
}
