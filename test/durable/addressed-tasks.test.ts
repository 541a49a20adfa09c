// Questions addressed to one person: sent by mail, listed for that person, and answered by nobody else.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { SMTPServer } from 'smtp-server';
import { taskMail } from '../../runtime/people/ask-person.js';
import { tasksCommand } from '../../src/commands/runs/tasks.js';
import type { TaskView } from '../../src/durable/model/run-views.js';
import { prepare } from '../../src/engine/prepare/prepare.js';
import { inMemoryIo } from '../testing/in-memory-io.js';
import { until } from '../until.js';
import { apiServer, body, checkDocument, runOf } from './runs-server.js';
import { begun, storeKinds, testStore } from './test-store.js';

interface Received {
  readonly to: readonly string[];
  readonly raw: string;
}

async function mailServer(t: TestContext): Promise<{ readonly mails: Received[]; readonly url: string }> {
  const mails: Received[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, { envelope: { rcptTo } }, done) {
      const parts: Buffer[] = [];
      stream
        .on('data', (part: Buffer) => parts.push(part))
        .on('end', () => {
          mails.push({ to: rcptTo.map(({ address }) => address), raw: Buffer.concat(parts).toString() });
          done();
        });
    },
  });
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  t.after(() => server.close());
  const { port } = server.server.address() as AddressInfo; // a server that listens on TCP has such an address
  return { mails, url: `smtp://127.0.0.1:${port}` };
}

const text = `config:
    name: "Order"
    version: 1

services:
    Manager is a person notified by Post
    Post is a mail server at "{env.SMTP_URL}"
        from "Office <office@example.com>"

workflow:
    trigger: t

    ask Manager to approve {request.what}
        addressed to request.manager
        choose from "approve", "no & never"
        remind every 1 second
        save the result as decision
    complete with decision decision
`;

for (const kind of storeKinds)
  test(`a question is sent by mail, with reminders, to the address that the data names (${kind})`, async (t) => {
    const { folder, env, open } = await testStore(t, kind);
    const { mails, url } = await mailServer(t);
    env.SMTP_URL = url;
    writeFileSync(path.join(folder, 'order.wf'), text);
    const prepared = await prepare('order.wf', { cwd: folder, env });
    assert.ok(prepared.ok, JSON.stringify(prepared));
    const store = await open({ publicUrl: 'https://wf.example.com' });
    await store.serve();
    const what = 'it\r\nBcc: eve@example.com\r\n\r\n<img src=x onerror=alert(1)>';
    const { run } = await begun(store, prepared.prepared, { what, manager: 'Ada <ada@example.com>' });
    await until(() => mails.length > 1);
    const [first, reminder] = mails;
    assert.deepEqual(first?.to, ['ada@example.com']);
    const head = first?.raw.slice(0, first.raw.indexOf('\r\n\r\n')) ?? '';
    assert.match(head, /^Subject: Order: approve it Bcc: eve@example\.com <img src=x/m);
    assert.doesNotMatch(head, /^Bcc:/im);
    assert.match(reminder?.raw ?? '', /^Subject: Reminder: Order: approve it/m);
    const [task] = (await store.tasks()).tasks;
    assert.equal(task?.addressee, 'Ada <ada@example.com>');
    for (const person of ['ada@example.com', ' ADA@example.com '])
      assert.equal((await store.tasks({ for: person })).tasks.length, 1);
    assert.equal((await store.tasks({ for: 'grace@example.com', closed: true })).tasks.length, 0);
    const key = /key=3?D?([\w-]{20,})/.exec(first?.raw.replaceAll('=\r\n', '') ?? '')?.[1] ?? '';
    assert.ok((await store.task(task?.task ?? '', key)) !== undefined, 'the link has the key');
    const shown = JSON.stringify([await store.journal(run), await store.log(run)]);
    assert.ok(!shown.includes(key), 'and nobody else gets to see it');
    await store.answer(task?.task ?? '', { answer: 'approve' });
    assert.deepEqual((await store.settled(run, 'ended', 60_000))?.outputs, { decision: 'approve' });
  });

