// `wf test` as a whole: cases, coverage, runs without cases, folders, conflicting options; and nothing leaves the machine.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { test } from 'node:test';
import tls from 'node:tls';
import { UsageError } from '../../src/engine/usage-error.js';
import { cli } from '../root.js';
import { folderWithData, sample, wfTest } from './in-memory-io.js';

const read = (name: string): string => readFileSync(sample(name), 'utf8');
const order = read('order.wf');
const level = (value: number): object => ({ Stock: { 'get stock': { level: value } } });
const input = { sku: 'A1' };

test('passing cases: one line each, what no case reaches, the count', async (context) => {
  const folder = folderWithData(context, {
    'order.wf': order,
    'order.test.json': [
      {
        name: 'in stock',
        input,
        mocks: level(3),
        expect: {
          status: 'completed',
          outputs: { level: 3 },
          calls: [{ service: 'Stock', path: '/items/A1' }, { service: 'Alerts' }],
        },
      },
      { name: 'sold out', input, mocks: level(0), expect: { status: 'rejected', message: 'sold out', logs: [] } },
    ],
  });
  assert.deepEqual(await wfTest(folder, ['order.wf']), {
    exit: 0,
    out: [
      '✓ in stock',
      '✓ sold out',
      '',
      'Not covered by any case in order.wf:',
      '    line 18: "if still failing:" taken',
      '    line 19: reject with "stock is not available"',
      '11 of 13 lines and branches are covered.',
      '',
      '2 passed',
      '',
    ].join('\n'),
    err: '',
  });
});

test('a failing case shows each difference; an unused mock answer is a warning', async (context) => {
  const folder = folderWithData(context, {
    'order.wf': order,
    'order.test.json': [
      { name: 'wrong level', input, mocks: level(3), expect: { status: 'completed', outputs: { level: 4, line: 'x' } } },
      { name: 'down', input, mocks: { Stock: { get: { status: 500 }, gte: 1 } }, expect: { status: 'rejected' } },
    ],
  });
  const { exit, out, err } = await wfTest(folder, ['order.wf']);
  assert.equal(exit, 1);
  assert.match(
    out,
    /^✗ wrong level\n {4}outputs\.level: expected 4, got 3\n {4}outputs\.line: expected "x", got "mock answer to: write a line about A1"\n✓ down\n/,
  );
  assert.match(out, /\n {4}line 21: reject with "sold out"\n/);
  assert.match(out, /\n1 passed, 1 failed\n$/);
  assert.equal(err, 'Warning in order.test.json, case "down": the mock answer Stock: "gte" was never used.\n');
});

test('a case sees its own environment, clock and answers, and nothing of the shell or of another case', async (context) => {
  const turns = { Counter: { 'get next': { inTurn: [1, 2] } } };
  const expected = (token: string | null, day: string): object => ({
    status: 'completed',
    outputs: { token, day, first: 1, second: 2 },
  });
  const folder = folderWithData(context, {
    'isolated.wf': read('isolated.wf'),
    'turns.json': { $schema: 'x', ...turns },
    'isolated.test.json': [
      {
        name: 'one',
        env: { TOKEN: 'from the case' },
        now: '2026-02-28T23:59:00-01:00',
        mocks: turns,
        expect: expected('from the case', '2026-03-01'),
      },
      { name: 'two', now: '2024-02-29', mocks: 'turns.json', expect: expected(null, '2024-02-29') },
      { name: 'three', now: '2024-02-29', mocks: 'turns.json', expect: expected(null, '2024-02-29') },
    ],
  });
  const { exit, out } = await wfTest(folder, ['isolated.wf'], {}, { env: { TOKEN: 'from the shell' } });
  assert.match(out, /^✓ one\n✓ two\n✓ three\n/);
  assert.equal(exit, 0);
});

