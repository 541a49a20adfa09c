// Why runs failed: a few words without values, by which they are listed and grouped, in both kinds of stores.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { WfRecord } from '../../runtime/types.js';
import { runsCommand } from '../../src/commands/runs/runs.js';
import type { DurableEngine } from '../../src/durable/durable-engine.js';
import { reasonOf } from '../../src/durable/views/failed-runs.js';
import type { Prepared } from '../../src/engine/prepare/prepared.js';
import { inMemoryIo } from '../testing/in-memory-io.js';
import { kept, storeKinds } from './kept.js';
import { dropTemplate } from './test-database.js';

after(dropTemplate);

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
    const { open, file, ledger, env, folder, database } = await kept(t, kind);
    if (kind === 'PostgreSQL' && database === undefined) return;
    const [refund, other] = [await file('kept/refund-or-not.wf'), await file('kept/two-plain-calls.wf')];
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
    assert.equal(await runs({ by: 'reason', workflow: 'none' }), 'No runs.\n');
    await assert.rejects(runs({ by: 'workflow' }), /^UsageError: --by must be reason/);
  });
}