for (const kind of storeKinds)
  test(`a question is taken by one person, assigned and given back, on record, and answered by anyone (${kind})`, async (t) => {
    const { file, open, folder, env, database } = await testStore(t, kind);
    if (kind === 'PostgreSQL' && database === undefined) return;
    const prepared = await file('single/question-and-call.wf');
    const [store, elsewhere] = [await open(), await open()];
    await store.serve();
    const { run } = await begun(store, prepared);
    await until(async () => (await store.tasks()).tasks.length === 1);
    const [task] = (await store.tasks()).tasks;
    const id = task?.task ?? '';
    const by = { name: 'Ada', role: 'operator', way: 'http' } as const;
    const taken = await Promise.all(
      [store, elsewhere].map((engine, index) => engine.assign(id, { to: `p${index}@example.com`, ifFree: true }, by)),
    );
    assert.deepEqual(taken.map(({ kind }) => kind).sort(), ['assigned', 'taken']);
    const [first] = taken.flatMap((assigned) => (assigned.kind === 'assigned' ? [assigned.task.assignee ?? ''] : []));
    assert.equal((await store.assign(id, { to: first, ifFree: true }, by)).kind, 'assigned', 'twice is no harm');
    assert.equal((await elsewhere.tasks({ for: `Name <${first?.toUpperCase()}>` })).tasks[0]?.assignee, first);
    const command = async (...words: string[]): Promise<string> => {
      const io = inMemoryIo(folder, { ...env, WF_STORE: database ?? 'runs' });
      assert.equal(await tasksCommand(words, {}, io), 0);
      return io.written.out;
    };
    assert.equal(await command('assign', id, 'Grace', 'Hopper'), 'Grace Hopper has it now.\n');
    assert.match(await command('list'), /, taken by Grace Hopper\n/);
    assert.equal((await store.tasks({ for: first ?? '' })).tasks.length, 0);
    assert.equal(await command('assign', id), 'Given back.\n');
    assert.equal((await store.task(id))?.assignee, undefined);
    assert.equal((await store.assign(id, { to: 'x'.repeat(201) })).kind, 'too long');
    assert.equal((await store.assign('nothing', { to: 'Ada' })).kind, 'unknown');
    assert.equal((await store.answer(id, { answer: task?.choices?.[0] ?? 'yes' })).kind, 'answered');
    assert.equal((await store.assign(id, { to: 'Ada' })).kind, 'closed');
    const changes: unknown[] = [];
    for await (const { action, name, about } of store.changes.list({ run })) changes.push([action, name, about]);
    assert.deepEqual(changes[0], ['assign', 'Ada', first]);
    assert.deepEqual(
      changes.slice(2).map((change) => (change as unknown[])[2]),
      ['Grace Hopper', undefined],
    );
    await store.settled(run, 'ended', 60_000);
  });

