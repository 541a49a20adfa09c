// Pages of a run in PostgreSQL: each reads the steps that were recorded since the last one, and shows everything that is stored, whatever
// has become of the journal meanwhile.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { type EntryRow, effectsIn, entryKinds } from '../../src/durable/model/entries.js';
import { calledRunHex, toRunHex } from '../../src/durable/model/run-ids.js';
import { type FoundRun, type StoredState, storedStates } from '../../src/durable/model/run-rows.js';
import type { StoredSite } from '../../src/durable/model/versions.js';
import type { StoreAccess } from '../../src/durable/store/port.js';
import { PostgresDatabase, readAddress, type SqlCall } from '../../src/durable/store/postgres/postgres-database.js';
import type { PostgresVersions } from '../../src/durable/store/postgres/postgres-versions.js';
import { PostgresReader } from '../../src/durable/store/postgres/run-reader.js';
import { prepareStore } from '../../src/durable/store/postgres/store-tables.js';
import { CalledLookup } from '../../src/durable/views/called-runs.js';
import { standIn } from '../stand-in.js';
import { until } from '../until.js';
import { begun, testStore } from './test-store.js';

interface Pages {
  readonly query: SqlCall;
  /** The journal as a page shows it, and how many steps were read for that. */
  readonly page: (run: string) => Promise<{ readonly rows: readonly EntryRow[]; readonly steps: number }>;
  /** What is stored, to one who has never read anything. */
  readonly stored: (run: string) => Promise<readonly EntryRow[]>;
}

async function pagesOf(t: TestContext, address: string): Promise<Pages> {
  const database = await PostgresDatabase.open(readAddress(address, {}, '/'), () => undefined);
  t.after(() => database.close());
  const sealing = await prepareStore(database, undefined);
  let steps = 0;
  const query: SqlCall = async (sql, ...values) => {
    const rows = await database.query(sql, ...values);
    steps += rows.filter((row) => 'output' in row).length;
    return rows;
  };
  const readerOf = (): PostgresReader =>
    new PostgresReader(standIn<PostgresDatabase>({ query }), {} as PostgresVersions, sealing);
  const reader = readerOf();
  const rowsBy = async (by: PostgresReader, run: string): Promise<readonly EntryRow[]> =>
    (await by.entries(0, 0, toRunHex(run) ?? '', 0)).rows;
  return {
    query,
    async page(run) {
      steps = 0;
      const rows = await rowsBy(reader, run);
      const read = steps;
      assert.equal(await reader.effectsOf({ id: toRunHex(run) ?? '' }), effectsIn(rows));
      return { rows, steps: read };
    },
    stored: (run) => rowsBy(readerOf(), run),
  };
}

test('a page reads what was recorded since the last one, also by another process', async (t) => {
  const { file, open, ledger, database = '' } = await testStore(t, 'PostgreSQL');
  if (database === '') return;
  const prepared = await file('single/twenty-calls-and-two-messages.wf');
  const first = await open();
  const { run, end } = await begun(first, prepared);
  assert.equal((await end).kind, 'paused');
  const { page, stored, query } = await pagesOf(t, database);
  const begin = await page(run);
  assert.ok(begin.steps >= 20, `${begin.steps} steps`);
  assert.deepEqual(begin.rows, await stored(run));
  assert.deepEqual(await page(run), { rows: begin.rows, steps: 1 }, 'one step, to compare');

  await t.test('another process executes the run', async () => {
    await first.close(10);
    const second = await open();
    await second.serve();
    await second.send({ name: 'go', body: {}, run });
    await until(async () => (await stored(run)).some(({ body }) => body?.includes('"name":"more"')));
    assert.equal(ledger.received.length, 21);
    const all = await stored(run);
    const { rows, steps } = await page(run);
    assert.deepEqual(rows, all);
    assert.ok(rows.length > begin.rows.length && steps < begin.steps, `${steps} steps`);
    await second.close(10);
  });

  await t.test('the run ends, and its last entries are in its row', async () => {
    const third = await open();
    await third.serve();
    const { run: other } = await begun(third, prepared);
    for (const name of ['go', 'more']) {
      await until(async () => (await stored(other)).some(({ body }) => body?.includes(`"name":"${name}"`)));
      await page(other);
      await third.send({ name, body: {}, run: other });
    }
    await until(async () => (await third.state(other))?.status === 'completed');
    assert.deepEqual((await page(other)).rows, await stored(other));
    await third.close(10);
  });

  await t.test('a leg does not count, and counts again', async () => {
    const before = await stored(run);
    const [row] = await query('SELECT legs FROM wf.runs WHERE id = $1', toRunHex(run));
    await query('UPDATE wf.runs SET legs = ARRAY[1] WHERE id = $1', toRunHex(run));
    const ofOneLeg = await stored(run);
    assert.ok(ofOneLeg.length < before.length);
    assert.deepEqual((await page(run)).rows, ofOneLeg);
    await query('UPDATE wf.runs SET legs = $2 WHERE id = $1', toRunHex(run), row?.legs);
    assert.deepEqual((await page(run)).rows, before);
  });

  const latest = `WHERE (workflow_uuid, function_id) = (SELECT workflow_uuid, function_id FROM dbos.operation_outputs
    WHERE workflow_uuid LIKE '${run}%' ORDER BY length(workflow_uuid) DESC, workflow_uuid DESC, function_id DESC LIMIT 1)`;

  await t.test('the end of the journal is lost', async () => {
    await query(`DELETE FROM dbos.operation_outputs ${latest}`);
    const { rows, steps } = await page(run);
    assert.deepEqual(rows, await stored(run));
    assert.ok(steps > 20, 'it is read again');
    assert.equal((await page(run)).steps, 1);
  });

  await t.test('another step is in its place', async () => {
    await query(`UPDATE dbos.operation_outputs SET output = '[[0,null,0,2,1,0,7,1,"{}"]]' ${latest}`);
    assert.deepEqual((await page(run)).rows, await stored(run));
  });
});

