// A store in a temporary folder, with workflows and a ledger: for tests of the engine inside the test process.
import assert from 'node:assert/strict';
import { cpSync } from 'node:fs';
import path from 'node:path';
import type { TestContext } from 'node:test';
import type { DurableEngine, Ended, OpenStoreOptions } from '../../src/durable/durable-engine.js';
import { openStore } from '../../src/durable/open-store.js';
import { prepare } from '../../src/engine/prepare/prepare.js';
import type { Prepared } from '../../src/engine/prepare/prepared.js';
import { root } from '../root.js';
import { endWithTest, temporaryFolder } from '../temporary-folder.js';
import { Ledger } from './ledger.js';
import { testDatabase } from './test-database.js';

export type StoreKind = 'folder' | 'PostgreSQL';

export const allStoreKinds: readonly StoreKind[] = ['folder', 'PostgreSQL'];

/** The kinds of stores that a test of the engine runs with. `npm test` runs most of them in a folder, and `.ci/run` those in a database as well. */
export const storeKinds: readonly StoreKind[] = process.env.WF_TEST_QUICK === '1' ? ['folder'] : allStoreKinds;

/** The store of tests that run with one kind: a folder, unless a server is named. */
const usualKind: StoreKind = process.env.WF_TEST_STORE ? 'PostgreSQL' : 'folder';

export interface TestStore {
  readonly folder: string;
  readonly ledger: Ledger;
  readonly env: Record<string, string>;
  /** Address of the database, unless the store is a folder. */
  readonly database?: string;
  /** Compiles a file of `test/durable/files`, next to the other files of its folder, unless that is `single`; `{env.LEDGER_URL}` is the ledger. */
  readonly file: (name: string) => Promise<Prepared>;
  readonly open: (options?: Partial<OpenStoreOptions>) => Promise<DurableEngine>;
}

/** @param isNew a database without the tables of a store */
export async function testStore(context: TestContext, kind: StoreKind = usualKind, isNew = false): Promise<TestStore> {
  const database = kind === 'folder' ? undefined : await testDatabase(isNew);
  if (kind !== 'folder' && database === undefined) context.skip('There is no PostgreSQL here.');
  const folder = temporaryFolder(context);
  const ledger = await Ledger.start();
  const env: Record<string, string> = { LEDGER_URL: ledger.address, HOME: folder, WF_CACHE: 'off' };
  const open: DurableEngine[] = [];
  endWithTest(context, async () => {
    for (const engine of open) await engine.close(0);
    await database?.drop();
    ledger.close();
  });
  const compiled = async (name: string): Promise<Prepared> => {
    const prepared = await prepare(name, { cwd: folder, env });
    assert.ok(prepared.ok, JSON.stringify(prepared));
    return prepared.prepared;
  };
  return {
    folder,
    ledger,
    env,
    ...(database === undefined ? {} : { database: database.address }),
    file(name) {
      const [source, base] = [path.join(root, 'test/durable/files', name), path.basename(name)];
      if (path.dirname(name) === 'single') cpSync(source, path.join(folder, base));
      else cpSync(path.dirname(source), folder, { recursive: true });
      return compiled(base);
    },
    async open(options = {}) {
      const engine = await openStore(database?.address ?? 'runs', { env, cwd: folder, ...options });
      open.push(engine);
      return engine;
    },
  };
}

/** Starts a run; returns its id and how it leaves the process. */
export async function begun(
  engine: DurableEngine,
  prepared: Prepared,
  request: { [key: string]: string | number } = {},
): Promise<{ readonly run: string; readonly end: Promise<Ended> }> {
  const started = await engine.start({ prepared, request, respondAsync: true });
  assert.equal(started.kind, 'started');
  return started;
}
