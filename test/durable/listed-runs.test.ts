// How runs are found and listed: by values, ids, versions and reasons, and with the filters that people keep. In both kinds of stores.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, test } from 'node:test';
import type { Value, WfRecord } from '../../runtime/types.js';
import { runsCommand } from '../../src/commands/runs/runs.js';
import type { DurableEngine } from '../../src/durable/durable-engine.js';
import type { PortableLine } from '../../src/durable/model/portable-lines.js';
import { failedCall, reasonOf } from '../../src/durable/views/failed-runs.js';
import type { Effect } from '../../src/durable/views/run-history.js';
import { prepare } from '../../src/engine/prepare/prepare.js';
import type { Prepared } from '../../src/engine/prepare/prepared.js';
import { folderWith, workflow } from '../commands/wf.js';
import { root } from '../root.js';
import { inMemoryIo } from '../testing/in-memory-io.js';
import { fits } from '../testing/json-schema.js';
import { dropTemplate } from './test-database.js';
import { begun, storeKinds, testStore } from './test-store.js';

after(dropTemplate);

const key = (n: number): string => Buffer.alloc(32, n).toString('base64');

async function ran(engine: DurableEngine, prepared: Prepared, request: Record<string, Value>): Promise<string> {
  const started = await engine.start({ prepared, request, respondAsync: true });
  assert.equal(started.kind, 'started');
  if (request.wait === undefined) await started.end;
  return started.run;
}

const found = async (engine: DurableEngine, q: string): Promise<string[]> =>
  (await engine.list({ q })).runs.map(({ run }) => run);

for (const kind of storeKinds) {
  test(`${kind}: a term of hexadecimal digits and hyphens is an id and a value`, async (t) => {
    const { open, file, database } = await testStore(t, kind);
    if (kind === 'PostgreSQL' && database === undefined) return;
    const prepared = await file('single/word.wf');
    const engine = await open();
    const terms = ['4711', '000123', 'DE-2026-000777', 'deadbeef', '0a1b2c3d-0a1b-7c3d-8e4f-0a1b2c3d4e5f', '50%', 'a_b'];
    const runs = new Map<string, string>();
    for (const order of terms) runs.set(order, await ran(engine, prepared, { order, word: 'x' }));
    for (const [order, run] of runs) assert.deepEqual(await found(engine, ` ${order} `), [run], order);
    const [first = ''] = runs.values();
    assert.deepEqual(await found(engine, first), [first]);
    // Runs of the same minute share these digits.
    assert.deepEqual((await found(engine, first.slice(0, 6))).sort(), [...runs.values()].sort());
    // The beginning of one run's id is the value of another.
    const other = await ran(engine, prepared, { order: first, word: 'x' });
    assert.deepEqual(await found(engine, first), [other, first]);
    const pages = await engine.list({ q: first, limit: 1 });
    assert.deepEqual((await engine.list({ q: first, limit: 1, cursor: pages.next ?? '' })).runs[0]?.run, first);
    assert.deepEqual((await engine.list({ q: first, status: 'error' })).runs, []);
    const none = await engine.list({ q: 'nothing at all' });
    assert.deepEqual(none, { runs: [] });
  });

  test(`${kind}: an encrypted store finds whole values that find by names, and says that it searches no others`, async (t) => {
    const { open, file, env, folder, database } = await testStore(t, kind, true);
    if (kind === 'PostgreSQL' && database === undefined) return;
    const [named, plain] = [await file('single/found-by.wf'), await file('single/word.wf')];
    const engine = await open({ env: { ...env, WF_STORE_KEY: key(1) } });
    const request = { customer: 'Grace "Hopper" & Co', order: { number: 4711 }, tags: ['rush', 'export'], secret: 'unnamed' };
    const run = await ran(engine, named, request);
    const other = await ran(engine, plain, { word: 'Ada', customer: 'Ada' });
    for (const q of ['Grace "Hopper" & Co', ' 4711', 'rush', 'export', run]) assert.deepEqual(await found(engine, q), [run], q);
    assert.deepEqual(await found(engine, other.slice(0, 23)), [other]);
    for (const q of ['Grace', 'grace "hopper" & co', '471', 'unnamed', 'Ada', '%', '"found"']) {
      const { runs, note } = await engine.list({ q });
      assert.deepEqual(runs, [], q);
      assert.match(note ?? '', /^The store is encrypted.*find by: request\.order/, q);
    }
    assert.equal((await engine.list({ q: 'rush' })).note, undefined);
    // A repeated run is found as well.
    const rerun = await engine.rerun(run, { from: 'start', workflow: 'recorded' });
    assert.equal(rerun.kind, 'started');
    await rerun.end;
    assert.deepEqual(await found(engine, 'rush'), [rerun.run, run]);
    if (kind !== 'folder') return;
    for (const name of readdirSync(path.join(folder, 'runs')))
      if (name.includes('.db')) assert.ok(!readFileSync(path.join(folder, 'runs', name)).includes('Hopper'), name);
  });

  test(`${kind}: a run stays found after its caller was told of it, under another key, and in another store`, async (t) => {
    const { open, file, env, database } = await testStore(t, kind, true);
    if (kind === 'PostgreSQL' && database === undefined) return;
    const prepared = await file('single/found-by.wf');
    const first = await open();
    const run = await ran(first, prepared, { customer: 'Ada', wait: true });
    await first.settled(run, 'paused', 60_000);
    await first.acknowledge(run);
    await first.close(0);
    await (await open({ env, isRekeying: true })).rekey(Buffer.alloc(32, 1));
    const second = await open({ env: { ...env, WF_STORE_KEY: key(1) } });
    assert.deepEqual(await found(second, 'Ada'), [run]);
    await second.serve();
    await second.send({ name: 'go', body: {}, run });
    assert.equal((await second.settled(run, 'ended', 60_000))?.status, 'completed');
    assert.deepEqual(await found(second, 'Ada'), [run]);
    const lines: PortableLine[] = [];
    for await (const line of second.moving.export()) lines.push(line);
    const elsewhere = await testStore(t, 'folder');
    const third = await elsewhere.open({ env: { ...env, WF_STORE_KEY: key(3) } });
    await third.moving.import(
      (async function* () {
        yield* lines;
      })(),
    );
    assert.deepEqual(await found(third, 'Ada'), [run]);
  });
}

