// Line 61: keys in the query of an address, and the addresses of people and teams, are secrets. What a service echoes of them, and what
// someone writes, is hidden wherever runs are shown.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { after, type TestContext, test } from 'node:test';
import { querySecrets } from '../../runtime/run/secrets.js';
import { createOidc, readOidcRoles } from '../../src/access/oidc.js';
import { listen } from '../../src/server/process/http-server.js';
import { dropTemplate, testDatabase } from '../durable/test-database.js';
import { cli } from '../root.js';
import { until } from '../until.js';
import { startServerVictim, startVictim } from './victim.js';

/** Each in another place. */
const secrets = ['hidden-query-key', 'hidden-query-sig', 'hidden-path-token', 'hidden-team-address'] as const;
const [key, sig, token, team] = secrets;
/** In the file itself. */
const written = ['hidden-own-password', 'hidden-own-key', 'hidden-own-bearer', 'hidden-own-header', 'hidden-own-token'] as const;

const fileFor = (host: string): string => `config:
    name: "Echo"
    version: 1

services:
    Api is an API at "{env.API}"
    Team is a team notified at "{env.TEAM}"
    Own is an API at "http://ada:hidden-own-password@${host}/own?key=hidden-own-key"
    Other is an API at "http://${host}/other"
        with headers:
            Authorization: "Bearer hidden-own-bearer"

workflow:
    trigger: t

    get echo using Api at "/echo?token={env.PART}"
        save the result as echo
    log "the service says {echo.url}"
    get echo using Own at "/echo?token=hidden-own-token"
        save the result as own
    get echo using Other at "/echo"
        with headers:
            X-API-Key: "hidden-own-header"
        save the result as other
    ask Team to "approve {echo.url} {own.url} {other.key}" with note own.sender and other other.sender
        choose from "yes {echo.url}", "no"
        save the result as answer
        save the comment as comment
    if answer does not contain env.PART:
        reject with "The choice was changed."
    log "{comment}, {answer}"
    reject with "{echo.url} {env.TEAM} {own.url} {own.sender} {other.sender} {other.key}"
`;

/** Answers with the address that it was called at. */
async function echo(t: TestContext): Promise<{ base: string; notified: () => number }> {
  let notified = 0;
  const server = createServer((request, response) => {
    if (request.url?.startsWith('/hooks/') === true) notified++;
    response.setHeader('Content-Type', 'application/json');
    const { authorization = '', 'x-api-key': key } = request.headers;
    const sender = authorization.replace(/^Basic (.*)/, (_, pair) => Buffer.from(pair, 'base64').toString());
    response.end(JSON.stringify({ url: request.url, sender, key }));
  });
  await listen(server, 0, '127.0.0.1');
  t.after(() => server.close());
  return { base: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, notified: () => notified };
}

after(dropTemplate);

