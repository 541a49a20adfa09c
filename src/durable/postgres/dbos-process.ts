// DBOS in this process. It can be launched once for a process, so all stores that are open here share it; a second database is refused.
import { AsyncResource } from 'node:async_hooks';
import { UsageError } from '../../engine/usage-error.js';
import type { StepOutput } from './journal-steps.js';
import type { Dbos } from './load-dbos.js';
import type { PostgresDatabase } from './postgres-database.js';

/** A stay of a run in this process, as a workflow of DBOS that is being executed. */
export interface Leg {
  /** Records a step. @throws what `legProblem` knows */
  step(name: string, output: StepOutput): Promise<void>;
  /** The run leaves the process. */
  end(): void;
}

interface OpenLeg {
  readonly inside: (work: () => Promise<unknown>) => Promise<unknown>;
  readonly end: () => void;
}

/** What waits for DBOS to begin a leg, by its id. */
const beginning = new Map<string, (leg: OpenLeg) => void>();

/** The function that DBOS executes: it only keeps the leg open, so that steps can be recorded in it. */
function keepLegOpen(id: string): Promise<void> {
  const begun = beginning.get(id);
  beginning.delete(id);
  if (begun === undefined) return Promise.resolve();
  return new Promise((resolve) => {
    // Steps belong to the leg only if they begin in its asynchronous context.
    begun({ inside: AsyncResource.bind((work: () => Promise<unknown>) => work()), end: resolve });
  });
}

const silent = (): void => undefined;

/** DBOS reports what wf handles itself. */
const logger = { info: silent, debug: silent, warn: silent, error: silent };

/** Outputs and arguments as plain JSON, which every program can read. */
const serializer = {
  name: (): string => 'wf_json',
  stringify: (value: unknown): string => JSON.stringify(value ?? null),
  parse: (text: string | null | undefined): unknown => (text === null || text === undefined ? null : JSON.parse(text)),
};

/** Milliseconds for ends of legs to be recorded. */
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

/** The one process-wide launch, and the address that it is for. */
let launched: { readonly url: string } | undefined;

export class DbosProcess {
  readonly #DBOS: Dbos;
  readonly #run: Registered;

  private constructor(DBOS: Dbos) {
    this.#DBOS = DBOS;
    this.#run = register(DBOS);
  }

  /**
   * @param process the id of this process among all that use the store
   * @param migrates whether tables of DBOS may be created and changed; needs a lock around it
   * @throws UsageError if DBOS is launched for another database, or its tables are older than it
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
        ...{ name: 'wf', systemDatabaseUrl: url, systemDatabasePool: database.pool, systemDatabaseSchemaName: 'dbos' },
        // Any version of wf continues any run: the run brings its own module.
        ...{ applicationVersion: 'wf', executorID: process, runMigrations: migrates },
        ...{ useListenNotify: false, listenQueues: [], logger, serializer, enableOTLP: false },
      });
      await DBOS.launch();
      return own;
    } catch (error) {
      await DBOS.shutdown().catch(silent);
      launched = undefined;
      throw error;
    }
  }

  /** Begins a leg; `undefined` if there is one with this id. */
  async begin(id: string): Promise<Leg | undefined> {
    let open: OpenLeg | undefined;
    beginning.set(id, (leg) => {
      open = leg;
    });
    try {
      const handle = await this.#DBOS.startWorkflow(this.#run, { workflowID: id })(id);
      for (let turn = 0; open === undefined && turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve));
      if (open === undefined) return undefined;
      // Its end is of interest to nobody: what a run has come to stands in the tables of wf.
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

  /** From now on, nothing more can be recorded in these legs. */
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

/** `lost`: a step was refused because its run belongs to another process. Known by name: there may be several copies of DBOS. */
export const legProblem = (error: unknown): 'lost' | 'other' =>
  error instanceof Error && lost.test(error.constructor.name) ? 'lost' : 'other';
