// Line 67: small holes, each with its attack.
import assert from 'node:assert/strict';
import { existsSync, readFileSync, renameSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { after, type TestContext, test } from 'node:test';
import { folderWith } from '../commands/wf.js';
import { dropTemplate, testDatabase } from '../durable/test-database.js';
import { until } from '../until.js';
import { attack, ECHO, type Server, startServerVictim } from './victim.js';

const workflow = (services: readonly string[], ...lines: readonly string[]): string =>
  [
    'config:',
    '    name: "Small"',
    '    version: 1',
    '',
    ...(services.length === 0 ? [] : ['services:', ...services.map((line) => `    ${line}`), '']),
    'workflow:',
    '    trigger: t',
    '',
    ...lines.map((line) => `    ${line}`),
    '',
  ].join('\n');

test('67. HTTP/1.0 with Transfer-Encoding closes the connection', async (t) => {
  const server = await startServerVictim(t, ECHO, {});
  const lines = ['POST / HTTP/1.0', 'Host: localhost', 'Connection: keep-alive', 'Content-Type: application/json'];
  const sent = [...lines, 'Transfer-Encoding: chunked', '', '7', '{"a":1}', '0', '', ''].join('\r\n');
  const answer = await attack(t, server.port, sent).closed;
  assert.match(answer, /^HTTP\/1\.1 200 /);
  assert.match(answer, /\r\nConnection: close\r\n/);
});

const OPERATOR = 'operator-token-1';

async function asking(t: TestContext): Promise<Server & { readonly at: string; readonly task: string }> {
  const file = workflow(
    ['Team is a team'],
    'ask Team to "say something"',
    '    save the result as said',
    'complete with said said',
  );
  const words = ['--store', 'runs', '--console', '--operator-token', OPERATOR];
  const server = await startServerVictim(t, file, { words });
  const at = `http://127.0.0.1:${server.port}`;
  await fetch(at, { method: 'POST', headers: { prefer: 'respond-async' } });
  let task: string | undefined;
  await until(async () => {
    const answer = await fetch(`${at}/tasks`, { headers: { authorization: `Bearer ${OPERATOR}` } });
    task = ((await answer.json()) as { tasks: { task: string }[] }).tasks[0]?.task;
    return task !== undefined;
  });
  return { ...server, at, task: task ?? '' };
}

const signIn = async (at: string): Promise<string> => {
  const body = new URLSearchParams({ token: OPERATOR, to: '/console' });
  const answer = await fetch(`${at}/console/sign-in`, { method: 'POST', body, redirect: 'manual' });
  return /wf-console=[^;]+/.exec(answer.headers.get('set-cookie') ?? '')?.[0] ?? assert.fail('no cookie');
};

/** The form token of a page. */
function hiddenIn(page: string): Record<string, string> {
  const [, name, value] = /<input type="hidden" name="([^"]+)" value="([^"]+)"/.exec(page) ?? assert.fail('no form');
  return { [String(name)]: String(value) };
}

after(dropTemplate);

for (const kind of ['a folder', 'PostgreSQL'] as const)
  test(`67. Signing out ends the session in every server over the store (${kind})`, async (t) => {
    const database = kind === 'PostgreSQL' ? await testDatabase() : undefined;
    if (kind === 'PostgreSQL' && database === undefined) return t.skip('There is no PostgreSQL here.');
    t.after(() => database?.drop());
    const store = database?.address ?? path.join(folderWith(t).path, 'runs');
    const words = ['--store', store, '--console', '--operator-token', OPERATOR];
    const servers = [await startServerVictim(t, ECHO, { words }), await startServerVictim(t, ECHO, { words })];
    const [one, two] = servers.map(({ port }) => `http://127.0.0.1:${port}/console`);
    const statuses = (cookie: string): Promise<number[]> =>
      Promise.all([one, two].map(async (at) => (await fetch(at ?? '', { headers: { cookie } })).status));
    const at = `http://127.0.0.1:${servers[0]?.port}`;
    const [cookie, other] = [await signIn(at), await signIn(at)];
    assert.deepEqual(await statuses(cookie), [200, 200]);
    const page = await (await fetch(two ?? '', { headers: { cookie } })).text();
    const body = new URLSearchParams(hiddenIn(page));
    const out = await fetch(`${two}/sign-out`, { method: 'POST', headers: { cookie }, body, redirect: 'manual' });
    assert.equal(out.status, 303);
    assert.deepEqual(await statuses(cookie), [401, 401], 'a copy of the cookie is worth nothing');
    assert.deepEqual(await statuses(other), [200, 200], 'other sessions remain');
    for (const server of servers) await server.stop();
  });

test('67. Bad bytes in addresses of the console are 400, and answers have one limit', async (t) => {
  const { at, port, task, folder } = await asking(t);
  const as = `Authorization: Bearer ${OPERATOR}\r\n`;
  for (const target of [
    '/console/%ff',
    '/console/runs/%',
    '/console/runs?q=%ff',
    '/console/runs?q=%00',
    '/console/runs/a%00',
    '/console/\xff',
  ])
    assert.match(
      await attack(t, port, Buffer.from(`GET ${target} HTTP/1.1\r\nHost: x\r\n${as}Connection: close\r\n\r\n`, 'latin1')).closed,
      /^HTTP\/1\.1 400 /,
      target,
    );
  assert.equal(
    (
      await fetch(`${at}/console/runs?q=${encodeURIComponent('müller & co')}`, {
        headers: { authorization: `Bearer ${OPERATOR}` },
      })
    ).status,
    200,
  );

  const cookie = await signIn(at);
  const long = 'x'.repeat(100_001);
  const fields = await (await fetch(`${at}/console/tasks/${task}`, { headers: { cookie } })).text();
  const form = new URLSearchParams({
    ...hiddenIn(fields),
    answer: 'yes',
    comment: long,
  });
  assert.equal((await fetch(`${at}/console/tasks/${task}`, { method: 'POST', headers: { cookie }, body: form })).status, 400);
  const json = { 'content-type': 'application/json', authorization: `Bearer ${OPERATOR}` };
  for (const body of [{ answer: long }, { answer: 'a', comment: long }, { answer: 'a', by: long }])
    assert.equal((await fetch(`${at}/tasks/${task}`, { method: 'POST', headers: json, body: JSON.stringify(body) })).status, 400);
  const { wf } = folderWith(t);
  const command = wf(['tasks', 'answer', task, 'a', '--comment', long, '--store', path.join(folder, 'runs')]);
  assert.equal(command.status, 2);
  assert.match(command.stderr, /more than 100,000 characters/);
});

test('67. The key of a link is compared whole', async (t) => {
  let url = '';
  const { createServer } = await import('node:http');
  const hook = createServer((request, response) => {
    let text = '';
    request.on('data', (data) => {
      text += data;
    });
    request.on('end', () => {
      url = (JSON.parse(text) as { url: string }).url;
      response.end('{}');
    });
  });
  await new Promise<void>((resolve) => hook.listen(0, '127.0.0.1', resolve));
  t.after(() => hook.close());
  const address = hook.address();
  const to = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/hook`;
  const file = workflow([`Team is a team notified at "${to}"`], 'ask Team to "say something"', 'complete');
  const server = await startServerVictim(t, file, { words: ['--store', 'runs', '--operator-token', OPERATOR] });
  await fetch(`http://127.0.0.1:${server.port}`, { method: 'POST', headers: { prefer: 'respond-async' } });
  await until(() => url !== '');
  const { pathname, search } = new URL(url);
  const link = `http://127.0.0.1:${server.port}${pathname}${search}`;
  assert.equal((await fetch(link)).status, 200);
  for (const more of ['!', '=', '.x', '%20', 'A']) assert.notEqual((await fetch(link + more)).status, 200, more);
});

test('67. A line that is added to a file is one line', (t) => {
  const file = workflow(
    ['Logs is a folder at "logs"'],
    'add line using Logs at "a.txt" with text request.text',
    '    on failure:',
    '        complete with problem failure.message',
    'complete',
  );
  const { wf, path: folder } = folderWith(t, { 'case.wf': file });
  const add = (text: string): string => wf(['run', 'case.wf', '--json', '--input', JSON.stringify({ text })]).stdout;
  add('first');
  for (const forged of ['a\nb', 'a\rb', 'a\u2028b']) assert.match(add(forged), /has several lines/, JSON.stringify(forged));
  add('last\n');
  assert.equal(readFileSync(path.join(folder, 'logs/a.txt'), 'utf8'), 'first\nlast\n');
});

test('67. A name that is no UTF-16 is refused, for files and in addresses', (t) => {
  const services = ['Logs is a folder at "logs"', 'Api is an API at "http://127.0.0.1:1"'];
  const handled = ['    on failure:', '        complete with problem failure.message'];
  const toFile = ['write text using Logs at "{request.name}.txt" with text "x"', ...handled, 'complete'];
  const toApi = ['get it using Api at "/{request.name}"', '    save the result as it', ...handled, 'complete with it it'];
  const { wf, path: folder } = folderWith(t, {
    'file.wf': workflow(services, ...toFile),
    'api.wf': workflow(services, ...toApi),
  });
  for (const file of ['file.wf', 'api.wf'])
    assert.match(wf(['run', file, '--json', '--input', '{"name":"a\\ud800"}']).stdout, /lone surrogate/, file);
  assert.equal(existsSync(path.join(folder, 'logs/a\ufffd.txt')), false);
});

test('67. A file of a store that is a link is refused', (t) => {
  const { wf, path: folder } = folderWith(t, { 'case.wf': ECHO });
  assert.equal(wf(['run', 'case.wf', '--store', 'runs']).status, 0);
  for (const name of ['common.db', 's0.db']) {
    const own = path.join(folder, 'runs', name);
    renameSync(own, path.join(folder, name));
    symlinkSync(path.join(folder, name), own);
    const refused = wf(['run', 'case.wf', '--store', 'runs']);
    assert.equal(refused.status, 2);
    assert.match(refused.stderr, new RegExp(`its file ${name} is a link`));
    renameSync(path.join(folder, name), own);
  }
  assert.equal(wf(['run', 'case.wf', '--store', 'runs']).status, 0);
});

test('47, 67. A module of Node.js or of another machine is no plugin', (t) => {
  const ofNode = ['fs', 'node:fs', 'fs/promises', 'child_process', 'node:child_process', 'vm'];
  for (const module of [...ofNode, '//host/share.js', '\\\\\\\\host\\\\share.js', 'package/../../other.js', 'wf-runtime']) {
    const file = workflow([`Disk is a plugin "${module}"`], 'write it using Disk with path "x"', 'complete');
    const { wf } = folderWith(t, { 'case.wf': file });
    for (const command of ['check', 'build']) {
      const { status, stdout, stderr } = wf([command, 'case.wf']);
      assert.notEqual(status, 0, `${command} ${module}`);
      assert.match(stdout + stderr, /WF066/, module);
    }
  }
});
