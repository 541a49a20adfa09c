// Lines 54 and 56: expressions whose time grows much faster than the request. Others are answered meanwhile, and the time limit ends them.
import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import { root } from '../root.js';
import { assertShortTurns, attack, head, startServerVictim } from './victim.js';

const health = 'GET /health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';

const workflow = (lines: string, config = 'version: 1'): string => `config:
    name: "Long"
    ${config}

workflow:
    trigger: t

${lines
  .split('\n')
  .map((line) => `    ${line}`)
  .join('\n')}
`;

const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);
const texts = (count: number, letter: string): string[] => numbers(count).map((number) => `${letter}${number}`);
const shared = 'set a to [1]\nset b to [1]\nrepeat at most 200 times:\n    set a to [a, a]\n    set b to [b, b]\n';

interface Case {
  readonly config?: string;
  readonly lines: string;
  readonly request: unknown;
  readonly answer: RegExp;
  /** Milliseconds of processor time that a turn may take. */
  readonly longest?: number;
}

const overLimit = /^HTTP\/1\.1 500 [\s\S]*exceeded its time limit of 1 second/;
const either = /^HTTP\/1\.1 (?:200|500) /;
const fine = /^HTTP\/1\.1 200 /;

const cases: Readonly<Record<string, Case>> = {
  'three nested some over 2,000 numbers': {
    lines:
      'if some a in request.a satisfies some b in request.a satisfies some c in request.a satisfies a plus b plus c is 0:\n    complete with found true\ncomplete with found false',
    request: { a: numbers(2_000) },
    answer: overLimit,
  },
  'three nested every, in a condition after others': {
    lines:
      'if request.a is empty:\n    complete with found 0\notherwise if every a in request.a satisfies every b in request.a satisfies every c in request.a satisfies a plus b plus c is not 0:\n    complete with found true\ncomplete with found false',
    request: { a: numbers(2_000) },
    answer: overLimit,
  },
  '40,000 texts sought in 40,000': {
    lines: 'set found to each a in request.a where request.b contains a\ncomplete with found count of found',
    request: { a: texts(40_000, 'a'), b: texts(40_000, 'b') },
    answer: overLimit,
  },
  'a value for each of a list for each': {
    lines:
      'set found to (count of (each b in request.a where b is above a) for each a in request.a)\ncomplete with found count of found',
    request: { a: numbers(40_000) },
    answer: overLimit,
  },
  'positions and membership in long lists': {
    lines:
      'set found to each a in request.a where a is one of request.b or (position of a in request.b) exists\ncomplete with found count of found',
    request: { a: texts(40_000, 'a'), b: texts(40_000, 'b') },
    answer: overLimit,
  },
  'a pattern of many stars': {
    lines: 'set found to each a in request.texts where a is like request.pattern\ncomplete with found count of found',
    request: { texts: Array.from({ length: 40 }, () => 'a'.repeat(20_000)), pattern: `*${'a'.repeat(990)}b` },
    answer: either,
  },
  'a fixed pattern, sought in a text of 14 MB': {
    lines:
      'set text to request.text\nrepeat at most 4 times:\n    set text to "{text}{text}"\nset found to text is like "*aaaaaaaa?a@aaaaaaaab"\ncomplete with found found',
    request: { text: 'a'.repeat(900_000) },
    answer: either,
  },
  'working hours of all years': {
    config: 'timezone: "America/New_York"\n    working hours: "monday to friday 9:00 to 12:30, monday to friday 13:30 to 18:00"',
    lines:
      'set first to working hours from "{request.from}T00:00" to "9999-12-31T00:00"\nset last to "9999-12-31T00:00" minus first working hours\ncomplete with first first and last last',
    request: { from: '0001-01-01' },
    answer: fine,
  },
  'dates with names of months, read 90,000 times': {
    config: 'language: "pl"',
    lines:
      'set found to (date of "31 grudnia 2026" written as "D MMMM YYYY") for each a in request.a\ncomplete with found count of found',
    request: { a: numbers(90_000) },
    answer: either,
  },
  'a pattern for dates of 14 MB': {
    lines:
      'set text to request.text\nrepeat at most 4 times:\n    set text to "{text}{text}"\nset found to text of today written as text\ncomplete with found found',
    request: { text: "' '".repeat(300_000) },
    answer: /^HTTP\/1\.1 (?:400|500) [\s\S]*is not usable/,
  },
  'text replaced in 900 KB, many times': {
    lines:
      'set text to request.text\nfor each one in request.rounds:\n    set text to text with "a" replaced by "b"\n    set text to text with "b" replaced by "a"\ncomplete with found count of text',
    request: { text: 'a'.repeat(900_000), rounds: numbers(20) },
    answer: either,
  },
  'long lists sorted, grouped and made unique': {
    lines:
      'set one to request.a sorted\nset two to request.rows sorted by name\nset three to request.rows grouped by name\nset four to unique of request.rows\ncomplete with found count of four',
    request: { a: numbers(60_000).reverse(), rows: texts(20_000, 'n').map((name) => ({ name })) },
    answer: fine,
  },
  'a list of 2,000,000 numbers, sorted': {
    lines:
      'set all to []\nfor each round in request.rounds:\n    for each one in request.a:\n        add one to all\nset found to all sorted\ncomplete with found count of found',
    request: { a: numbers(100_000).reverse(), rounds: numbers(20) },
    answer: fine,
    longest: 100,
  },
  'structures that share their parts, compared': {
    lines: `${shared}complete with found a is b`,
    request: {},
    answer: /^HTTP\/1\.1 200 [\s\S]*"found":true/,
  },
  'structures that share their parts, sought and made unique': {
    lines: `${shared}set c to [a, a, 1]\nif c contains b:\n    set found to unique of [a, b]\ncomplete with found found`,
    request: {},
    answer: /^HTTP\/1\.1 500 [\s\S]*more than 64 MB of text/,
  },
  'structures that share their parts, put out': {
    lines: `${shared}complete with found a`,
    request: {},
    answer: /^HTTP\/1\.1 500 [\s\S]*more than 64 MB of text/,
  },
  'structures that share their parts, logged': {
    lines: `${shared}log a\ncomplete with found 1`,
    request: {},
    answer: /^HTTP\/1\.1 500 [\s\S]*more than 64 MB of text/,
  },
};

