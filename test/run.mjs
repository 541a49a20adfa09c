// Bundles the test files with esbuild and runs them with node's test runner: `node test/run.mjs [filter...] [--name part] [--slow|--not-slow]`.
// A filter is part of a test file's path; `--name` runs only tests whose names contain that part; `--slow` runs, in full, the files that do
// more with WF_TEST_SLOW=1, and `--not-slow` only the others. UPDATE=1 rewrites golden fixtures, and WF_TEST_TIMES=1 shows what takes long.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { bundleTests } from '../esbuild.config.mjs';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const { values, positionals: filters } = parseArgs({
  options: {
    name: { type: 'string' },
    slow: { type: 'boolean', default: false },
    'not-slow': { type: 'boolean', default: false },
  },
  allowPositionals: true,
});
const out = path.join(root, '.test-build', String(process.pid));

/** What a file imports that does more with WF_TEST_SLOW=1: names of `root.ts`. */
const SLOWER = /\b(?:isSlow|someOf|skipUnlessSlow|runs)\b[^;]* from '[./]*root\.js'/;
/** What `npm test` leaves to `.ci/run`: files that take seconds, about what seldom changes. */
const LEFT_OUT = new Set(
  [
    'analysis/generated',
    'attacks/bodies',
    'attacks/expressions',
    'attacks/large-values',
    'attacks/memory',
    'attacks/other-work',
    'compiler/recovery',
    'docs/console-blocks',
    'durable/aborted-calls',
    'durable/called-kill-points',
    'durable/chaos',
    'durable/crashed-programs',
    'durable/damaged-rows',
    'durable/flipped-bits',
    'durable/flipped-records',
    'durable/full-disk',
    'durable/many-cancelled',
    'durable/missing-files',
    'durable/postgres-faults',
    'durable/power-cuts',
  ].map((name) => `${name}.test.ts`),
);
/** What takes longest in `.ci/run`, so that it begins first. */
const LONGEST = [
  'server/dockerfile',
  'console/browser/second-look',
  'analysis/mistakes',
  'analysis/generated',
  'compiler/programs',
  'package/package',
].map((name) => `${name}.test.ts`);
const textOf = (name) => readFileSync(path.join(root, 'test', name), 'utf8');
/** Whether it is all quick or all slow tests. Those with browsers and many processes may fail on a machine that is far too busy. */
const isWhole = filters.length === 0 && values.name === undefined;
/** Whether it is `npm test` as a whole. It also runs most tests of the engine with one kind of store (`durable/test-store.ts`). */
const isQuick = isWhole && !values.slow;
const isChosen = (name) => {
  if (filters.length > 0 && !filters.some((filter) => name.includes(filter))) return false;
  const isSlow = LEFT_OUT.has(name) || SLOWER.test(textOf(name));
  if (isQuick) return !LEFT_OUT.has(name);
  return values.slow ? isSlow : !(values['not-slow'] && isSlow);
};

const files = readdirSync(path.join(root, 'test'), { recursive: true })
  .map(String)
  .filter((name) => name.endsWith('.test.ts') && isChosen(name))
  .sort();
if (files.length === 0) {
  console.error(`No test file matches: ${filters.join(' ')}`);
  process.exit(1);
}

/** Files that run at the same time. Tests often wait, for a process or a due time, so there is work for three more than there are cores. */
const concurrency = availableParallelism() + 3;

