// A process that is killed while a called workflow sends a request: another process continues inside that workflow, on either store.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { after, test } from 'node:test';
import { cli } from '../root.js';
import { kept, storeKinds } from './kept.js';
import { dropTemplate } from './test-database.js';

after(dropTemplate);

const head = 'services:\n    Ledger is an API at "{env.LEDGER_URL}"\n';
const deep = `${head}\nworkflow:\n    trigger: t\n\n    send two using Ledger at "/1/2" with n 1\n    send three using Ledger at "/1/3" with n 1\n    send four using Ledger at "/1/4" with n 1\n    complete with ok true\n`;
const part = `${head}    Deep is a workflow at "./deep.wf"\n\nworkflow:\n    trigger: t\n\n    send one using Ledger at "/1/1" with n 1\n    get deep using Deep\n    complete with ok true\n`;
const main = `services:\n    Part is a workflow at "./part.wf"\n\nworkflow:\n    trigger: t\n\n    get part using Part\n    complete with done true\n`;

for (const kind of storeKinds) {
  test(`killed during a call two levels down, a run continues there in another process (${kind})`, async (t) => {
    const { folder, ledger, env, open, database = 'runs' } = await kept(t, kind);
    for (const [name, text] of Object.entries({ main, part, deep })) writeFileSync(path.join(folder, `${name}.wf`), text);
    const runner = spawn(process.execPath, [cli, 'run', 'main.wf', '--store', database], {
      ...{ cwd: folder, env: { ...process.env, ...env }, stdio: 'ignore' },
    });
    // It is in doubt whether this request was received.
    ledger.onRequest = ({ step }) => {
      if (step === 3) runner.kill('SIGKILL');
    };
    ledger.delayMs = () => 50;
    await once(runner, 'exit');
    ledger.onRequest = () => undefined;
    const store = await open();
    const [run] = (await store.list({})).runs;
    const calledBefore = (await store.list({ parent: run?.run ?? '' })).runs.map((one) => one.run);
    assert.equal(calledBefore.length, 1);
    await store.serve();
    const state = await store.settled(run?.run ?? '', 'ended', 60_000);
    assert.deepEqual([state?.status, state?.outputs], ['completed', { done: true }], state?.message);
    assert.deepEqual(
      ledger.received.map(({ step }) => step),
      [1, 2, 3, 3, 4],
    );
    assert.equal(new Set(ledger.received.map(({ key }) => key)).size, 4, 'the one in doubt keeps its key');
    const [child] = (await store.list({ parent: run?.run ?? '' })).runs;
    const [grandchild] = (await store.list({ parent: child?.run ?? '' })).runs;
    assert.deepEqual([[child?.run], child?.status, grandchild?.status], [calledBefore, 'completed', 'completed']);
  });
}