for (const kind of ['a folder', 'PostgreSQL'] as const)
  test(`61. What a service echoes of an address stays hidden wherever runs are shown (${kind})`, async (t) => {
    const database = kind === 'PostgreSQL' ? await testDatabase() : undefined;
    if (kind === 'PostgreSQL' && database === undefined) return t.skip('There is no PostgreSQL here.');
    t.after(() => database?.drop());
    const store = database?.address ?? 'runs';
    const { base, notified } = await echo(t);
    const env = {
      API: `${base}/api?key=${key}&sig=${sig}&page=visible`,
      TEAM: `${base}/hooks/${team}`,
      PART: token,
      WF_OPERATOR_TOKEN: 'operator-token-1',
    };
    const words = ['--store', store, '--console', '--verbose', '--output-log', 'logs'];
    const server = await startServerVictim(t, fileFor(new URL(base).host), { words, env });
    const at = `http://127.0.0.1:${server.port}`;
    const operator = { headers: { authorization: 'Bearer operator-token-1', accept: 'application/json' } };
    const pages: Record<string, string> = {};
    const show = async (path: string, accept = 'application/json'): Promise<string> => {
      const text = await (await fetch(at + path, { headers: { ...operator.headers, accept } })).text();
      pages[`${accept} ${path}`] = text;
      return text;
    };
    const started = await fetch(at, {
      method: 'POST',
      headers: { 'content-type': 'application/json', prefer: 'respond-async' },
      body: '{}',
    });
    const { run } = (await started.json()) as { run: string };
    await until(() => notified() === 1);
    const { tasks } = JSON.parse(await show('/tasks')) as { tasks: { task: string; choices: string[] }[] };
    const task = tasks[0]?.task ?? assert.fail('There is no task.');
    await show(`/tasks/${task}`);
    for (const path of ['/console/tasks', `/console/tasks/${task}`, `/console/runs/${run}`]) await show(path, 'text/html');
    const answer = { answer: tasks[0]?.choices[0], comment: `it was ${key} at ${env.TEAM}`, by: 'Ada' };
    const answered = await fetch(`${at}/tasks/${task}`, {
      method: 'POST',
      headers: { ...operator.headers, 'content-type': 'application/json' },
      body: JSON.stringify(answer),
    });
    pages['the answer'] = await answered.text();
    assert.equal(answered.status, 200, pages['the answer']);
    await until(async () => (await show(`/runs/${run}`)).includes('"rejected"'));
    assert.doesNotMatch(await show(`/runs/${run}`), /"message":"The choice/);
    for (const path of ['/runs', `/tasks/${task}`]) await show(path);
    for (const path of ['/console', '/console/runs', `/console/runs/${run}`, `/console/tasks/${task}`, '/console/tasks?closed=1'])
      await show(path, 'text/html');
    for (const line of [17, 19, 21, 25]) await show(`/console/runs/${run}?line=${line}`, 'text/html');
    const wf = (...given: string[]): string =>
      spawnSync(process.execPath, [cli, ...given, '--store', store], {
        cwd: server.folder,
        env: { PATH: process.env.PATH, HOME: server.folder, NO_COLOR: '1', ...env },
        encoding: 'utf8',
      }).stdout;
    pages['runs show'] = wf('runs', 'show', run);
    pages['runs show --json'] = wf('runs', 'show', run, '--json');
    pages['runs show --log'] = wf('runs', 'show', run, '--log');
    pages['runs list'] = wf('runs', 'list', '--json');
    pages['runs export'] = wf('runs', 'export');
    const { stdout, stderr } = await server.stop();
    pages.server = stdout + stderr;
    assert.match(pages['runs show'] ?? '', /page=visible/, 'the rest of the address is shown');
    const lines = fileFor(new URL(base).host)
      .split('\n')
      .filter((line) => line.includes('hidden-'));
    for (const [place, page] of Object.entries(pages)) {
      // The lines of the file are shown as somebody wrote them.
      const text = lines.reduce((shown, line) => shown.replace(line, ''), page.replace(/<code class="d\d">.*?<\/code>/g, ''));
      for (const secret of [...secrets, ...written])
        assert.ok(!text.includes(secret), `${secret} in ${place}: ${excerpt(text, secret)}`);
    }
  });

const excerpt = (text: string, secret: string): string =>
  text.slice(Math.max(0, text.indexOf(secret) - 200), text.indexOf(secret) + 60);

test('61. Which values of a query are secret', () => {
  const names = [
    'key',
    'api_key',
    'apiKey',
    'subscription-key',
    'token',
    'access_token',
    'sig',
    'X-Amz-Signature',
    'code',
    'auth_code',
  ];
  for (const name of [...names, 'password', 'pwd', 'client_secret', 'SECRET', 'X-Amz-Credential'])
    assert.deepEqual(querySecrets(`https://a/b?x=1&${name}=hidden#c`), ['hidden', 'hidden'], name);
  for (const name of ['page', 'keyword', 'country_code', 'postcode', 'tokens', 'secretary', 'signal', 'bypass'])
    assert.deepEqual(querySecrets(`https://a/b?${name}=shown`), [], name);
  assert.deepEqual(querySecrets('https://a/b?key=a%2Bb+c&%6Bey=second'), ['a%2Bb+c', 'a+b c', 'second', 'second']);
});

/** Every file below a folder, as text. */
const filesBelow = (folder: string): [name: string, text: string][] =>
  readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((entry) =>
    entry.isFile() && entry.name !== 'case.wf'
      ? [[entry.name, readFileSync(path.join(entry.parentPath ?? entry.path, entry.name), 'latin1')]]
      : [],
  );

test('26, 44. A secret is in no output and no file of a run, however a service sends it back', async (t) => {
  const secret = 'p&ss "w+rd/é-4711';
  const encoded = encodeURIComponent(secret);
  const forms = [
    secret,
    encoded,
    JSON.stringify(secret).slice(1, -1),
    Buffer.from(`ada:${secret}`).toString('base64'),
    'hidden-key-1',
  ];
  const service = createServer((request, response) => {
    response.statusCode = request.url?.includes('/fails') === true ? 500 : 200;
    response.setHeader('X-Echo', encoded);
    response.end(JSON.stringify({ forms, url: request.url, key: request.headers['x-key'] }));
  });
  await listen(service, 0, '127.0.0.1');
  t.after(() => service.close());
  const { port } = service.address() as AddressInfo;
  const file = `config:
    name: "Secret"
    version: 1

services:
    Api is an API at "{env.SVC_URL}"
        with headers:
            X-Key: "{env.API_TOKEN}"

workflow:
    trigger: t

    get it using Api at "/x"
        save the result as got
        save the response headers as headers
    log "{got.forms} {got.url} {got.key} {headers.x-echo}"
    get it using Api at "/fails"
`;
  for (const address of [
    `HTTP://ada:${encoded}@127.0.0.1:${port}/api?key=hidden-key-1`,
    `http://ada:${encoded}@127.0.0.1:${port}/a/../hidden-key-1`,
  ]) {
    const words = ['run', 'case.wf', '--verbose', '--record', 'record.json', '--output-log', 'log.json'];
    const env = { SVC_URL: address, API_TOKEN: secret };
    const { ended, folder } = startVictim(t, words, { files: { 'case.wf': file }, env });
    const { code, stdout, stderr } = await ended;
    assert.equal(code, 1, stderr);
    assert.match(stderr, /\{env\.SVC_URL\}|127\.0\.0\.1/);
    const isKey = address.includes('key=');
    for (const [name, text] of [['stdout', stdout], ['stderr', stderr], ...filesBelow(folder)])
      for (const form of isKey ? forms : forms.slice(0, -1))
        assert.ok(!text?.includes(form), `${form} in ${name}: ${excerpt(text ?? '', form)}`);
  }
});

test('49. What an OpenID provider echoes of secrets is hidden before its reason is cut, from the person and the operator', async (t) => {
  const [clientSecret, code, verifier] = ['hidden client secret of 40 characters!!!', 'hidden-code-1234567890', 'v'.repeat(43)];
  // The cut would go through it.
  const reason = `${'x'.repeat(275)} ${clientSecret} ${code} ${verifier}`;
  let issuer = '';
  const provider = createServer((request, response) => {
    const isToken = request.url === '/token';
    response.writeHead(isToken ? 400 : 200, { 'Content-Type': 'application/json' });
    const known = {
      issuer,
      authorization_endpoint: `${issuer}/auth`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/keys`,
    };
    response.end(JSON.stringify(isToken ? { error: 'invalid_client', error_description: reason } : known));
  });
  issuer = `http://127.0.0.1:${await listen(provider, 0, '127.0.0.1')}`;
  t.after(() => {
    provider.closeAllConnections();
    provider.close();
  });
  const news: string[] = [];
  const oidc = createOidc({
    issuer,
    clientId: 'wf',
    clientSecret,
    roles: 'roles.json',
    rolesOf: readOidcRoles('{"operator": ["*"]}', 'roles.json'),
    onNews: (sentence) => void news.push(sentence),
  });
  const attempt = { redirectUri: 'http://127.0.0.1:3000/back', state: 'state', nonce: 'nonce', verifier };
  const shown = await oidc.finish(`code=${code}&state=state`, attempt).then(
    () => assert.fail(),
    (error: Error) => error.message,
  );
  for (const sentence of [shown, ...news]) {
    assert.match(sentence, /invalid_client \(x+ \[redacte/);
    assert.doesNotMatch(sentence, /hidden|v{20}/);
  }
  assert.equal(news.length, 1);
});
