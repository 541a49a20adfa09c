// The tasks that the runtime gives a host for databases, mail servers and folders: a task, which is plain data, and its result. Also names
// these kinds of services, and shows their calls in messages.
import type { Cancellation } from '../run/cancellation.js';
import type { PathPart, Value } from '../values/value-types.js';
import { show } from '../values/values.js';
import type { AttemptResult } from './attempt.js';
import { badPathValue, type Failure } from './call-errors.js';
import type { ConnectorKind, ServiceKind } from './service-types.js';

export type TaskPairs = readonly (readonly [key: string, value: Value])[];

/** The form of a database call's result. */
export type DatabaseWish = 'record' | 'rows' | 'number' | 'whatever there is';

interface TaskBase {
  /** The service's address with variables filled in. It may contain a password, so never show it. */
  readonly address: string;
  /** Absolute path of the folder that relative paths start from: the workflow's. */
  readonly base: string;
  /** Time limit of the attempt in milliseconds. The caller stops waiting without help. */
  readonly timeoutMs: number;
}

/** A call that names a table: `at "customers" with … where …`. */
export interface TableTask extends TaskBase {
  readonly kind: 'database';
  readonly does: 'select' | 'count' | 'insert' | 'update' | 'delete';
  readonly wish: DatabaseWish;
  /** The text after `at`: a dot in literal text separates schema and table; a value is always a single name. */
  readonly table: readonly PathPart[];
  /** Columns to set, for `insert` and `update`. */
  readonly values: TaskPairs;
  /** Conditions that must all hold. `empty` means `is null`; a list means any of its items. */
  readonly where: TaskPairs;
}

/** A call with its own SQL: `running "…"`. */
export interface StatementTask extends TaskBase {
  readonly kind: 'database';
  readonly does: 'run';
  readonly wish: DatabaseWish;
  /** Literal SQL, with bound values in between. */
  readonly statement: readonly PathPart[];
}

export type DatabaseTask = TableTask | StatementTask;

export interface MailTask extends TaskBase {
  readonly kind: 'mail';
  /** `from`, filled in. */
  readonly from: string;
  /** Without angle brackets. The same for each attempt of a call. */
  readonly messageId: string;
  /** Milliseconds since 1970. The same for each attempt. */
  readonly date: number;
  readonly parameters: TaskPairs;
}

export interface FolderTask extends TaskBase {
  readonly kind: 'folder';
  readonly does: 'read' | 'write' | 'append' | 'delete' | 'list';
  /** The text after `at`; absent without `at`. */
  readonly path?: readonly PathPart[];
  readonly parameters: TaskPairs;
}

export type ConnectorTask = DatabaseTask | MailTask | FolderTask;

/** The host's part: `RunOptions.connectors`. The first task that needs a driver loads it. */
export interface Connectors {
  /**
   * Performs a task once. Never rejects because of the other system. A task that fails has done nothing, as far as the other
   * system can tell. `cancellation` ends it there, too.
   */
  perform(task: ConnectorTask, cancellation: Cancellation): Promise<AttemptResult>;
}

/** For use in a sentence. */
export const connectedKinds: Readonly<Record<ConnectorKind, string>> = {
  database: 'a database',
  mail: 'a mail server',
  folder: 'a folder',
};

/** Whether a kind of service is reached through a connector. */
export const isConnected = (kind: ServiceKind): kind is ConnectorKind => Object.hasOwn(connectedKinds, kind);

/** The text after `at` with its values unencoded, for mock answers and tests. */
export function plainPath(parts: readonly PathPart[]): string | Failure {
  let path = '';
  for (const part of parts) {
    const text = typeof part === 'string' ? part : show(part.value);
    if (text === '' && typeof part !== 'string') return badPathValue(part.name, 'is empty, but the call needs a value there');
    path += text;
  }
  return path;
}
