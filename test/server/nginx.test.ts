// `docs/deploy.md` behind a real nginx, with its configuration as it stands there: TLS, a path prefix, and two servers over one store that
// are restarted one after the other under load. Slow: WF_TEST_SLOW=1 runs it.
import assert from 'node:assert/strict';
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import { Agent, request } from 'node:https';
import { type AddressInfo, connect } from 'node:net';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { readPage } from '../docs/page.js';
import { freePort } from '../free-port.js';
import { cli, skipUnlessSlow } from '../root.js';
import { temporaryFolder } from '../temporary-folder.js';
import { until } from '../until.js';

const CLIENTS_PER_SECOND = 15;

const order = `config:
    name: "Order"
    version: 1

inputs:
    order is a whole number

services:
    Shop is an API at "{env.SHOP_URL}"

workflow:
    trigger: when an order arrives

    send order using Shop at "/orders/{request.order}"
        save the result as sent
    complete with order sent.order
`;

const approval = `config:
    name: "Approval"
    version: 1

services:
    Boss is a person notified at "{env.SHOP_URL}/chat"

workflow:
    trigger: by hand

    ask Boss to approve the plan
        choose from "yes", "no"
        save the result as answer
    complete with answer answer
`;

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

const agent = new Agent({ keepAlive: true, rejectUnauthorized: false });

function ask(url: string, body?: string, headers: Record<string, string> = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { agent, method: body === undefined ? 'GET' : 'POST', headers }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part) => {
        text += part;
      });
      response
        .on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }))
        .on('error', reject);
    });
    sent.on('error', reject).end(body);
  });
}

const json = { 'content-type': 'application/json' };

const isOpen = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.on('connect', () => resolve(true)).on('error', () => resolve(false));
    socket.on('connect', () => socket.destroy());
  });

/** Answers each order after a moment, and remembers what it was asked. */
async function startShop(t: TestContext): Promise<{ readonly url: string; readonly orders: string[]; readonly links: string[] }> {
  const orders: string[] = [];
  const links: string[] = [];
  const shop: Server = createServer(async (incoming, response) => {
    let text = '';
    for await (const part of incoming) text += String(part);
    if (incoming.url === '/chat') links.push(text);
    else {
      orders.push(incoming.headers['idempotency-key'] as string);
      await pause(700);
    }
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ order: Number(incoming.url?.split('/').at(-1)) }));
  }).listen(0, '127.0.0.1');
  // On a busy machine, a call could come on a connection that is just being closed.
  shop.keepAliveTimeout = 0;
  await once(shop, 'listening');
  t.after(() => {
    shop.close();
    shop.closeAllConnections();
  });
  return { url: `http://127.0.0.1:${(shop.address() as AddressInfo).port}`, orders, links };
}

class Servers {
  readonly #children = new Map<number, ChildProcess>();

  constructor(
    private readonly folder: string,
    private readonly env: NodeJS.ProcessEnv,
    private readonly publicUrl: string,
  ) {}

  async start(port: number): Promise<void> {
    const options = [
      '--port',
      String(port),
      '--store',
      'runs',
      '--public-url',
      this.publicUrl,
      '--drain',
      '1s',
      '--trust-proxy',
      '1',
      '--console',
    ];
    const child = spawn(process.execPath, [cli, 'serve', 'flows', ...options], {
      cwd: this.folder,
      env: this.env,
      stdio: 'ignore',
    });
    this.#children.set(port, child);
    await until(() => isOpen(port));
  }

  async stop(port: number): Promise<void> {
    const child = this.#children.get(port);
    assert.ok(child);
    const closed = once(child, 'close');
    child.kill('SIGTERM');
    assert.deepEqual(await closed, [0, null]);
  }

  kill(): void {
    for (const child of this.#children.values()) child.kill('SIGKILL');
  }
}

/** The configuration of the page, with free ports, a certificate of its own, and no need to be root. */
function configuration(folder: string, ports: { readonly https: number; readonly servers: readonly number[] }): string {
  const block = readPage('docs/deploy.md').blocks.find(({ language }) => language === 'nginx');
  assert.ok(block);
  const text = block.text
    .replace('127.0.0.1:3001', `127.0.0.1:${ports.servers[0]}`)
    .replace('127.0.0.1:3002', `127.0.0.1:${ports.servers[1]}`)
    .replace('listen 443 ssl', `listen 127.0.0.1:${ports.https} ssl`)
    .replaceAll('/etc/ssl/flows', path.join(folder, 'flows'));
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `    ${name}_temp_path ${path.join(folder, name)};`)
    .join('\n');
  return `pid ${path.join(folder, 'nginx.pid')};\nevents {}\nhttp {\n    access_log off;\n${temporary}\n${text}}\n`;
}

