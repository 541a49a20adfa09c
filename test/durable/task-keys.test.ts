// The link that a person is sent has a key, with which anyone could answer. Nobody else gets to see it: not on the command line, not over
// HTTP, not in the console.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import type { LogEntry } from '../../runtime/types.js';
import { runsCommand } from '../../src/commands/runs/runs.js';
import { bodyOf, entryKinds } from '../../src/durable/model/entries.js';
import { webClient } from '../console/web-client.js';
import { startServer } from '../server/test-server.js';
import { inMemoryIo } from '../testing/in-memory-io.js';
import { until } from '../until.js';
import { begun, kept, storeKinds } from './kept.js';
import { dropTemplate } from './test-database.js';

after(dropTemplate);

for (const kind of storeKinds) {
  test(`nobody but the person is shown the key of the link (${kind})`, async (t) => {
    const { file, open, env, folder, database = 'runs' } = await kept(t, kind);
    const keys: string[] = [];
    // Both a failing answer and a good one quote the request.
    const chat = createServer(async (asked, response) => {
      let text = '';
      for await (const part of asked.setEncoding('utf8')) text += part;
      const { url } = JSON.parse(text) as { url: string }; // sent by wf
      keys.push(new URL(url).searchParams.get('key') ?? '');
      response.writeHead(keys.length === 2 ? 400 : 200, { 'content-type': 'application/json' }).end(text);
    });
    await new Promise<void>((resolve) => chat.listen(0, '127.0.0.1', resolve));
    t.after(() => chat.close());
    env.CHAT = `http://127.0.0.1:${(chat.address() as AddressInfo).port}/`; // a server that listens on TCP has such an address
    const prepared = await file('kept/two-questions.wf');
    const told: LogEntry[] = [];
    const engine = await open({ onLog: (_, entry) => void told.push(entry) });
    await engine.serve();
    const { run } = await begun(engine, prepared);
    for (const count of [1, 2]) {
      await until(() => keys.length === count);
      const { tasks } = await engine.tasks();
      await engine.answer(tasks[0]?.task ?? '', { answer: 'yes' });
    }
    assert.equal((await engine.settled(run, 'ended', 60_000))?.status, 'completed');
    assert.equal(new Set(keys).size, 2, keys.join());
    const server = await startServer(t, { workflows: [prepared], env, store: engine, console: true, host: '127.0.0.1' });
    const client = webClient(server.url);
    const shown = new Map<string, string>([['the live log', JSON.stringify(told)]]);
    for (const address of [`/runs/${run}`, `/console/runs/${run}`]) {
      const { status, text } = await client.get(address);
      assert.equal(status, 200, text);
      shown.set(address, text);
    }
    const { entries = [] } = (await engine.journal(run)) ?? {};
    assert.equal(entries.filter(({ kind: of }) => of === 'call').length, 2, 'each notification is in the journal');
    for (const { position } of entries) {
      for (const part of ['', '/sent', '/answer']) {
        const address = `/console/runs/${run}/effects/${position}${part}`;
        shown.set(address, (await client.get(address)).text);
      }
    }
    for (const json of [false, true]) {
      const io = inMemoryIo(folder, { ...env, WF_CACHE: 'off' });
      assert.equal(await runsCommand(['show', run], { store: database, ...(json ? { json } : {}) }, io), 0);
      shown.set(`wf runs show${json ? ' --json' : ''}`, io.written.out + io.written.err);
    }
    for (const [where, text] of shown) for (const key of keys) assert.ok(!text.includes(key), `${where} shows a key`);
    assert.ok([...shown.values()].join().includes('[redacted]'));
  });
}

test('journals of older versions are shown without their keys', () => {
  const url = 'http://localhost:3000/tasks/0192a1b2-0000-7000-8000-000000000000?key=a-b_c123456789012345678';
  const shown = { pairs: { text: `Decide.\n${url}`, url } };
  const row = { pos: 0, branch: '', seq: 0, part: 2, kind: entryKinds.call, site: 0, at: 0, ms: 0 };
  const body = bodyOf({ ...row, body: JSON.stringify({ r: { ok: true, value: { url } }, shown }) });
  assert.doesNotMatch(JSON.stringify(body), /a-b_c/);
  assert.match(JSON.stringify(body), /\/tasks\/0192a1b2-0000-7000-8000-000000000000\?key=\[redacted\]"/);
});
