// Launches DBOS, which can happen only once per process: all stores open here share it, and a second database is refused.
import { AsyncResource } from 'node:async_hooks';
import { createRequire } from 'node:module';
import path from 'node:path';
import { distFolder } from '../../../dist-folder.js';
import { faultCode } from '../../../engine/files/file-fault.js';
import { UsageError } from '../../../engine/usage-error.js';
import type { StepOutput } from './journal-steps.js';
import type { PostgresDatabase } from './postgres-database.js';

/** A stay of a run in this process: an executing DBOS workflow. */
export interface Leg {
  /** Records a step. @throws errors that `legProblem` recognizes */
  step(name: string, output: StepOutput): Promise<void>;
  /** The run leaves the process. */
  end(): void;
}

interface OpenLeg {
  readonly inside: (work: () => Promise<unknown>) => Promise<unknown>;
  readonly end: () => void;
}

/** Legs waiting for DBOS to start them, by id. */
const beginning = new Map<string, (leg: OpenLeg) => void>();

/** The function that DBOS executes. It only keeps the leg open, so that steps can be recorded in it. */
function keepLegOpen(id: string): Promise<void> {
  const begun = beginning.get(id);
  beginning.delete(id);
  if (begun === undefined) return Promise.resolve();
  return new Promise((resolve) => {
    // Steps belong to the leg only if they start in its asynchronous context.
    begun({ inside: AsyncResource.bind((work: () => Promise<unknown>) => work()), end: resolve });
  });
}

const silent = (): void => undefined;

/** DBOS logs what wf handles itself. */
const logger = { info: silent, debug: silent, warn: silent, error: silent };

/** Outputs and arguments as plain JSON, readable for every program. */
const serializer = {
  name: (): string => 'wf_json',
  stringify: (value: unknown): string => JSON.stringify(value ?? null),
  parse: (text: string | null | undefined): unknown => (text === null || text === undefined ? null : JSON.parse(text)),
};

/** Milliseconds for the ends of legs to be recorded. */
const DRAIN_MS = 2_000;

type Registered = (id: string) => Promise<void>;

const registered = new WeakMap<object, Registered>();

function register(DBOS: Dbos): Registered {
  let known = registered.get(DBOS);
  if (known === undefined) {
    known = DBOS.registerWorkflow(keepLegOpen, { name: 'wf run' });
    registered.set(DBOS, known);
  }
  return known;
}

/** The process-wide launch, and its address. */
let launched: { readonly url: string } | undefined;

export class DbosProcess {
  readonly #DBOS: Dbos;
  readonly #run: Registered;

  private constructor(DBOS: Dbos) {
    this.#DBOS = DBOS;
    this.#run = register(DBOS);
  }

  /**
   * @param process id of this process among all that use the store
   * @param migrates whether to create and change tables of DBOS; requires a lock around it
   * @throws UsageError if DBOS is launched for another database, or its tables are too old
   */
  static async launch(
    DBOS: Dbos,
    database: PostgresDatabase,
    url: string,
    process: string,
    migrates: boolean,
  ): Promise<DbosProcess> {
    if (launched !== undefined) throw new UsageError('One process can use only one store on PostgreSQL at a time.');
    launched = { url };
    try {
      const own = new DbosProcess(DBOS);
      DBOS.setConfig({
        name: 'wf',
        systemDatabaseUrl: url,
        systemDatabasePool: database.pool,
        systemDatabaseSchemaName: 'dbos',
        // Any version of wf continues any run, because the run brings its own module.
        applicationVersion: 'wf',
        executorID: process,
        runMigrations: migrates,
        useListenNotify: false,
        listenQueues: [],
        logger,
        serializer,
        enableOTLP: false,
      });
      await DBOS.launch();
      return own;
    } catch (error) {
      await DBOS.shutdown().catch(silent);
      launched = undefined;
      throw error;
    }
  }

  /** Starts a leg; `undefined` if this id is taken. */
  async begin(id: string): Promise<Leg | undefined> {
    let open: OpenLeg | undefined;
    beginning.set(id, (leg) => {
      open = leg;
    });
    try {
      const handle = await this.#DBOS.startWorkflow(this.#run, { workflowID: id })(id);
      for (let turn = 0; open === undefined && turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve));
      if (open === undefined) return undefined;
      // Its end is irrelevant: wf's own tables contain the result of a run.
      handle.getResult().catch(silent);
    } finally {
      beginning.delete(id);
    }
    const { inside, end } = open as OpenLeg; // set by the callback, which the compiler can't see
    return {
      end,
      step: async (name, output) => void (await inside(() => this.#DBOS.runStep(async () => output, { name }))),
    };
  }

  /** Cancels these legs: nothing can be recorded in them any more. */
  async cancel(ids: readonly string[]): Promise<void> {
    if (ids.length > 0) await this.#DBOS.cancelWorkflows([...ids]);
  }

  async remove(ids: readonly string[]): Promise<void> {
    if (ids.length > 0) await this.#DBOS.deleteWorkflows([...ids]);
  }

  async close(): Promise<void> {
    await this.#DBOS.shutdown({ workflowCompletionTimeoutMS: DRAIN_MS }).catch(silent);
    launched = undefined;
  }
}

const lost = /^DBOS(?:WorkflowConflict|WorkflowCancelled|StepNondeterminism|UnexpectedStep)Error$/;

/**
 * `lost`: a step was refused because its run belongs to another process. Recognized by name, because there may be several copies of DBOS.
 */
export const legProblem = (error: unknown): 'lost' | 'other' =>
  error instanceof Error && lost.test(error.constructor.name) ? 'lost' : 'other';

/** The package that executes runs on PostgreSQL. Loaded only for such a store, from wf's installation or from the project. */
type Dbos = typeof import('@dbos-inc/dbos-sdk').DBOS;

const PACKAGE = '@dbos-inc/dbos-sdk';

/** Maximum seconds between attempts of DBOS to reconnect. By default, it may wait for a minute after the database is back. */
const BACKOFF = { initialBackoffSec: 0.1, maxBackoffSec: 1 };

/** @throws UsageError if the package is not installed */
export async function loadDbos(cwd: string): Promise<Dbos> {
  for (const from of [path.join(distFolder, 'wf.cjs'), path.join(cwd, 'wf.cjs')]) {
    const require = createRequire(from);
    try {
      const { DBOS } = require(PACKAGE) as typeof import('@dbos-inc/dbos-sdk');
      setBackoff(require);
      return DBOS;
    } catch (error) {
      if (faultCode(error) !== 'MODULE_NOT_FOUND') throw error;
    }
  }
  throw new UsageError(
    `A store on PostgreSQL needs the package ${PACKAGE}, which is not installed.`,
    `Install it beside wf: npm install ${PACKAGE}`,
  );
}

function setBackoff(require: NodeJS.Require): void {
  try {
    const { dbRetryConfig } = require(`${PACKAGE}/internal/utils`) as { dbRetryConfig?: object };
    if (dbRetryConfig !== undefined) Object.assign(dbRetryConfig, BACKOFF);
  } catch {
    // Another version stores it elsewhere, so runs merely continue a little later after an outage.
  }
}
