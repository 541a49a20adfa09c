// A server under attack still answers others: no turn of its event loop takes long, and /health answers during the attack.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { root } from '../root.js';
import { assertShortTurns, attack, CALL, ECHO, head, startServerVictim } from './victim.js';

const file = (name: string): string => readFileSync(path.join(root, 'test/attacks/files', name), 'utf8');

const health = 'GET /health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';

interface Attack {
  readonly workflow: string;
  readonly files?: Readonly<Record<string, string>>;
  /** What follows the first line of the request. */
  readonly parts: readonly string[];
  /** Number of concurrent requests. */
  readonly times?: number;
  readonly answer: RegExp;
  /** Milliseconds of processor time that a turn may take. */
  readonly longest?: number;
  readonly env?: Readonly<Record<string, string>>;
  readonly words?: readonly string[];
}

async function withstands(
  t: TestContext,
  { workflow, files = {}, parts, times = 1, answer, longest, env = {}, words = [] }: Attack,
): Promise<void> {
  const preload = path.join(root, 'test/attacks/files/longest-turn.cjs');
  const server = await startServerVictim(t, workflow, {
    files,
    env,
    node: ['--require', preload],
    words,
  });
  // The first requests load and compile what later ones use.
  assert.match(await attack(t, server.port, health).closed, / 200 /);
  if (times > 1) assert.match(await attack(t, server.port, ...parts).closed, answer);
  server.child.kill('SIGUSR2');
  assert.match(await attack(t, server.port, health).closed, / 200 /);
  let isOver = false;
  const over = Promise.all(Array.from({ length: times }, () => attack(t, server.port, ...parts).closed)).finally(() => {
    isOver = true;
  });
  let answered = 0;
  while (!isOver) {
    assert.match(await attack(t, server.port, health).closed, / 200 /);
    answered++;
  }
  for (const text of await over) assert.match(text, answer);
  const { stderr, code } = await server.stop();
  assert.equal(code, 0);
  assertShortTurns(t, stderr, longest);
  assert.ok(answered > 0);
}

const post = (body: string): string[] => [head(`Content-Length: ${body.length}`), body];

test('40, 65. Answers others while bodies of 20 clients come in one-byte pieces', (t) =>
  withstands(t, {
    workflow: ECHO,
    parts: [head('Transfer-Encoding: chunked'), '1\r\n \r\n'.repeat(60_000), '9\r\n{"a":"b"}\r\n0\r\n\r\n'],
    times: 20,
    answer: /^HTTP\/1\.1 200 /,
    // What is read of one client at once takes 10 on an idle machine, and more in the first turns. All of them together took 600.
    longest: 150,
  }));

/** The address of a service that answers every request with this. */
async function answering(t: TestContext, head: string, body: string): Promise<string> {
  const service = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => {
      socket.write(`HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n${head}Connection: close\r\n\r\n`);
      socket.end(body);
    });
  });
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
  t.after(() => void service.close());
  const bound = service.address();
  return `http://127.0.0.1:${typeof bound === 'object' ? bound?.port : ''}`;
}

test('40. Answers others while answers of a service come in one-byte pieces', async (t) => {
  const API = await answering(t, 'Transfer-Encoding: chunked\r\n', `${'1\r\n \r\n'.repeat(60_000)}1\r\n7\r\n0\r\n\r\n`);
  await withstands(t, { workflow: CALL, env: { API }, parts: post('{}'), times: 20, answer: /^HTTP\/1\.1 200 [\s\S]*"got":7/ });
});

test('54. Answers others while an answer of 600,000 keys is read, and put out', async (t) => {
  const body = JSON.stringify(Object.fromEntries(Array.from({ length: 600_000 }, (_, index) => [`k${index}`, 1])));
  const API = await answering(t, `Content-Length: ${body.length}\r\n`, body);
  // In one go, either took 700.
  const answer = /^HTTP\/1\.1 200 [\s\S]*"k599999":1\}\}\}$/;
  await withstands(t, { workflow: CALL, env: { API }, parts: post('{}'), answer, words: ['--store', 'runs'] });
});

