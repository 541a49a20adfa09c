// What must hold under bad input, faults and attack: a numbered list, and the tests that hold each line of it. A test in this folder begins
// with its numbers; those elsewhere are named here.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { root } from '../root.js';

const lines = 67;

/** File: names of tests, or their beginnings. `…` stands for a value in a name. */
type Elsewhere = Readonly<Record<string, readonly string[]>>;

const elsewhere: Readonly<Record<number, Elsewhere>> = {
  1: { compiler: ['emitted: text survives anywhere and never runs', 'emitted: input text reaches the outputs unchanged'] },
  2: { compiler: ['names: each name keeps its own value', 'names: a name that is never set is never one of JavaScript'] },
  3: { compiler: ['names: no workflow of the project reaches anything but its imports'] },
  6: { compiler: ['hostile: every file in fixtures/hostile has an error with a place', 'spans: line ends, a byte order mark'] },
  7: { compiler: ['programs: compiled programs and the evaluator agree'] },
  8: { runtime: ['fields: no key reads a prototype', 'fields: a field set under any name is own data'] },
  9: { server: ['routes: data of a body is data'] },
  11: {
    runtime: ['json: the digits of any integer survive unchanged', 'json: refuses excessive depth before anything recurses'],
  },
  12: { services: ['before-sending: a value is one segment', 'before-sending: does not send … in a path'] },
  13: { services: ['before-sending: no value changes host, port, literal path or the number of segments'] },
  14: { services: ['before-sending: does not send …'] },
  15: {
    services: ['faults: a redirect to another host keeps only harmless headers', 'faults: …: never follows a redirect'],
  },
  16: { services: ['faults: a silent service'] },
  17: { services: ['faults: 600 MB: fails at the limit'] },
  18: { services: ['retry: retries 5xx and a broken connection with the same key', 'retry: sends … once'] },
  19: { services: ['faults: a failure gives service, method, path as written'] },
  20: { server: ['routes: a body that is not a JSON object: 400', 'routes: content encodings', 'routes: wrong methods: 405'] },
  21: {
    server: [
      'access: requires a token before anything else',
      'access: two Authorization headers never pass',
      'settings: validates tokens',
    ],
  },
  22: { server: ['access: CORS: every answer has the headers', 'access: a preflight needs no token'] },
  23: { server: ['file-names: serves names with special characters', 'file-names: any base name has one path'] },
  24: { server: ['connections: answers slow headers and slow bodies with 408'] },
  25: { server: ['connections: continues the run of a client that leaves', 'shutdown: over the limit: 503', 'shutdown: 1,000'] },
  27: {
    runtime: ['redaction: prints one line, with nothing that controls a terminal'],
    engine: ['run-log: a log entry is one'],
    commands: ['output: no name of a file, no argument and no cell controls'],
  },
  28: { services: ['http: user and password in the address become Basic authorization and are never shown'] },
  29: { scheduler: ['scheduler: a run longer than the interval skips and reports what is due meanwhile'] },
  30: { scheduler: ['due-clock: day at 2:30 in', 'due-clock: month ends and leap days'] },
  31: { scheduler: ['timetable: refuses all other words', 'timetable: refuses an invalid cron expression'] },
  32: { scheduler: ['run-schedule: reads the input file again for each run'] },
  33: {
    server: [
      'shutdown: aborts runs as errors at the end of the grace time',
      'shutdown: closes idle keep-alive connections immediately',
      'process: a second signal ends it immediately, with 130',
    ],
  },
  34: { server: ['shutdown: reports a port in use, and a foreign host, in one sentence'] },
  35: { commands: ['output: a full disk'], engine: ['cache: runs without a cache', 'write-whole: a full disk'] },
  36: { input: ['csv: text is exact', 'sheet: …: reads every type of cell'] },
  37: { input: ['hostile-workbook: refuses a zip that claims to grow to 2 GB'] },
  38: { input: ['hostile-workbook: a comment whose ref is __proto__ leaves Object.prototype unchanged'] },
  39: { input: ['csv: reads 100,000 rows', 'sheet: reads 20,000 rows of an xlsx', 'options: a .json file: an object as it is'] },
  49: { services: ['faults: shows no part of a secret that a limit cuts in two'] },
  55: { server: ['pulse-watch: a worker that freezes before'], durable: ['frozen: a run whose process is killed ten times'] },
  59: { durable: ['flipped-bits: a flipped bit is noticed', 'damaged-rows: a store whose shared file is'] },
  66: { durable: ['store-encryption: A store at', 'store-encryption: Each refusal of an encrypted store'] },
};

const read = (...parts: string[]): string => readFileSync(path.join(root, 'test', ...parts), 'utf8');

/** The numbers before the names of the tests in this folder. */
function numbered(): Set<number> {
  const found = new Set<number>();
  for (const file of readdirSync(path.join(root, 'test/attacks')).filter((name) => name.endsWith('.test.ts')))
    for (const [, numbers = ''] of read('attacks', file).matchAll(/\btest\(\s*['"`]([\d, ]+)\. /g))
      for (const number of numbers.split(', ')) found.add(Number(number));
  return found;
}

test('every line of the list has a test', () => {
  const here = numbered();
  const all = Array.from({ length: lines }, (_, index) => index + 1);
  assert.deepEqual(
    all.filter((line) => !here.has(line) && elsewhere[line] === undefined),
    [],
  );
  assert.deepEqual(
    [...here].filter((line) => !all.includes(line)),
    [],
  );
});

test('the tests that are named here exist', () => {
  for (const [line, folders] of Object.entries(elsewhere))
    for (const [folder, names] of Object.entries(folders))
      for (const name of names) {
        const at = name.indexOf(': ');
        const text = read(folder, `${name.slice(0, at)}.test.ts`).replace(/\$\{[^}]*\}/g, '…');
        const starts = ["'", '"', '`'].map((quote) => `${quote}${name.slice(at + 2)}`);
        assert.ok(
          starts.some((start) => text.includes(start)),
          `line ${line}: ${folder}/${name}`,
        );
      }
});
