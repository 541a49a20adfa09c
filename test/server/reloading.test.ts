// `--watch`: changes of files, of their tables and of called workflows are served in the end, and a broken file keeps the last version.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { copyFileSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { prepare } from '../../src/engine/prepare/prepare.js';
import type { Preparation, Prepared } from '../../src/engine/prepare/prepared.js';
import { runWorker } from '../../src/server/process/workers.js';
import { readSettings } from '../../src/server/settings.js';
import { WorkflowSet } from '../../src/server/workflow-set.js';
import { cli, fixture } from '../root.js';
import { standIn } from '../stand-in.js';
import { temporaryFolder } from '../temporary-folder.js';
import { until } from '../until.js';
import { completed, fakeWorkflow } from './fake-workflow.js';
import { collect } from './test-server.js';

const saying = (word: string): Preparation => ({ ok: true, prepared: fakeWorkflow('flow', async () => completed({ word })) });

test('two looks at the same time come to the newest files', async (t) => {
  const folder = temporaryFolder(t);
  const write = (text: string): void => writeFileSync(path.join(folder, 'flow.wf'), text);
  write('zero');
  const going: ((preparation: Preparation) => void)[] = [];
  const set = new WorkflowSet('flow.wf', folder, () => new Promise((resolve) => going.push(resolve)));
  const loaded = set.load();
  await until(() => going.length === 1);
  going[0]?.(saying('zero'));
  await loaded;
  write('one');
  const first = set.reload();
  await until(() => going.length === 2);
  write('two');
  const second = set.reload();
  // A look that began would have asked by the next turn.
  await new Promise((resolve) => setImmediate(resolve));
  going[2]?.(saying('two'));
  going[1]?.(saying('one'));
  await first;
  await until(() => going.length === 3);
  going[2]?.(saying('two'));
  const { workflows } = await second;
  assert.deepEqual((await workflows?.[0]?.run({}))?.outputs, { word: 'two' });
  assert.equal((await set.reload()).workflows, undefined, 'nothing is left to serve');
});

test('a worker serves what changed while it was starting', async () => {
  const folder = { single: true, folder: '/', warnings: [], errors: [] };
  const [old, changed] = [saying('old'), saying('changed')];
  assert.ok(old.ok && changed.ok);
  const out: string[] = [];
  let reloaded = false;
  let end: () => void = () => undefined;
  const stopped = new Promise<void>((resolve) => {
    end = resolve;
  });
  const set = {
    async load() {
      process.emit('message', { type: 'wf:reload' }, undefined);
      await until(() => reloaded);
      return { ...folder, workflows: [old.prepared] };
    },
    async reload() {
      reloaded = true;
      return { workflows: [changed.prepared], news: [], diagnostics: [] };
    },
  };
  const settings = { ...readSettings({ port: '0', grace: '0' }, {}), verbose: true };
  let port: number | undefined;
  const { Server } = await import('node:http');
  const { listen } = Server.prototype;
  Server.prototype.listen = function (this: InstanceType<typeof Server>, ...args: Parameters<typeof listen>) {
    this.once('listening', () => {
      const address = this.address();
      port = typeof address === 'object' ? address?.port : undefined;
    });
    return listen.apply(this, args);
  } as typeof listen; // one of its overloads
  try {
    const worker = runWorker({
      set: standIn<WorkflowSet>(set),
      settings,
      env: {},
      cwd: '/',
      mock: false,
      stopped,
      startSchedules: () => assert.fail(),
      out: collect(out),
      err: collect(out),
    });
    await until(() => port !== undefined);
    const answer = await fetch(`http://127.0.0.1:${port}/`, {
      method: 'POST',
      body: '{}',
      headers: { 'Content-Type': 'application/json' },
    });
    end();
    await worker;
    assert.deepEqual(await answer.json(), { status: 'completed', outputs: { word: 'changed' } });
  } finally {
    Server.prototype.listen = listen;
  }
});

