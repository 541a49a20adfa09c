// The databases that tests run against, and a shorthand to perform tasks on them: always SQLite, and PostgreSQL and MySQL if configured.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Cancellation } from '../../runtime/run/cancellation.js';
import type { AttemptResult } from '../../runtime/services/attempt.js';
import type { DatabaseTask, TableTask } from '../../runtime/services/connector-types.js';
import type { PathPart, Value } from '../../runtime/types.js';
import { createConnectors } from '../../src/connectors/connectors.js';
import { postgresAddress } from './embedded-postgres.js';

export interface DatabaseUnderTest {
  readonly name: 'SQLite' | 'PostgreSQL' | 'MySQL';
  /** `undefined`: not configured, so its tests are skipped. */
  readonly address: string | undefined;
  /** An auto-incremented key. */
  readonly key: string;
  readonly quote: string;
}

export const testDatabases: readonly DatabaseUnderTest[] = [
  { name: 'SQLite', address: './shop.sqlite', key: 'integer primary key', quote: '"' },
  { name: 'PostgreSQL', address: await postgresAddress(), key: 'serial primary key', quote: '"' },
  { name: 'MySQL', address: process.env.WF_TEST_MYSQL, key: 'integer primary key auto_increment', quote: '`' },
];

/** Why the tests of a database are skipped, or `false`. */
export const skipOf = ({ name, address }: DatabaseUnderTest): string | false =>
  address === undefined &&
  `no ${name}: WF_TEST_${name === 'MySQL' ? 'MYSQL' : 'POSTGRES'} names none${name === 'PostgreSQL' ? ', and none could be started' : ''}`;

export interface DatabaseScene {
  readonly folder: string;
  /** `running`, with the values between the pieces of text. */
  run(statement: readonly PathPart[] | string, wish?: DatabaseTask['wish']): Promise<AttemptResult>;
  table(table: string | readonly PathPart[], task: Partial<TableTask> & Pick<TableTask, 'does'>): Promise<AttemptResult>;
  perform(task: Partial<DatabaseTask>, cancellation?: Cancellation): Promise<AttemptResult>;
}

const wishes = { select: 'rows', count: 'number', insert: 'record', update: 'number', delete: 'number' } as const;

/** A temporary folder and connections, closed at the end. */
export async function databaseScene(address: string, play: (scene: DatabaseScene) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), 'wf-database-'));
  const connectors = createConnectors();
  const perform: DatabaseScene['perform'] = (task, cancellation = new Cancellation()) =>
    // Defaults for what a task leaves out.
    connectors.perform({ kind: 'database', address, base: folder, timeoutMs: 30_000, ...task } as DatabaseTask, cancellation);
  try {
    await play({
      folder,
      perform,
      run: (statement, wish = 'whatever there is') =>
        perform({ does: 'run', wish, statement: typeof statement === 'string' ? [statement] : statement }),
      table: (table, task) =>
        perform({
          wish: wishes[task.does],
          values: [],
          where: [],
          ...task,
          table: typeof table === 'string' ? [table] : table,
        }),
    });
  } finally {
    await connectors.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A value as written in the file: `{request.name}`. */
export const namedValue = (name: string, given: Value): PathPart => ({ name, value: given });