test('without cases: prints the outcome and the calls; rejected is fine, an error is not', async (context) => {
  const folder = folderWithData(context, {
    'everything.wf': read('everything.wf'),
    'broken.wf': read('broken.wf'),
    'fails.wf': read('fails.wf'),
  });
  const request = '{"items":[{"sku":"a b","price":3,"level":[1,2]}],"book":"x"}';
  const { exit, out, err } = await wfTest(
    folder,
    ['everything.wf'],
    { input: request },
    { env: { STOCK_TOKEN: 'a-long-token' } },
  );
  assert.equal(err, '');
  assert.equal(exit, 0);
  assert.match(
    out,
    /^a b is done\nWorkflow completed\.\n\nCalls, all answered by mock services:\n {4}update stock of item using Stock: PUT https:\/\/\[redacted\]:\[redacted\]@stock\.invalid\/v1\/items\/a%20b\n {8}level: \[1,2\]\n {8}by: wf \S+\n {4}ask Writer \(anthropic\/claude-sonnet-4-5\) to say it in one line\n {8}total: 3\n {4}record entry using Ledger: plugin \.\/ledger\.mjs at \/book\/x\n {8}total: 3\n {4}send alert using Alerts: POST \{env\.ALERTS_URL\}\n {8}text: mock answer to: say it in one line\n$/,
  );
  const failed = await wfTest(folder, ['fails.wf']);
  assert.equal(failed.exit, 1);
  assert.match(failed.err, /^Error in fails\.wf, line 8 \(WF601\):/);
  const broken = await wfTest(folder, ['broken.wf']);
  assert.equal(broken.exit, 1);
  assert.match(broken.err, /I don't know the service "Nobody"/);
  assert.equal(broken.out, '');
  const mocked = await wfTest(folder, ['everything.wf'], { input: request, mocks: 'm.json' }).catch(
    (error: Error) => error.message,
  );
  assert.equal(mocked, "m.json can't be read: it does not exist.");
});

test('reports cases without a workflow in any test, and fails with --strict', async (context) => {
  const cases = [{ name: 'sold out', input, mocks: level(0), expect: { status: 'rejected' } }];
  const folder = folderWithData(context, {
    'one/order.wf': order,
    'one/orders.test.json': cases,
    'two/order.wf': order,
    'two/order.test.json': cases,
    'two/old/refund.test.json': [],
    'two/.old/refund.test.json': [],
  });
  const stray = `Warning: ${path.join('one', 'orders.test.json')} belongs to no workflow: there is no orders.wf next to it. Did you mean order.wf?\n`;
  for (const target of ['one', 'one/order.wf']) {
    const { exit, err } = await wfTest(folder, [target]);
    assert.deepEqual({ exit, err }, { exit: 0, err: stray }, target);
  }
  const strict = await wfTest(folder, ['one'], { strict: true });
  assert.deepEqual({ exit: strict.exit, err: strict.err }, { exit: 1, err: `${stray}--strict: 1 warning counted as failed.\n` });
  // Cases next to a file with its own cases don't matter; in a folder they do.
  assert.equal((await wfTest(folder, ['two/order.wf'])).err, '');
  assert.match(
    (await wfTest(folder, ['two'])).err,
    /^Warning: two.old.refund\.test\.json belongs to no workflow: .* no refund\.wf next to it\.\n$/,
  );
  assert.equal((await wfTest(folder, ['two/order.wf'], { strict: true })).exit, 0);
});

test('a workflow that a finished branch has called does nothing more, and a message that was waited for was waited for', async (context) => {
  const of = (body: string, services = ''): string =>
    `config:\n    name: "Case"\n    version: 1\n\nservices:\n    Api is an API at "https://api.example.com"\n${services}\nworkflow:\n    trigger: t\n\n${body}`;
  const folder = folderWithData(context, {
    'part.wf': of('    wait 5 days\n    send late using Api at "/late"\n'),
    'case.wf': of(
      '    at the same time, until one is done:\n        run part using Part\n        wait for go\n        wait 1 day\n    wait 10 days\n    send it using Api at "/after"\n',
      '    Part is a workflow at "./part.wf"\n',
    ),
    'case.test.json': [
      { name: 'late', messages: { go: 'none', gone: 'none' }, expect: { status: 'completed', calls: [{ path: '/after' }] } },
    ],
  });
  const { exit, err } = await wfTest(folder, ['case.wf']);
  assert.deepEqual([exit, err], [0, 'Warning in case.test.json, case "late": no line waited for the message "gone".\n']);
});

test('reports mock answers for a service that does not exist', async (context) => {
  const none = { name: 'sold out', input, expect: { status: 'rejected' } };
  const folder = folderWithData(context, {
    'order.wf': order,
    'order.test.json': [
      { ...none, mocks: { ...level(0), Alert: { send: 1 } } },
      { ...none, name: 'far', mocks: { ...level(0), Weather: { get: 1 } } },
    ],
    'plain.wf': read('plain.wf'),
    'mocks.json': { Stock: {} },
  });
  const { err } = await wfTest(folder, ['order.wf']);
  assert.deepEqual(err.split('\n'), [
    'Warning in order.test.json, case "sold out": the workflow has no service "Alert" for these mock answers. Did you mean "Alerts"?',
    'Warning in order.test.json, case "far": the workflow has no service "Weather" for these mock answers; it has Stock, Alerts, Writer.',
    '',
  ]);
  const plain = await wfTest(folder, ['plain.wf'], { mocks: 'mocks.json' });
  assert.match(plain.err, /Warning: the workflow has no service "Stock" for these mock answers; it declares none\./);
});

test('a folder: tests every workflow, reports a stray case file, and counts everything together', async (context) => {
  const folder = folderWithData(context, {
    'w/plain.wf': read('plain.wf'),
    'w/deep/order.wf': order,
    'w/deep/order.test.json': [{ name: 'sold out', input, mocks: level(0), expect: { status: 'completed' } }],
    'w/plane.test.json': [],
    'w/node_modules/x/other.wf': 'not looked at',
  });
  const { exit, out, err } = await wfTest(folder, ['w']);
  assert.equal(exit, 1);
  assert.match(
    out,
    /^w\/deep\/order\.wf:\n✗ sold out\n {4}status: expected completed, got rejected\n {8}sold out\n[\s\S]*\n\nw\/plain\.wf:\n✓ ran once, without cases: completed\n\n1 passed, 1 failed, in 2 workflows\n$/,
  );
  assert.equal(
    err,
    `Warning: ${path.join('w', 'plane.test.json')} belongs to no workflow: there is no plane.wf next to it. Did you mean plain.wf?\n`,
  );
  assert.equal(
    (await wfTest(folder, ['w', 'w/plain.wf', './w/plain.wf'])).out,
    out,
    'a workflow that is named twice is tested once',
  );
});

test('reports a workflow with errors among several in its place', async (context) => {
  const folder = folderWithData(context, {
    'a.wf': read('broken.wf'),
    'a.test.json': [{ name: 'any', expect: { status: 'completed' } }],
    'b.wf': read('broken.wf'),
    'c.wf': read('plain.wf'),
  });
  const refused = '✗ not run: the file has errors\n';
  assert.equal(
    (await wfTest(folder, ['.'])).out,
    `a.wf:\n${refused}\nb.wf:\n${refused}\nc.wf:\n✓ ran once, without cases: completed\n\n1 passed, 2 failed, in 3 workflows\n`,
  );
});

test('refuses conflicting options before anything runs', async (context) => {
  const cases = (...names: string[]): object[] => names.map((name) => ({ name, expect: { status: 'completed' } }));
  const folder = folderWithData(context, {
    'one.wf': read('plain.wf'),
    'one.test.json': cases('a'),
    'two.wf': read('plain.wf'),
    'two.test.json': cases('a', 'b'),
    'plain.wf': read('plain.wf'),
    'm.json': {},
  });
  const refusal = async (...args: Parameters<typeof wfTest> extends [string, ...infer Rest] ? Rest : never): Promise<string> => {
    const error: unknown = await wfTest(folder, ...args).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    assert.ok(error instanceof UsageError, String(error));
    return error.message;
  };
  assert.equal(
    await refusal(['one.wf'], { input: '{}' }),
    "You can't use --input with one.wf: the cases in one.test.json define their own input and mocks.",
  );
  assert.equal(
    await refusal(['plain.wf', 'one.wf'], { mocks: 'm.json' }),
    "You can't use --mocks with one.wf: the cases in one.test.json define their own input and mocks.",
  );
  assert.equal(
    await refusal(['two.wf'], { outputLog: 'log.json' }),
    '--output-log writes the log of a single run, but these are 2.',
  );
  assert.equal(
    await refusal(['one.wf'], { dryRun: true, outputLog: 'log.json' }),
    '--dry-run runs nothing, so --output-log has no log to write.',
  );
  assert.equal(await refusal(['one.test.json']), "wf can't test one.test.json: the name of a workflow must end in .wf.");
  assert.equal(await refusal(['nothing-here.wf']), "nothing-here.wf can't be read: it does not exist.");
  assert.equal(existsSync(path.join(folder, 'log.json')), false);
  assert.equal((await wfTest(folder, ['one.wf'], { outputLog: 'log.json' })).exit, 0);
  assert.equal(JSON.parse(readFileSync(path.join(folder, 'log.json'), 'utf8')).mock, true);
});

test('--verbose shows steps, calls and variables of each case', async (context) => {
  const folder = folderWithData(context, {
    'order.wf': order,
    'order.test.json': [{ name: 'sold out', input, mocks: level(0), expect: { status: 'rejected' } }],
  });
  const { err } = await wfTest(folder, ['order.wf'], { verbose: true });
  assert.match(
    err,
    /^case sold out:\nstep Check\nline 14: Stock GET https:\/\/stock\.invalid\/items\/A1: 200, \d+ ms, attempt 1\nline 14: stock = \{"level":0\}\nstep Check ended after \d+ ms\n$/,
  );
});

test('Ctrl+C: starts nothing else and exits with 1', async (context) => {
  const cases = ['a', 'b'].map((name) => ({ name, input, expect: { status: 'completed' } }));
  const folder = folderWithData(context, { 'order.wf': order, 'order.test.json': cases });
  assert.deepEqual(await wfTest(folder, ['order.wf'], {}, { stopped: true }), {
    exit: 1,
    out: '',
    err: 'Interrupted. The remaining tests did not run.\n',
  });
});

test('opens no socket for any kind of service, and loads no plugin', async (context) => {
  const folder = folderWithData(context, {
    'everything.wf': read('everything.wf'),
    'ledger.mjs': 'globalThis.wfLedgerWasLoaded = true; export const call = () => ({ value: 1 });',
    'everything.test.json': [
      {
        name: 'all kinds',
        input: { items: [{ sku: 'A', price: 200, level: 1 }], book: 'b' },
        expect: {
          status: 'completed',
          outputs: { total: 200 },
          calls: ['Stock', 'Writer', 'Ledger', 'Alerts'].map((service) => ({ service })),
        },
      },
    ],
  });
  const opened: string[] = [];
  const refuse = (what: string) => (): never => {
    opened.push(what);
    throw new Error(`${what} opened a socket`);
  };
  context.mock.method(net.Socket.prototype, 'connect', refuse('net'));
  context.mock.method(net, 'connect', refuse('net'));
  context.mock.method(net, 'createConnection', refuse('net'));
  context.mock.method(tls, 'connect', refuse('tls'));
  context.mock.method(globalThis, 'fetch', refuse('fetch'));
  const withCases = await wfTest(folder, ['everything.wf']);
  assert.match(withCases.out, /^✓ all kinds\n/);
  const once = await wfTest(folder, ['everything.wf'], { dryRun: true });
  assert.equal(once.exit, 0);
  assert.deepEqual(opened, []);
  assert.equal(Reflect.has(globalThis, 'wfLedgerWasLoaded'), false);
  assert.throws(() => net.connect(1), /opened a socket/, 'the guard works');
});

test('compiles a workflow with many cases once', async (context) => {
  const cases = Array.from({ length: 300 }, (_, index) => ({
    name: `case ${index}`,
    input,
    mocks: level(index),
    expect: { status: index === 0 ? 'rejected' : 'completed' },
  }));
  const folder = folderWithData(context, { 'order.wf': order, 'order.test.json': cases });
  const { exit, out } = await wfTest(folder, ['order.wf']);
  assert.equal(exit, 0);
  assert.match(out, /\n300 passed\n$/);
});

test('the command line: exit codes and streams', (context) => {
  const folder = folderWithData(context, { 'order.wf': order, 'order.test.json': '{"oops": 1}', 'plain.wf': read('plain.wf') });
  const wf = (...args: string[]): { status: number | null; stdout: string; stderr: string } =>
    spawnSync(process.execPath, [cli, 'test', ...args], {
      cwd: folder,
      encoding: 'utf8',
      env: { PATH: process.env.PATH, WF_CACHE: 'off' },
    });
  const { status, stdout, stderr } = wf('order.wf');
  assert.deepEqual([status, stdout], [2, '']);
  assert.match(stderr, /^wf: order\.test\.json, line 1: the file has no list of cases\.\n/);
  assert.deepEqual([wf('plain.wf').status, wf('plain.wf').stdout], [0, 'Workflow completed.\n']);
});