// `--watch`: the table files of a workflow belong to it. Changed rows count for the next run; a broken or missing file keeps the last
// version, and the message names the file, the row and the column.

const table = (cost: string, more = ''): string => `country is,weight is at most,cost\nDE,5,${cost}\n${more}any,any,29\n`;

interface Shop {
  readonly folder: string;
  readonly set: WorkflowSet;
  readonly prices: string;
  readonly workflows: readonly Prepared[];
}

async function shop(t: TestContext): Promise<Shop> {
  const folder = temporaryFolder(t);
  mkdirSync(path.join(folder, 'tables'));
  copyFileSync(fixture('server/shipping.wf'), path.join(folder, 'shipping.wf'));
  const prices = path.join(folder, 'tables/prices.csv');
  writeFileSync(prices, table('4.9'));
  const env = { WF_CACHE: path.join(folder, 'cache') };
  const set = new WorkflowSet('shipping.wf', folder, (file) => prepare(file, { cwd: folder, env }));
  const { errors, workflows } = await set.load();
  assert.deepEqual(errors, []);
  return { folder, set, prices, workflows };
}

async function costs(workflows: readonly Prepared[] | undefined): Promise<unknown> {
  const outcome = await workflows?.[0]?.run({ country: 'DE', weight: 3 }, { requestIsPlain: true });
  return outcome?.outputs?.cost;
}

test('changed rows count for the next run', async (t) => {
  const { set, prices, workflows } = await shop(t);
  assert.equal(await costs(workflows), 4.9);
  assert.deepEqual((await set.reload()).news, [], 'nothing has changed');
  writeFileSync(prices, table('5.5'));
  const changed = await set.reload();
  assert.deepEqual(changed.news, ['shipping.wf changed; now serving its new version.']);
  assert.equal(await costs(changed.workflows), 5.5);
  assert.equal(await costs(workflows), 4.9, 'a run in progress keeps its version');
});