// `schemas/runs.schema.json` describes what `wf runs list --json` prints, whatever became of the runs.

const schema = JSON.parse(readFileSync(path.join(root, 'schemas', 'runs.schema.json'), 'utf8'));

test('the list fits the schema, and the schema describes each of its keys', (context) => {
  const body =
    '    if request.wait:\n        wait for go\n    if request.no:\n        reject with "no"\n    set x to request.n plus 1\n    complete with x x';
  const { wf } = folderWith(context, { 'order.wf': workflow(body) });
  for (const input of ['{"n": 1}', '{"no": true}', '{"n": "a"}', '{"wait": true}'])
    wf(['run', 'order.wf', '--store', 'runs', '--input', input]);
  const list = (...words: string[]) => JSON.parse(wf(['runs', 'list', '--json', '--store', 'runs', ...words]).stdout);
  const all = list();
  assert.deepEqual(
    all.runs.map(({ status }: { status: string }) => status),
    ['waiting', 'error', 'rejected', 'completed'],
  );
  for (const page of [all, list('--limit', '1')]) {
    assert.ok(fits({ schema }, 'schema', page), JSON.stringify(page));
    for (const key of Object.keys(page)) assert.ok(key in schema.properties, key);
    for (const run of page.runs) for (const key of Object.keys(run)) assert.ok(key in schema.$defs.run.properties, key);
  }
  for (const key of Object.keys(all.runs[0].waitingFor)) assert.ok(key in schema.$defs.waitingFor.properties, key);
  assert.ok(!fits({ schema }, 'schema', { runs: [{ ...all.runs[0], status: 5 }] }));
});

// Why runs failed: a few words without values, by which they are listed and grouped.

