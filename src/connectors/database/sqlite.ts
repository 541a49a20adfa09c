// Runs a process for each SQLite file: see `sqlite-process.ts`.
import { type ChildProcess, fork } from 'node:child_process';
import path from 'node:path';
import { type Failure, noConnection } from '../../../runtime/services/call-errors.js';
import {
  constraintViolated,
  missingDriver,
  resultTooLarge,
  statementRefused,
  textWithNul,
  tooManyRows,
} from '../../../runtime/services/connector-errors.js';
import type { DatabaseTask } from '../../../runtime/services/connector-types.js';
import { distFolder } from '../../dist-folder.js';
import { missingPart } from '../../load-chunk.js';
import {
  causes,
  type DatabaseSession,
  Failed,
  hasFixedNames,
  leavesNothingBehind,
  OpenSession,
  oneTransaction,
  type Result,
  severalStatements,
} from './result.js';
import type { SqliteQuestion, SqliteReply } from './sqlite-process.js';
import { type Dialect, holdsSeveralStatements, sqlStatementOf } from './statement.js';

const dialect: Dialect = {
  quote: '"',
  longestName: 1_000,
  parameter: () => '?',
  returning: true,
  emptyRow: 'default values',
  comparesTexts: false,
  keepsNul: false,
};

/** The environment variables that a process needs. None is secret. */
const neededVariables = ['PATH', 'HOME', 'TMPDIR', 'SQLITE_TMPDIR', 'LANG', 'SystemRoot', 'TEMP'];

const program = 'sqlite-process.cjs';

/** @param file absolute path. A missing file is created, a missing folder is not */
export function openSqlite(file: string): DatabaseSession {
  const env = Object.fromEntries(
    neededVariables.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
  );
  const child = fork(path.join(distFolder, program), {
    env,
    execArgv: [],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  return new SqliteSession(child, file);
}

class SqliteSession extends OpenSession implements DatabaseSession {
  constructor(
    private readonly child: ChildProcess,
    private readonly file: string,
  ) {
    super();
    const lost = (): void => this.broke();
    child.on('exit', lost).on('error', lost);
    this.#mayEnd();
  }

  async perform(task: DatabaseTask, signal: AbortSignal): Promise<Result> {
    const statement = sqlStatementOf(task, dialect);
    if (!statement.ok) throw new Failed(statement);
    const { text, values } = statement;
    if (task.does === 'run') {
      if (holdsSeveralStatements(text)) throw new Failed(severalStatements(''));
      if (!leavesNothingBehind(text)) this.usable = false;
    }
    const reply = await this.#ask({ file: this.file, text, values }, signal);
    // Someone may install it meanwhile.
    if (reply.kind === 'no driver') this.usable = false;
    return resultOf(reply, hasFixedNames(task));
  }

  async close(): Promise<void> {
    this.usable = false;
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const gone = new Promise<void>((resolve) => this.child.once('exit', () => resolve()));
    this.child.ref();
    this.child.kill('SIGKILL');
    await gone;
  }

  #ask(question: SqliteQuestion, signal: AbortSignal): Promise<SqliteReply> {
    const { child } = this;
    return new Promise((resolve, reject) => {
      const settle = (end: () => void): void => {
        child.off('message', answered).off('exit', lost).off('error', lost);
        signal.removeEventListener('abort', stop);
        this.#mayEnd();
        end();
      };
      const answered = (reply: unknown): void => settle(() => resolve(reply as SqliteReply)); // only that process sends
      const lost = (): void =>
        settle(() => reject(missingPart(program) ?? new Failed(noConnection('the process that reads the database file ended'))));
      const stop = (): void => {
        void this.close();
      };
      child.on('message', answered).on('exit', lost).on('error', lost);
      signal.addEventListener('abort', stop, { once: true });
      child.ref();
      child.channel?.ref();
      child.send(question, (error) => {
        if (error !== null) lost();
      });
    });
  }

  /** An idle process doesn't keep wf running. */
  #mayEnd(): void {
    this.child.unref();
    this.child.channel?.unref();
  }
}

function resultOf(reply: SqliteReply, quotesNames: boolean): Result {
  switch (reply.kind) {
    case 'rows':
      return reply;
    case 'too many rows':
      throw new Failed(tooManyRows());
    case 'too large':
      throw new Failed(resultTooLarge());
    case 'cut':
      throw new Failed(textWithNul());
    case 'transaction':
      throw new Failed(oneTransaction());
    case 'refused':
      throw new Failed(sqliteFailure(reply.message, quotesNames));
    case 'no driver':
      throw new Failed(
        missingDriver('an SQLite file', '@photostructure/sqlite', reply.isMissing ? 'is not installed' : 'cannot be loaded here'),
      );
  }
}

const constraints: readonly (readonly [RegExp, string])[] = [
  [/^NOT NULL constraint/i, causes.notNull],
  [/^UNIQUE constraint/i, causes.unique],
  [/^FOREIGN KEY constraint/i, causes.foreignKey],
  [/^CHECK constraint/i, causes.check],
  [/constraint failed|cannot store \w+ value in/i, causes.otherConstraint],
];

const refusals: readonly (readonly [RegExp, string])[] = [
  [/^no such table/i, causes.noTable],
  [/no such column|has no column named/i, causes.noColumn],
  [/^datatype mismatch/i, causes.wrongType],
  [/syntax error|incomplete input|unrecognized token/i, causes.notSql],
];

/** @param quotesNames whether SQLite's own words may be shown; false if a value became a name in the statement */
function sqliteFailure(said: string, quotesNames: boolean): Failure {
  const constraint = constraints.find(([pattern]) => pattern.test(said));
  if (constraint !== undefined) return constraintViolated(constraint[1], said);
  if (/database (table )?is locked/i.test(said))
    return statementRefused('another program has locked the database file', { retryable: true, body: said });
  if (/unable to open/i.test(said))
    return noConnection('the database file cannot be opened: its folder is missing, or permission is denied', false);
  if (/not a database|malformed|encrypted/i.test(said))
    return noConnection('the file is damaged, or is not an SQLite database', false);
  if (/disk is full|disk I\/O error/i.test(said))
    return statementRefused('the disk is full or cannot be written', { body: said });
  if (/readonly/i.test(said)) return statementRefused('the database file cannot be written', { body: said });
  const known = refusals.find(([pattern]) => pattern.test(said))?.[1];
  const publicCause = known ?? 'the database refused the statement';
  // These are raised before SQLite looks at any value.
  return statementRefused(known !== undefined && quotesNames ? `${publicCause} (${said})` : publicCause, {
    publicCause,
    body: said,
  });
}