const manyKeys = `{"a":1,"b":{${Array.from({ length: 600_000 }, (_, index) => `"k${index}":1`).join()}}}`;

// In one go, each took 700.
for (const [body, answer] of [
  [manyKeys, /^HTTP\/1\.1 200 [\s\S]*"got":1/],
  [manyKeys.slice(0, -1), /^HTTP\/1\.1 400 [\s\S]*Line 1, column 7088903: The JSON ends too early\./],
] as const)
  test(`54. Answers others while bodies of 600,000 keys are read (${answer.source.slice(12, 15)})`, (t) =>
    withstands(t, { workflow: ECHO, parts: post(body), times: 3, answer, words: ['--max-body', '20mb'] }));

test('50. Answers others while a long answer of an AI is read', async (t) => {
  const list = Array.from({ length: 600_000 }, (_, index) => `v${index}`);
  const content = JSON.stringify({ result: list, confidence: 1 });
  const body = JSON.stringify({ choices: [{ message: { content } }] });
  const OPENAI_BASE_URL = await answering(t, `Content-Length: ${body.length}\r\n`, body);
  const workflow = ECHO.replace('workflow:', 'services:\n    Writer is an AI using "openai/any"\n\nworkflow:').replace(
    / {4}complete with .*/,
    '    ask Writer to "List."\n        save the result as list\n    complete with count count of list',
  );
  // In one go, its 9 MB took 200.
  const answer = /^HTTP\/1\.1 200 [\s\S]*"count":600000/;
  await withstands(t, { workflow, env: { OPENAI_BASE_URL, OPENAI_API_KEY: 'x' }, parts: post('{}'), answer, longest: 130 });
});

const services = `services:
    Api is an API at "http://127.0.0.1:1"
    Files is a folder at "."

workflow:`;

const withServices = (lines: readonly string[]): string =>
  ECHO.replace('workflow:', services).replace(/ {4}complete with .*/, lines.map((line) => `    ${line}`).join('\n'));

const rows = Array.from({ length: 250_000 }, (_, index) => ({
  id: index,
  name: `customer ${index}`,
  note: `The note of "${index}".`,
}));

test('54. Answers others while a JSON file of 17 MB is read, and shown as text', (t) => {
  const lines = [
    'get all using Files at "all.json"',
    '    save the result as all',
    'set text to text of all',
    'log "All: {all}"',
    'log all',
    'set found to each one in [1] where "{all}" is text',
    'send it using Api at "/" with text text',
    '    on failure:',
    '        complete with found count of found and length count of text',
  ];
  const text = JSON.stringify(rows);
  const answer = new RegExp(`^HTTP/1\\.1 200 [\\s\\S]*"found":1,"length":${text.length}`);
  // In one go, reading the file took 170, and a text 310.
  return withstands(t, { workflow: withServices(lines), files: { 'all.json': text }, parts: post('{}'), answer, longest: 180 });
});

test('54. Answers others while a CSV file of 12 MB is read', (t) => {
  const lines = [
    'get all using Files at "all.csv"',
    '    save the result as all',
    'set one to last of all',
    'complete with last one.note',
  ];
  const text = `id,name,note\n${rows.map(({ id, name }) => `${id},${name},"The note of ""${id}"", at length."\n`).join('')}`;
  // In one go, it took 310.
  const answer = /^HTTP\/1\.1 200 [\s\S]*The note of \\"249999\\", at length\./;
  return withstands(t, { workflow: withServices(lines), files: { 'all.csv': text }, parts: post('{}'), answer, longest: 180 });
});