const error = (message: string, code = 'WF656', request: WfRecord = {}): string | undefined =>
  reasonOf({ status: 'error', message, error: { message, code }, request });

test('the reason of a failed call is its service and its cause', () => {
  const failed = 'Payments: POST /refunds/{request.order} failed after';
  assert.equal(error(`${failed} 1 attempt: status 503 (Service Unavailable).`), 'Payments: 503');
  assert.equal(error(`${failed} 12 attempts: status 503.`), 'Payments: 503');
  assert.equal(
    error(`${failed} 2 attempts, and was not sent again: no answer within 30 s.`, 'WF655'),
    'Payments: no answer within 30 s',
  );
  assert.equal(error(`${failed} 1 attempt: connection refused.`, 'WF654'), 'Payments: connection refused');
  assert.equal(
    error(`${failed} 1 attempt: status 302, a redirect to another host.`, 'WF659'),
    'Payments: status 302, a redirect to another host',
  );
  const inside =
    'Child: run failed after 1 attempt: line 3: Payments: POST /it failed after 2 attempts: status 503 (Unavailable).';
  assert.equal(error(inside, 'WF644'), 'Payments: 503');
  assert.equal(
    error('Payments: POST was not sent: its address needs the environment variable URL, which is missing or empty.', 'WF650'),
    'Payments: its address needs the environment variable URL, which is missing or empty',
  );
});

test('values with any signs are left out', () => {
  for (const value of ['top-secret', 'a.b*c+d?', '(x) [y] {z}', '^$|/\\', '\ud800-x', 'Ä-Ö'])
    assert.equal(
      reasonOf({ status: 'rejected', message: `No ${value} here.`, request: { deep: [{ value }] } }),
      'No … here',
      value,
    );
});

test('a reason contains no values', () => {
  const message = 'I can\'t subtract: "request.order" is text ("A-12"), but "minus" needs two numbers.';
  const publicMessage = 'I can\'t subtract: "request.order" is text, but "minus" needs two numbers.';
  const shown = reasonOf({ status: 'error', message, error: { message, publicMessage, code: 'WF601' }, request: {} });
  assert.equal(shown, publicMessage.slice(0, -1));
  const rejected = (text: string, request: WfRecord = {}): string | undefined =>
    reasonOf({ status: 'rejected', message: text, request });
  assert.equal(
    rejected('Ada Lovelace has no order A-12 (of 2026-01-02).', { by: { name: 'Ada Lovelace' } }),
    '… has no order … (of …',
  );
  assert.equal(rejected('Adam is not Ada, nor a+b.', { names: ['Ada', 'a+b'] }), 'Adam is not …, nor …');
  assert.equal(rejected('Write to ada@example.com: "no order"'), 'Write to …: "…"');
  assert.equal(error('Child: run was rejected: order 4711 is unknown.', 'WF643'), 'Child: order … is unknown');
  assert.equal(rejected('x'.repeat(500))?.length, 120);
  assert.equal(rejected(''), 'rejected');
  const stuck = 'The run 01a20d80-b6ec-77f7-bff7-b88a34855983 took another path in line 4.';
  assert.equal(reasonOf({ status: 'stuck', message: stuck, request: {} }), 'The run … took another path in line 4');
  for (const status of ['running', 'waiting', 'completed', 'cancelled'] as const)
    assert.equal(reasonOf({ status, message: 'no', request: {} }), undefined);
});

async function ended(engine: DurableEngine, prepared: Prepared, request: WfRecord): Promise<string> {
  const started = await engine.start({ prepared, request });
  assert.equal(started.kind, 'started');
  await started.end;
  return started.run;
}