async function startNginx(t: TestContext, folder: string, servers: readonly number[]): Promise<string> {
  const https = await freePort();
  const certificate = ['-keyout', 'flows.key', '-out', 'flows.pem', '-days', '2', '-subj', '/CN=flows.example.com'];
  execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', ...certificate], { cwd: folder, stdio: 'ignore' });
  const file = path.join(folder, 'nginx.conf');
  writeFileSync(file, configuration(folder, { https, servers }));
  const nginx = spawn('nginx', ['-c', file, '-e', path.join(folder, 'nginx.log'), '-g', 'daemon off;'], { stdio: 'inherit' });
  t.after(async () => {
    // Its workers would survive SIGKILL to the first process, with their connections.
    const closed = once(nginx, 'close');
    nginx.kill('SIGTERM');
    await closed;
    agent.destroy();
  });
  await until(() => isOpen(https));
  return `https://127.0.0.1:${https}/workflows`;
}

const isMissing = (): string | false => {
  if (skipUnlessSlow !== false) return skipUnlessSlow;
  return spawnSync('nginx', ['-v']).status === 0 ? false : 'nginx is not installed';
};

test('behind nginx, links lead through it, and a rolling restart loses no request', { skip: isMissing() }, async (t) => {
  const folder = temporaryFolder(t, { 'flows/order.wf': order, 'flows/approval.wf': approval });
  mkdirSync(path.join(folder, 'runs'));
  const shop = await startShop(t);
  const ports = [await freePort(), await freePort()];
  const base = await startNginx(t, folder, ports);
  const servers = new Servers(folder, { PATH: process.env.PATH, HOME: folder, SHOP_URL: shop.url, WF_CACHE: 'off' }, base);
  t.after(() => servers.kill());
  for (const port of ports) await servers.start(port);

  // A person answers on the link of a notification.
  const accepted = await ask(`${base}/approval`, '{}', { ...json, prefer: 'respond-async' });
  assert.equal(accepted.status, 202);
  // Its address begins with the path that the proxy removes.
  const location = new URL(accepted.headers.location ?? '', base).pathname;
  assert.equal(location, `/workflows/runs/${accepted.headers['x-run-id']}`);
  assert.deepEqual(JSON.parse((await ask(`${base}/openapi.json`)).text).servers, [{ url: base }]);

  await until(() => shop.links.length > 0);
  const [link = ''] = /https:[^\s"\\]+/.exec(shop.links[0] ?? '') ?? [];
  assert.ok(link.startsWith(`${base}/tasks/`), link);
  const form = await ask(link);
  assert.equal(form.status, 200);
  const [, action = ''] = /<form[^>]* action="([^"]*)"/.exec(form.text) ?? [];
  const answered = await ask(new URL(action.replaceAll('&amp;', '&') || link, link).href, 'answer=yes', {
    'content-type': 'application/x-www-form-urlencoded',
  });
  assert.ok(answered.status < 400, `${answered.status} ${answered.text}`);

  const answers: Promise<Answer>[] = [];
  let isLoaded = true;
  const load = (async () => {
    while (isLoaded) {
      answers.push(ask(`${base}/order`, JSON.stringify({ order: answers.length }), json));
      await pause(1000 / CLIENTS_PER_SECOND);
    }
  })();
  const further = async (count: number): Promise<void> => {
    const before = shop.orders.length;
    await until(() => shop.orders.length >= before + count);
  };
  for (const port of ports) {
    await further(10);
    await servers.stop(port);
    await servers.start(port);
  }
  await further(5);
  isLoaded = false;
  await load;
  const lost: string[] = [];
  for (const [order, answer] of (await Promise.allSettled(answers)).entries()) {
    if (answer.status === 'rejected') lost.push(`${order}: ${answer.reason}`);
    else if (answer.value.status === 202) {
      const run = `${base}/runs/${answer.value.headers['x-run-id']}`;
      await until(async () => (await ask(run)).text.includes('"completed"'));
    } else if (answer.value.status !== 200 || !answer.value.text.includes(`"order":${order}`))
      lost.push(`${order}: ${answer.value.status} ${answer.value.text}`);
  }
  assert.ok(answers.length > 20, `only ${answers.length} requests`);
  assert.deepEqual(lost, []);
  assert.equal(new Set(shop.orders).size, answers.length, 'a request became two runs');
});