// Pages of a called run whose caller has not ended: each reads what has been recorded since the last one, and not the whole journal again.

const root = '0192a1b2c3d47000800000000000beef';
const called = calledRunHex(root, '0.0');

const call: StoredSite = { kind: 'call', site: 0, line: 12, title: 'Part: get part', service: 'Part', serviceKind: 'workflow' };
const inside: StoredSite = {
  kind: 'call',
  site: 1,
  line: 12,
  title: 'part.wf › Api: GET',
  service: 'Api',
  serviceKind: 'api',
  inside: { file: 'part.wf', line: 5, title: 'Api: GET' },
};
const begin = { called: { title: 'Part', version: 1, file: 'part.wf', trigger: 't', request: {}, attempt: 1, now: 0 } };

/** A store with one run, which calls another workflow. */
class Scene {
  readonly rows: EntryRow[] = [];
  state: StoredState = storedStates.waiting;
  /** Rows that were read from the store. */
  read = 0;
  readonly lookup: CalledLookup;

  constructor() {
    const store = {
      queue: { settled: async () => undefined },
      client: { reader: { list: async () => [this.#found()] } },
    };
    this.lookup = new CalledLookup({
      store: standIn<StoreAccess>(store),
      entries: async (_found, from) => {
        const rows = this.rows.filter(({ pos }) => pos >= from).map((row) => ({ ...row }));
        this.read += rows.length;
        return rows;
      },
      sites: async () =>
        new Map([
          [0, call],
          [1, inside],
        ]),
    });
    this.add({ branch: '', seq: 0, part: 0, kind: entryKinds.fork, site: 0 }, begin);
  }

  #found(): FoundRun {
    const row = { id: root, state: this.state, finished: null, extra: null, waits: null };
    const info = JSON.stringify({ title: 'Main', version: 1, trigger: 't', file: 'main.wf' });
    return standIn<FoundRun>({ row, workflow: 'main', hash: 'h', info });
  }

  add(row: Pick<EntryRow, 'branch' | 'seq' | 'part' | 'kind' | 'site'>, body: unknown): void {
    this.rows.push({ ...row, pos: this.rows.length, at: this.rows.length, ms: 0, body: JSON.stringify(body) });
  }

  addAnswers(count: number): void {
    for (let seq = 0; seq < count; seq++)
      this.add({ branch: '0.0', seq: this.rows.length, part: 2, kind: entryKinds.call, site: 1 }, { r: { ok: true } });
  }

  /** Rows of the called run, and how many rows were read for that. */
  async look(): Promise<{ readonly shown: number | undefined; readonly read: number; readonly state: StoredState | undefined }> {
    this.read = 0;
    const found = await this.lookup.find(called);
    return { shown: found?.called?.rows.length, read: this.read, state: found?.row.state };
  }
}

test('a page reads what was recorded since the last one, until the run has ended', async () => {
  const scene = new Scene();
  scene.addAnswers(1_000);
  assert.deepEqual(await scene.look(), { shown: 1_000, read: 1_001, state: storedStates.running });
  assert.deepEqual(await scene.look(), { shown: 1_000, read: 1, state: storedStates.running }, 'one row, to compare');
  scene.addAnswers(2);
  const both = await Promise.all([scene.lookup.find(called), scene.lookup.find(called)]);
  assert.deepEqual(
    both.map((found) => found?.called?.rows.map(({ pos }) => pos).slice(-2)),
    [
      [1_001, 1_002],
      [1_001, 1_002],
    ],
  );
  const ended = { begun: 1, called: { status: 'completed', outputs: {} } };
  scene.add({ branch: '', seq: 0, part: 1, kind: entryKinds.fork, site: 0 }, ended);
  assert.deepEqual(await scene.look(), { shown: 1_002, read: 2, state: storedStates.completed });
  scene.state = storedStates.completed;
  assert.equal((await scene.look()).read, 1);
  assert.equal((await scene.look()).read, 0);
});

test('a journal that is another one than before is read again', async () => {
  const scene = new Scene();
  scene.addAnswers(5);
  assert.equal((await scene.look()).shown, 5);
  scene.rows.splice(3);
  scene.addAnswers(1);
  assert.equal((await scene.look()).shown, 3);
});
