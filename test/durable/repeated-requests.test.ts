// Requests that are repeated with their Idempotency-Key after the inputs of the workflow have changed.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { prepare } from '../../src/engine/prepare/prepare.js';
import type { Prepared } from '../../src/engine/prepare/prepared.js';
import { post, startServer } from '../server/test-server.js';
import { kept, storeKinds } from './kept.js';

const text = (inputs: readonly string[]): string =>
  [
    ...['config:', '    name: "Price"', '    version: 1', '', 'inputs:', ...inputs.map((input) => `    ${input}`), ''],
    ...['services:', '    Ledger is an API at "{env.LEDGER_URL}"', '', 'workflow:', '    trigger: t', ''],
    ...['    send one using Ledger at "/1/1" with n request.n', '    complete with n request.n', ''],
  ].join('\n');

for (const kind of storeKinds) {
  test(`a request is the same one whatever its workflow makes of it meanwhile (${kind})`, async (t) => {
    const { open, folder, env, ledger } = await kept(t, kind);
    const priced = async (...inputs: string[]): Promise<Prepared> => {
      writeFileSync(path.join(folder, 'price.wf'), text(inputs));
      const found = await prepare('price.wf', { cwd: folder, env });
      return found.ok ? found.prepared : assert.fail(JSON.stringify(found.diagnostics));
    };
    const store = await open();
    const { app, url } = await startServer(t, { workflows: [await priced('n is a number')], env, store, host: '127.0.0.1' });
    const send = (n: number) => post(`${url}/price`, { n }, { 'idempotency-key': 'k' });
    const first = await send(1);
    assert.deepEqual([first.status, first.text], [200, '{"status":"completed","outputs":{"n":1}}']);
    const replayed = async (): Promise<void> => {
      const again = await send(1);
      assert.deepEqual([again.status, again.text, again.headers.get('idempotency-replayed')], [200, first.text, 'true']);
      assert.equal((await send(2)).status, 422);
    };
    await replayed();
    app.replace([await priced('n is a number', 'currency is a text, otherwise "EUR"')]);
    await replayed();
    app.replace([await priced('n is a number above 5')]);
    await replayed();
    const unfit = await post(`${url}/price`, { n: 1 }, { 'idempotency-key': 'other' });
    assert.deepEqual([unfit.status, Object.keys(unfit.json as object)], [400, ['error', 'hint', 'problems']]);
    const fit = await post(`${url}/price`, { n: 9 }, { 'idempotency-key': 'other' });
    assert.deepEqual([fit.status, ledger.received.length], [200, 2], 'a refusal keeps no key');
  });
}