for (const kind of storeKinds) {
  test(`${kind}: runs are listed and grouped by their reason`, async (t) => {
    const { open, file, ledger, env, folder, database } = await testStore(t, kind);
    if (kind === 'PostgreSQL' && database === undefined) return;
    const [refund, other] = [await file('single/refund-or-not.wf'), await file('single/two-plain-calls.wf')];
    const engine = await open();
    ledger.fails = () => true;
    const down: string[] = [];
    for (const order of [11, 12, 13]) down.push(await ended(engine, refund, { order }));
    down.push(await ended(engine, other, {}));
    ledger.fails = () => false;
    const fault = await ended(engine, refund, { order: 14, fee: 'none' });
    const rejected: string[] = [];
    for (const [customer, order] of [
      ['Ada', 15],
      ['Bob', 16],
    ] as const)
      rejected.push(await ended(engine, refund, { customer, order, mail: 'a@b.c', known: false }));
    await ended(engine, refund, { order: 17 });
    const reason = 'Ledger: 503';
    const groups = await engine.reasons({});
    assert.deepEqual(
      groups.map(({ reason: why, runs, workflows, latest }) => [why, runs, workflows, latest]),
      [
        [reason, 4, ['refund-or-not', 'two-plain-calls'], down[3]],
        [`I can't subtract: "request.fee" is text, but "minus" needs two numbers`, 1, ['refund-or-not'], fault],
      ],
    );
    assert.ok((groups[0]?.first ?? '') < (groups[0]?.last ?? ''));
    assert.deepEqual(
      (await engine.reasons({ status: 'rejected' })).map(({ reason: why, runs }) => [why, runs]),
      [['… has no order …, ask …', 2]],
    );
    assert.deepEqual(await engine.reasons({ workflow: 'a\0b' }), []);
    const found = await engine.list({ reason });
    assert.deepEqual(
      found.runs.map(({ run }) => run),
      down.toReversed(),
    );
    assert.ok(found.runs.every((run) => run.reason === reason));
    const first = await engine.list({ reason, workflow: 'refund-or-not', limit: 2 });
    assert.deepEqual(
      first.runs.map(({ run }) => run),
      [down[2], down[1]],
    );
    const next = await engine.list({ reason, workflow: 'refund-or-not', limit: 2, cursor: first.next ?? '' });
    assert.deepEqual([next.runs.map(({ run }) => run), next.next], [[down[0]], undefined]);
    assert.deepEqual((await engine.list({ reason, status: 'rejected' })).runs, []);
    await engine.close(0);
    const runs = async (values: Record<string, string | true>) => {
      const io = inMemoryIo(folder, { ...env, WF_STORE: database ?? 'runs' });
      assert.equal(await runsCommand(['list'], values, io), 0);
      return io.written.out;
    };
    assert.match(await runs({}), /^\S+ .* error {6}refund-or-not .* Ledger: 503$/m);
    assert.match(
      await runs({ by: 'reason' }),
      /^4 × Ledger: 503 {2}\(refund-or-not, two-plain-calls, last .* UTC\)\n1 × I can't .*\n$/,
    );
    assert.equal(JSON.parse(await runs({ by: 'reason', json: true })).reasons[0].runs, 4);
    assert.equal((await runs({ reason })).trim().split('\n').length, 4);
    assert.equal(await runs({ by: 'reason', workflow: 'none' }), 'No failed or stuck runs.\n');
    await assert.rejects(runs({ by: 'workflow' }), /^UsageError: --by must be reason/);
  });
}

// Saved views, also in an encrypted store whose key changes, and the filter by version.

