// What the page of a run says of effects that are no calls that were answered: questions, messages, broken-off calls, results of the run before.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { test } from 'node:test';
import { prepare } from '../../src/engine/prepare/prepare.js';
import { storeKinds, testStore } from '../durable/test-store.js';
import { startServer } from '../server/test-server.js';
import { until } from '../until.js';
import { webClient } from './web-client.js';

const text = `config:
    name: "Deposit"
    version: 4

services:
    Bank is an API at "{env.BANK_URL}"
    Yard is a person

workflow:
    trigger: t

    ask Yard to look at {request.bike}
        choose from "fair", "too much"
        save the result as decision
    wait for reply with bike request.bike
        save the message as reply
    at the same time:
        step Slow:
            get the rates using Bank at "/slow"
        step Pay:
            send a refund using Bank at "/refunds" with bike request.bike
    complete with decision decision
`;

const words = (html: string): string => html.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ');

for (const kind of storeKinds)
  test(`${kind}: questions, messages, broken-off and kept calls are told in their own words`, async (t) => {
    const { folder, env, open, database } = await testStore(t, kind);
    if (kind === 'PostgreSQL' && database === undefined) return;
    let isDown = true;
    const bank = createServer((request, response) => {
      if (isDown && request.url === '/slow') return; // never answered
      response.writeHead(isDown ? 422 : 200, { 'content-type': 'application/json' });
      response.end('{}');
    });
    await new Promise<void>((resolve) => bank.listen(0, '127.0.0.1', resolve));
    t.after(() => {
      bank.closeAllConnections();
      bank.close();
    });
    env.BANK_URL = `http://127.0.0.1:${(bank.address() as AddressInfo).port}`; // it listens on a port
    writeFileSync(path.join(folder, 'deposit.wf'), text);
    const prepared = await prepare('deposit.wf', { cwd: folder, env });
    assert.ok(prepared.ok, JSON.stringify(prepared));
    const store = await open();
    await store.serve();
    const server = await startServer(t, { workflows: [prepared.prepared], env, store, console: true, host: '127.0.0.1' });
    const client = webClient(server.url);
    const started = await store.start({ prepared: prepared.prepared, request: { bike: 'B-7' }, respondAsync: true });
    assert.equal(started.kind, 'started');
    const { run } = started;
    await store.settled(run, 'paused', 60_000);
    assert.match(
      words((await client.get('/console/workflows/deposit')).text),
      /Versions that unfinished runs use v4 [0-9a-f]{12} : 1 run /,
    );
    const { tasks } = await store.tasks();
    await store.answer(tasks[0]?.task ?? '', { answer: 'fair', comment: 'Ring her first' });
    await until(async () => (await store.state(run))?.waitingFor?.kind === 'message');
    await store.send({ name: 'reply', body: { bike: 'B-7', words: 'Fine by me' } });
    assert.equal((await store.settled(run, 'ended', 60_000))?.status, 'error');

    const page = (await client.get(`/console/runs/${run}`)).text;
    const opened = async (what: RegExp): Promise<string> => {
      const [, address = ''] =
        [...page.matchAll(/data-part="([^"]+\/effects\/\d+)"><summary>(.*?)<\/summary>/gs)].find(([, , summary]) =>
          what.test(words(summary ?? '')),
        ) ?? [];
      return words((await client.get(address)).text);
    };
    assert.match(await opened(/Question to Yard/), /Asked · .* Answered · .*answer fair comment Ring her first/);
    assert.match(await opened(/Message reply/), /Waits since · .* The message arrived · .*words Fine by me/);
    for (const what of [/Question to Yard/, /Message reply/]) assert.doesNotMatch(await opened(what), /under way|0 ms/);
    assert.match(page, /class="effect cut"[^>]*><summary>.*?\/slow.*?another branch ended the run/s);
    assert.match(page, /class="effect failed"[^>]*><summary>.*?\/refunds/s);
    assert.equal(page.match(/class="effect failed"/g)?.length, 1);
    assert.doesNotMatch(page, /kept from the run before/);

    isDown = false;
    const rerun = await store.rerun(run, { from: 'failure', workflow: 'recorded' });
    assert.equal(rerun.kind, 'started', JSON.stringify(rerun));
    assert.equal((await store.settled(rerun.run, 'ended', 60_000))?.status, 'completed');
    const again = (await client.get(`/console/runs/${rerun.run}`)).text;
    for (const what of ['Question to Yard', 'Message reply'])
      assert.match(words(again), new RegExp(`${what} kept from the run before`));
    assert.equal(again.match(/kept from the run before/g)?.length, 2);
  });