const broken: readonly (readonly [string, string, RegExp])[] = [
  ['a row that is too long', table('5', 'AT,5,14.9,1\n'), /^\.\/tables\/prices\.csv, row 3, column D: /],
  ['an empty cell', table('5', ',5,14.9\n'), /^\.\/tables\/prices\.csv, row 3, column A: /],
  ['a cell of the wrong kind', table('5', 'AT,heavy,14.9\n'), /^\.\/tables\/prices\.csv, row 3, column B: "heavy" is a text/],
  ['a heading that is unknown', table('5').replace('at most', 'up to'), /^\.\/tables\/prices\.csv, row 1, column B: /],
  ['nothing', '', /^I can't use "\.\/tables\/prices\.csv" as a table: it is empty\.$/],
];

for (const [what, text, message] of broken)
  test(`${what} keeps the last version`, async (t) => {
    const { set, prices } = await shop(t);
    writeFileSync(prices, text);
    const refused = await set.reload();
    assert.deepEqual(refused.news, ['shipping.wf has errors; still serving its last valid version.']);
    assert.equal(refused.workflows, undefined, 'what is served stays');
    const [first] = refused.diagnostics;
    assert.match(first?.message ?? '', message);
    assert.deepEqual([first?.file, first?.line], ['shipping.wf', 6]);
    assert.deepEqual((await set.reload()).news, [], 'reported once');
    writeFileSync(prices, table('6.5'));
    const mended = await set.reload();
    assert.deepEqual(mended.news, ['shipping.wf changed; now serving its new version.']);
    assert.equal(await costs(mended.workflows), 6.5);
  });

test('a file that vanishes keeps the last version, and is found again', async (t) => {
  const { set, prices } = await shop(t);
  const before = readFileSync(prices, 'utf8');
  rmSync(prices);
  const refused = await set.reload();
  assert.deepEqual(refused.news, ['shipping.wf has errors; still serving its last valid version.']);
  assert.match(refused.diagnostics[0]?.message ?? '', /^I can't use "\.\/tables\/prices\.csv" as a table: /);
  assert.deepEqual((await set.reload()).news, [], 'reported once');
  writeFileSync(prices, before);
  assert.deepEqual((await set.reload()).news, [], 'the version that is still served');
  writeFileSync(prices, table('7'));
  assert.equal(await costs((await set.reload()).workflows), 7);
});

test('the server watches the folder of the table', { timeout: 60_000 }, async (t) => {
  const { folder, prices } = await shop(t);
  const server = spawn(process.execPath, [cli, 'serve', 'shipping.wf', '--port', '0', '--watch'], {
    cwd: folder,
    env: { ...process.env, WF_CACHE: 'off' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(server, 'exit');
  t.after(async () => {
    server.kill('SIGTERM');
    await ended;
  });
  let said = '';
  const news = new EventEmitter();
  for (const stream of [server.stdout, server.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      said += text;
      news.emit('said');
    });
  const waitFor = async (words: RegExp): Promise<RegExpExecArray> => {
    for (let found = words.exec(said); ; found = words.exec(said)) {
      if (found !== null) return found;
      await once(news, 'said');
    }
  };
  const [, url = ''] = await waitFor(/Listening on (http\S+)/);
  const ask = async (): Promise<unknown> => {
    const body = JSON.stringify({ country: 'DE', weight: 3 });
    const answer = await fetch(url, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body });
    return ((await answer.json()) as { outputs?: { cost?: unknown } }).outputs?.cost;
  };
  assert.equal(await ask(), 4.9);
  writeFileSync(prices, table('5.5'));
  await waitFor(/shipping\.wf changed/);
  assert.equal(await ask(), 5.5);
  writeFileSync(prices, table('6', 'AT,heavy,14.9\n'));
  await waitFor(/prices\.csv, row 3, column B: [\s\S]*still serving its last valid version/);
  assert.equal(await ask(), 5.5);
});

// `--watch`: a workflow changes when one that it calls does, is refused once while that has errors, and comes back when it is mended.

test('a change of a called workflow is a change of its caller', async (t) => {
  const folder = temporaryFolder(t);
  cpSync(fixture('server/called'), folder, { recursive: true });
  const rates = path.join(folder, 'parts/rates.wf');
  const env = { WF_CACHE: path.join(folder, 'cache') };
  const set = new WorkflowSet('order.wf', folder, (file) => prepare(file, { cwd: folder, env }));
  const rate = async (): Promise<unknown> => {
    const { outputs, message } = (await current.workflows[0]?.run({}, { requestIsPlain: true })) ?? {};
    return message ?? outputs;
  };
  const loaded = await set.load();
  assert.deepEqual(loaded.errors, []);
  let current: { workflows: (typeof loaded)['workflows'] } = loaded;
  assert.deepEqual((await set.reload()).news, []);
  copyFileSync(path.join(folder, 'parts/broken-rates.wf'), rates);
  const refused = await set.reload();
  assert.deepEqual(refused.news, ['order.wf has errors; still serving its last valid version.']);
  assert.deepEqual(
    refused.diagnostics.map(({ file, code }) => [file, code]),
    [
      ['order.wf', 'WF261'],
      [path.join('parts', 'rates.wf'), 'WF041'],
    ],
  );
  assert.deepEqual((await set.reload()).news, [], 'reported once');
  rmSync(rates);
  assert.deepEqual(
    (await set.reload()).diagnostics.map(({ code }) => code),
    ['WF260'],
  );
  copyFileSync(path.join(folder, 'parts/rejecting-rates.wf'), rates);
  const mended = await set.reload();
  assert.deepEqual(mended.news, ['order.wf changed; now serving its new version.']);
  current = { workflows: mended.workflows ?? [] };
  assert.equal(await rate(), 'Rates: get rate was rejected: rates are not known.');
  // From the cache, a caller is the same only with the same files.
  const again = await prepare('order.wf', { cwd: folder, env });
  assert.equal(again.ok && again.prepared.called?.length, 1);
});