const preload = path.join(root, 'test/attacks/files/longest-turn.cjs');

for (const [title, { lines, config, request, answer, longest }] of Object.entries(cases)) {
  test(`54, 56. Answers others during ${title}`, async (t) => {
    // The limit ends some; a busy machine must not let it end others.
    const timeout = answer === overLimit || answer === either ? '1' : '60';
    const server = await startServerVictim(t, workflow(lines, config), {
      node: ['--require', preload],
      words: ['--timeout', timeout],
    });
    const small = JSON.stringify({ a: [], b: [], texts: [], text: '', rounds: [], rows: [], from: '2026-01-01' });
    // The first request compiles what later ones use.
    await attack(t, server.port, head(`Content-Length: ${small.length}`), small).closed;
    server.child.kill('SIGUSR2');
    assert.match(await attack(t, server.port, health).closed, / 200 /);
    const body = JSON.stringify(request);
    let isOver = false;
    const over = attack(t, server.port, head(`Content-Length: ${body.length}`), body).closed.finally(() => {
      isOver = true;
    });
    while (!isOver) assert.match(await attack(t, server.port, health).closed, / 200 /);
    assert.match(await over, answer);
    const { stderr, code } = await server.stop();
    assert.equal(code, 0);
    assertShortTurns(t, stderr, longest);
  });
}

test('54. A server in such an expression stops when it is told to', async (t) => {
  const { lines, request } = cases['three nested some over 2,000 numbers'] ?? assert.fail();
  const server = await startServerVictim(t, workflow(lines), { words: ['--grace', '1'] });
  const body = JSON.stringify(request);
  const over = attack(t, server.port, head(`Content-Length: ${body.length}`), body).closed;
  assert.match(await attack(t, server.port, health).closed, / 200 /);
  const { code } = await server.stop();
  assert.equal(code, 0);
  assert.match(await over, /the server stopped before the run had ended/);
});
