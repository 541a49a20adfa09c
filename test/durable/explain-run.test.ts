// `wf explain --run` and `wf graph --run`: what a recorded run decided, with the answers that it had, and what they refuse.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import type { WfRecord } from '../../runtime/types.js';
import { openStore } from '../../src/durable/open-store.js';
import { prepare } from '../../src/engine/prepare/prepare.js';
import { explainRun } from '../../src/explain/explain-run.js';
import { folderWith, workflow } from '../commands/wf.js';
import { endWithTest } from '../temporary-folder.js';

const score = workflow(
  '    set score to 0\n    if request.amount is above 500:\n        set score to score plus 30\n    if request.key is not "":\n        set score to score plus 50\n    if score is at least 80:\n        reject with "refused: {score} points {env.KEY}"\n    complete',
);
const env = { KEY: 'topsecret-987' };

test('explains a run of a store, and lights its way', (context) => {
  const { wf } = folderWith(context, { 'score.wf': score, 'other.wf': score });
  const input = JSON.stringify({ amount: 620, key: env.KEY });
  const { stderr, stdout } = wf(['run', 'score.wf', '--store', 'runs', '--input', input], env);
  const id = /[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/.exec(stderr + stdout)?.[0] ?? '';
  const of = (...words: string[]) => wf([...words, '--run', id, '--store', 'runs'], env);
  const explained = of('explain');
  assert.equal(explained.status, 0, explained.stderr);
  assert.equal(
    explained.stdout,
    `Rejected on line 14: "refused: 80 points [redacted]"
   9  request.amount (620) is above 500     yes           score 30
  11  request.key ("[redacted]") is not ""  yes           score 80
  13  score (80) is at least 80             yes, exactly
With request.amount at most 500 it would have completed on line 15.
`,
  );
  assert.equal(JSON.parse(of('explain', 'score.wf', '--json').stdout).decisions[0].line, 9);
  assert.deepEqual(JSON.parse(of('graph', '--format', 'json').stdout).reached, [8, 9, 10, 11, 12, 13, 14]);
  const refusals: [string[], RegExp][] = [
    [['explain', 'other.wf'], /This run is of score\.wf, not of other\.wf/],
    [['explain', '--input', '{}'], /--run explains a recorded run/],
    [['graph', '--cases'], /Use either --cases or --run/],
  ];
  for (const [words, message] of refusals) {
    const refused = of(...words);
    assert.equal(refused.status, 2, words.join(' '));
    assert.match(refused.stderr, message);
  }
  assert.match(wf(['explain', '--run', 'nope', '--store', 'runs']).stderr, /There is no run "nope"/);
  assert.match(wf(['explain']).stderr, /needs a workflow or a run/);
  assert.match(wf(['graph', 'score.wf', '--store', 'runs']).stderr, /--store needs --run/);
});

test('uses the recorded answers, and sends nothing', async (t) => {
  const { explained, calls } = await explainedCall(t, 'at least 2');
  assert.equal(explained.outcome, 'Rejected on line 18: "enough"');
  assert.equal(explained.decisions.at(-1)?.condition, 'stock.level (2) is at least 2');
  assert.equal(explained.decisions.at(-1)?.isExact, true);
  assert.equal(calls(), 1);
});

test('a recorded run that ended early would have gone on to a call that it did not make', async (t) => {
  const { explained } = await explainedCall(t, 'at most 2', { small: false, amount: 5 });
  assert.equal(explained.outcome, 'Rejected on line 12: "little"');
  assert.equal(explained.nearest, 'With request.amount at least 10 it would have gone on to line 15.');
});

async function explainedCall(t: TestContext, limit: string, request: WfRecord = { small: false, amount: 20 }) {
  let calls = 0;
  const service = createServer((_request, response) => {
    calls++;
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"level": 2}');
  });
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
  t.after(() => service.close());
  const { port } = service.address() as AddressInfo; // of a server on TCP
  const text = `config:\n    name: "Case"\n    version: 1\n\nservices:\n    Stock is an API at "http://127.0.0.1:${port}"\n\nworkflow:\n    trigger: t\n\n    if request.amount is below 10:\n        reject with "little"\n    if request.small:\n        get more using Stock at "/more"\n    get stock using Stock at "/level"\n        save the result as stock\n    if stock.level is ${limit}:\n        reject with "enough"\n    complete\n`;
  const folder = folderWith(t, { 'case.wf': text }).path;
  const prepared = await prepare('case.wf', { cwd: folder, env: {} });
  assert.ok(prepared.ok);
  const store = await openStore('runs', { env: {}, cwd: folder });
  endWithTest(t, () => store.close(0));
  const started = await store.start({ prepared: prepared.prepared, request });
  const id = 'run' in started ? String(started.run) : '';
  await store.settled(id, 'ended', 60_000);
  const recalled = await store.recall(id);
  assert.ok(recalled);
  return { explained: await explainRun(recalled), calls: () => calls };
}