/** Those with databases. A few start a server each; many share one. */
const sharesPostgres = files.filter((name) => /^(?:durable|connectors|attacks)\//.test(name)).length > 3;

/** Files of one folder that share a process. Most tests take less time than a process needs to start, and then to get fast; slow ones don't. */
const TOGETHER = values.slow ? 1 : 6;
/** Files that set the clock of their process run alone: ids of runs never go back in time there. */
const SETS_CLOCK = /\/(?:fake-clock|kill-points|second-look)\.js'|\bDate\.now = /;

/**
 * What to run: for each file that runs alone, and for each group of others, one that imports it. Node.js begins with the first by name, which
 * therefore is the one that may take longest: of those that are not known, the one with the longest text.
 */
function inGroups() {
  const groups = new Map();
  for (const name of files) {
    const key = SETS_CLOCK.test(textOf(name)) ? name : path.dirname(name);
    const last = groups.get(key)?.at(-1);
    if (last !== undefined && last.length < TOGETHER) last.push(name);
    else groups.set(key, [...(groups.get(key) ?? []), [name]]);
  }
  const length = (group) =>
    group.reduce((sum, name) => sum + (LONGEST.includes(name) && values.slow ? 1e6 : textOf(name).length), 0);
  const inOrder = [...groups.values()].flat().sort((one, other) => length(other) - length(one));
  return inOrder.map((group, place) => {
    const name = `${group[0].replaceAll('/', '-').replace(/\.test\.ts$/, '')}${group.length > 1 ? '-and-more' : ''}`;
    const file = path.join(out, `${String(place).padStart(3, '0')}-${name}.mjs`);
    writeFileSync(file, group.map((one) => `import './${one.replace(/ts$/, 'mjs')}';\n`).join(''));
    return file;
  });
}

const failed = path.join(out, 'failed.txt');

/** @param atOnce files that run at the same time */
async function runTests(built, shared, atOnce = concurrency) {
  const { NODE_EXTRA_CA_CERTS: _ca, FORCE_COLOR: _colour, ...env } = process.env;
  if (values.slow) env.WF_TEST_SLOW = '1';
  if (isWhole && values.slow) {
    env.WF_TEST_HALF ??= String(Math.floor(2 * Math.random()));
    console.log(`Of many cases that are alike, this runs one half. WF_TEST_HALF=${env.WF_TEST_HALF} chooses the same one.`);
  }
  if (isQuick) env.WF_TEST_QUICK = '1';
  const times = process.env.WF_TEST_TIMES === '1' && pathToFileURL(path.join(root, 'test', 'times.mjs')).href;
  if (times) Object.assign(env, { WF_TEST_TIMES_OF: out, WF_TEST_TIMES_FILE: path.join(out, 'times.jsonl') });
  const pattern = values.name?.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
  const options = [
    '--test',
    '--test-reporter=spec',
    '--test-reporter-destination=stdout',
    `--test-reporter=${pathToFileURL(path.join(root, 'test', 'failed-files.mjs')).href}`,
    `--test-reporter-destination=${failed}`,
    ...(times ? [`--import=${times}`, `--test-reporter=${times}`, '--test-reporter-destination=stdout'] : []),
    `--test-concurrency=${atOnce}`,
    ...(pattern === undefined ? [] : [`--test-name-pattern=${pattern}`]),
  ];
  const around = shared === undefined ? [] : [shared, process.execPath];
  const child = spawn(process.execPath, [...around, ...options, ...built], {
    cwd: root,
    stdio: ['inherit', pattern === undefined ? 'inherit' : 'pipe', 'inherit'],
    env: { ...env, WF_TEST_ROOT: root },
  });
  const closed = once(child, 'close');
  let ran = 0;
  // Older versions of Node.js list every test that doesn't match.
  if (child.stdout !== null)
    for await (const line of createInterface({ input: child.stdout })) {
      if (/^\s*[✔✖] /.test(line)) ran++;
      if (!/^\s*﹣ .*does not match pattern$/.test(line)) console.log(line);
    }
  const [code] = await closed;
  if (pattern === undefined || ran > 0) return code ?? 1;
  console.error(`No test has a name with: ${values.name}`);
  return 1;
}

try {
  const built = await bundleTests(sharesPostgres ? [...files, 'durable/shared-postgres.ts'] : files, out);
  const shared = built[files.length];
  let code = await runTests(inGroups(), shared);
  const again = code === 0 || !isWhole ? [] : readFileSync(failed, 'utf8').split('\n').filter(Boolean);
  if (again.length > 0) {
    const names = again.map((file) => path.relative(out, file).replace(/mjs$/, 'ts'));
    console.log(`\nOnce more, one after the other: ${names.join(', ')}`);
    code = await runTests(again, shared, 1);
    console.log(
      `\n${code === 0 ? 'They passed then, so something in them depends on how busy the machine is' : 'They fail alone, too'}.`,
    );
  }
  process.exitCode = code;
} finally {
  rmSync(out, { recursive: true, force: true });
}