test('54. Answers others while the body of a call is written', (t) => {
  const lines = [
    'set all to request.a',
    'repeat at most 6 times:',
    '    set all to all plus all',
    'send numbers using Api at "/" with all all',
    '    on failure:',
    '        complete with failed failure.message',
    'complete with failed empty',
  ];
  const workflow = withServices(lines);
  // In one go, 6,400,000 numbers took 440.
  const body = JSON.stringify({ a: Array.from({ length: 100_000 }, (_, index) => index) });
  return withstands(t, { workflow, parts: post(body), answer: /^HTTP\/1\.1 200 [\s\S]*connection refused/, longest: 250 });
});

test('45. Answers others while fields of a long record are set, one statement after the other', (t) => {
  const body = JSON.stringify({
    record: Object.fromEntries(Array.from({ length: 30_000 }, (_, index) => [`field${index}`, index])),
  });
  const sets = (indent: string): string => Array.from({ length: 40 }, (_, index) => `${indent}set r.a${index} to 1\n`).join('');
  const lines = `    set r to request.record\n${sets('    ')}    repeat at most 2 times:\n${sets('        ')}    complete with a r.a19`;
  const workflow = ECHO.replace(/ {4}complete with .*/, lines);
  return withstands(t, { workflow, parts: post(body), answer: /^HTTP\/1\.1 200 [\s\S]*"a":1/ });
});

test('45. Answers others while fields of a long record and of a short one are set in turn', (t) => {
  const body = JSON.stringify({
    record: Object.fromEntries(Array.from({ length: 30_000 }, (_, index) => [`field${index}`, index])),
  });
  // A loop looks at the clock after a few rounds in any case, so each of its rounds must take long.
  const sets = '        set r.a to 1\n        set s.a to 1\n'.repeat(20);
  const lines = `    set r to request.record\n    set s to record with a 1\n    repeat at most 10 times:\n${sets}    complete with a r.a`;
  const workflow = ECHO.replace(/ {4}complete with .*/, lines);
  return withstands(t, { workflow, parts: post(body), answer: /^HTTP\/1\.1 200 [\s\S]*"a":1/ });
});

test('10. Answers others while a loop goes over 5 million items', (t) => {
  const lines = [
    'set total to 0',
    'for each x in request.a:',
    '    for each y in request.b:',
    '        set total to total plus 1',
    'complete with total total',
  ];
  const workflow = ECHO.replace(/ {4}complete with .*/, lines.map((line) => `    ${line}`).join('\n'));
  const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index);
  const body = JSON.stringify({ a: numbers(1_000), b: numbers(5_000) });
  return withstands(t, { workflow, parts: post(body), answer: /^HTTP\/1\.1 200 [\s\S]*"total":5000000/ });
});

test('41. Answers others while a run creates more text than it may output', (t) => {
  const text = 'x'.repeat(300_000);
  const body = JSON.stringify({ a: text, items: Array.from({ length: 20_000 }, () => 1) });
  const workflow = ECHO.replace(
    / {4}complete with .*/,
    '    set all to each item in request.items where item is 1\n    set all to request.a for each item in all\n    complete with all all',
  );
  return withstands(t, { workflow, parts: post(body), answer: /^HTTP\/1\.1 500 [\s\S]*more than 64 MB of text/ });
});

test('42. Answers others while a plugin reports an error of 200,000 spaces', (t) =>
  withstands(t, {
    workflow: file('fails.wf'),
    files: { 'fails.cjs': file('fails.cjs') },
    parts: post('{}'),
    times: 20,
    answer: /^HTTP\/1\.1 500 /,
  }));

test('45. Answers others while a loop has a few costly rounds after many cheap ones', (t) => {
  const body = JSON.stringify({
    record: Object.fromEntries(Array.from({ length: 8_000 }, (_, index) => [`field-${index}`, index])),
    numbers: Array.from({ length: 20_000 }, (_, index) => index),
    text: 'x'.repeat(100_000),
    light: Array.from({ length: 4_000 }, () => 1),
    heavy: Array.from({ length: 200 }, () => 1),
  });
  return withstands(t, {
    workflow: file('costly-rounds.wf'),
    parts: post(body),
    answer: /^HTTP\/1\.1 200 [\s\S]*"found":199990000/,
  });
});