test('whatever comes from data is text in the mail, and its subject is one line of limited length', () => {
  const hostile = `<script>alert("1")</script>'&\r\nX-Evil: 1\u2028\u0000`;
  const task = {
    task: 't',
    run: 'r',
    question: hostile.repeat(40),
    due: '2026-03-01T09:00:00.000Z',
    url: 'https://wf.example.com/tasks/t?key=k&a=b',
  };
  const pairs = Object.fromEntries(
    taskMail({ addressee: 'a@b.example', workflow: hostile, task, choices: [hostile], isReminder: false }),
  );
  assert.doesNotMatch(String(pairs.subject), /[\r\n\u0000\u2028]/);
  assert.equal([...String(pairs.subject)].length, 200);
  const html = String(pairs.html);
  assert.doesNotMatch(html, /<script|"1"|'&/);
  assert.match(html, /<p>Due: 2026-03-01 09:00 UTC<\/p>/);
  assert.match(html, /&lt;script&gt;alert\(&quot;1&quot;\)&lt;\/script&gt;&#39;&amp;/);
  assert.match(html, /href="https:\/\/wf\.example\.com\/tasks\/t\?key=k&amp;a=b"/);
});

test('pages of the tasks of one person continue where they ended', async (t) => {
  const one = await apiServer(t);
  for (let n = 0; n < 7; n++)
    await one.post('/addressed', { order: n, manager: n % 2 === 0 ? 'ada@example.com' : 'grace@example.com' });
  const found: unknown[] = [];
  let cursor: string | undefined;
  do {
    const page = await one.store.tasks({ for: 'ada@example.com', limit: 3, ...(cursor === undefined ? {} : { cursor }) });
    assert.ok(page.tasks.length <= 3);
    found.push(...page.tasks.map(({ question }) => question));
    cursor = page.next;
  } while (cursor !== undefined);
  assert.deepEqual(
    found.sort(),
    [0, 2, 4, 6].map((n) => `approve the order ${n}`),
  );
});

test('with --user-header, only the addressee or an operator answers, by program and on the page', async (t) => {
  const links: string[] = [];
  const chat = createServer((request, response) => {
    let sent = '';
    request.on('data', (part) => {
      sent += String(part);
    });
    request.on('end', () => {
      const { pathname, search } = new URL((JSON.parse(sent) as { url: string }).url); // sent by wf
      links.push(pathname + search);
      response.end('{}');
    });
  });
  await new Promise<void>((resolve) => chat.listen(0, '127.0.0.1', resolve));
  t.after(() => chat.close());
  const { env, open } = await testStore(t);
  env.CHAT = `http://127.0.0.1:${(chat.address() as AddressInfo).port}/`; // a server that listens on TCP has such an address
  const store = await open();
  await store.serve();
  const one = await apiServer(t, { userHeader: 'X-User', operatorToken: 'operator-token', console: true, env }, store);
  const operator = { authorization: 'Bearer operator-token' };
  const runs: string[] = [];
  const runsOf = async (person: string): Promise<unknown[]> => {
    const { tasks } = body(await one.get(`/tasks?for=${encodeURIComponent(person)}`, operator));
    return (tasks as readonly TaskView[]).map(({ run }) => run); // the form of this address
  };
  for (const order of [1, 2, 3, 4]) {
    runs.push(runOf(await one.post('/addressed', { order, manager: 'ada@example.com' })));
    await until(() => links.length === order);
  }
  assert.deepEqual(await runsOf('nobody@example.com'), []);
  assert.deepEqual((await runsOf('Ada@Example.com')).sort(), [...runs].sort());
  const listed = async (person: string) =>
    (await fetch(`${one.url}/console/tasks?for=${encodeURIComponent(person)}`, { headers: operator })).text();
  assert.match(await listed('ada@example.com'), /approve the order 3/);
  assert.doesNotMatch(await listed('"><script>@example.com'), /approve the order 3|"><script>/);
  const [byOther = '', byOperator = '', byNobody = '', onPage = ''] = links;
  const answer = { answer: 'approve', by: 'ada@example.com' };
  assert.equal((await one.post(byOther, answer, { 'x-user': 'grace@example.com' })).status, 403);
  assert.equal((await one.post(byNobody, answer)).status, 403, 'whoever the proxy did not name');
  assert.equal((await one.post(byOther, answer, { 'x-user': 'ADA@example.com' })).status, 200);
  assert.equal((await one.post(byOperator, answer, { ...operator, 'x-user': 'chief@example.com' })).status, 200);
  const form = (user: string) =>
    fetch(`${one.url}${onPage}`, {
      method: 'POST',
      body: 'answer=decline',
      redirect: 'manual',
      headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'text/html', 'x-user': user },
    });
  const page = async (user: string) =>
    (await fetch(`${one.url}${onPage}`, { headers: { accept: 'text/html', 'x-user': user } })).text();
  assert.match(await page('grace@example.com'), /Only the person it is addressed to.* You are grace@example\.com/);
  assert.doesNotMatch(await page('grace@example.com'), /<form/);
  assert.match(await page('ada@example.com'), /<form/);
  const refused = await form('grace@example.com');
  assert.equal(refused.status, 403);
  assert.match(await refused.text(), /addressed to someone else/);
  assert.equal((await form('ada@example.com')).status, 303);
  for (const [index, decision, who] of [
    [0, 'approve', 'ADA@example.com'],
    [1, 'approve', 'chief@example.com'],
    [3, 'decline', 'ada@example.com'],
  ] as const)
    assert.deepEqual((await one.store.settled(runs[index] ?? '', 'ended', 60_000))?.outputs, { decision, who });
  await checkDocument(one, operator);
});