for (const kind of storeKinds) {
  test(`${kind}: views are kept for everyone, replaced and removed, without secrets, and outlive a change of the key`, async (t) => {
    const { open, env, database } = await testStore(t, kind, true);
    if (kind === 'PostgreSQL' && database === undefined) return;
    Object.assign(env, { WF_STORE_KEY: key(1), API_TOKEN: 'very-secret-token' });
    const [one, other] = [await open(), await open()];
    const save = (name: string, query: string) => one.views.save({ name, query, by: 'Ada' }, [{ env: ['API_TOKEN'] }]);
    assert.deepEqual(await save('Failed <today>', 'status=error&since=24h'), { name: 'Failed <today>', isSaved: true });
    await save('Failed <today>', 'status=error');
    assert.equal((await save('about very-secret-token', 'q=very-secret-token&status=stuck')).name, 'about [redacted]');
    const views = [
      { name: 'about [redacted]', query: 'q=%5Bredacted%5D&status=stuck', by: 'Ada' },
      { name: 'Failed <today>', query: 'status=error', by: 'Ada' },
    ];
    assert.deepEqual(await other.views.list(), views);
    for (const engine of [one, other]) await engine.close(0);
    await (await open({ isRekeying: true })).rekey(Buffer.alloc(32, 2));
    env.WF_STORE_KEY = key(2);
    const later = await open();
    assert.deepEqual(await later.views.list(), views);
    await later.views.remove('about [redacted]');
    for (let n = 1; n < 50; n++) assert.equal((await later.views.save({ name: `view ${n}`, query: '' }, [])).isSaved, true);
    assert.equal((await later.views.save({ name: 'one more', query: '' }, [])).isSaved, false);
    assert.equal((await later.views.save({ name: 'view 7', query: 'status=error' }, [])).isSaved, true, 'which is there already');
    assert.equal((await later.views.list()).length, 50);
  });

  test(`${kind}: runs of one version, by its number or the beginning of its hash, and all versions of a workflow`, async (t) => {
    const { open, env, folder, database } = await testStore(t, kind);
    if (kind === 'PostgreSQL' && database === undefined) return;
    const engine = await open();
    const runs: string[] = [];
    for (const version of [1, 2, 12]) {
      writeFileSync(
        path.join(folder, 'changing.wf'),
        `config:\n    name: "Changing"\n    version: ${version}\n\nworkflow:\n    trigger: t\n\n    complete\n`,
      );
      const prepared = await prepare('changing.wf', { cwd: folder, env });
      assert.ok(prepared.ok, JSON.stringify(prepared));
      const { run, end } = await begun(engine, prepared.prepared);
      await end;
      runs.push(run);
    }
    const [first, second, twelfth] = runs;
    const found = async (version: string): Promise<string[]> =>
      (await engine.list({ workflow: 'changing', withCalled: true, version })).runs.map(({ run }) => run);
    assert.deepEqual([await found('1'), await found('2'), await found('12')], [[first], [second], [twelfth]]);
    const { textHash = '' } = (await engine.get(second ?? '')) ?? {};
    assert.deepEqual([await found(textHash), await found(textHash.slice(0, 12))], [[second], [second]]);
    for (const none of ['3', "%' OR 1=1 --", '%', 'deadbeef']) assert.deepEqual(await found(none), [], none);
    const hashes = await engine.versionsOf('changing');
    assert.deepEqual([hashes.length, hashes.includes(textHash)], [3, true]);
    const { textHash: last = '' } = (await engine.get(twelfth ?? '')) ?? {};
    assert.deepEqual(await found([textHash, last].join()), [twelfth, second], 'of several');
  });
}

test('of the answer of a failed call, the sentence that says why: no page, and no stack trace', async () => {
  const run = { run: 'r', status: 'error', error: { code: 'WF601', message: 'm', line: 7 } } as const;
  const call = { kind: 'call', line: 7, ok: false, counted: 0 } as Effect; // of which nothing else is read
  const said = async (answer: Value): Promise<string | undefined> => {
    const entry = { position: 1, kind: 'call', branch: '', startedAt: '', answer } as const;
    return (await failedCall(run, [call], { journal: async () => ({ entries: [entry] }) }))?.said;
  };
  assert.equal(await said({ error: { message: 'The card has expired.' } }), 'The card has expired.');
  assert.equal(await said(' Closed until nine.\nCome back. '), 'Closed until nine.\nCome back.');
  assert.equal(await said('<!doctype html><html><title>502 Bad Gateway</title><body>x'), '502 Bad Gateway');
  assert.equal(
    await said('<html><body><h1>Internal Server Error</h1><pre>java.lang.X\n\tat a.b(C.java:1)'),
    'Internal Server Error',
  );
  assert.equal(await said('<html><body>x'), undefined);
  assert.equal(await said({ message: 'No such card\n\tat a.b(C.java:1)\n\tat d.e(F.java:2)' }), 'No such card');
});
