// Pages of a called run whose caller has not ended: each reads what has been recorded since the last one, and not the whole journal again.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type EntryRow, entryKinds } from '../../src/durable/model/entries.js';
import { calledRunHex } from '../../src/durable/model/run-ids.js';
import { type FoundRun, type StoredState, storedStates } from '../../src/durable/model/run-rows.js';
import type { StoredSite } from '../../src/durable/model/versions.js';
import type { StoreAccess } from '../../src/durable/store/port.js';
import { CalledLookup } from '../../src/durable/views/called-runs.js';

const root = '0192a1b2c3d47000800000000000beef';
const called = calledRunHex(root, '0.0');

const call: StoredSite = { kind: 'call', site: 0, line: 12, title: 'Part: get part', service: 'Part', serviceKind: 'workflow' };
const inside: StoredSite = {
  ...{ kind: 'call', site: 1, line: 12, title: 'part.wf › Api: GET', service: 'Api', serviceKind: 'api' },
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
      store: store as unknown as StoreAccess,
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
    return { row, workflow: 'main', hash: 'h', info } as unknown as FoundRun;
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
