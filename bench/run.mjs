// `npm run bench`: measures every promise about speed and size against its yardstick, and writes the results to the terminal, results.md
// and results.json. Asserts no times, so a busy machine fails no test.
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import path from 'node:path';
import { readOptions, usage } from './options.mjs';
import { markdownText, terminalText } from './report.mjs';
import * as adoption from './rows/adoption.mjs';
import * as check from './rows/check.mjs';
import * as consolePages from './rows/console.mjs';
import * as durableServing from './rows/durable-serving.mjs';
import * as editing from './rows/editing.mjs';
import * as growth from './rows/growth.mjs';
import * as idle from './rows/idle.mjs';
import * as inFlight from './rows/in-flight.mjs';
import * as largeStores from './rows/large-stores.mjs';
import * as listOperations from './rows/list-operations.mjs';
import * as lookUp from './rows/look-up.mjs';
import * as loop from './rows/loop.mjs';
import * as manyMachines from './rows/many-machines.mjs';
import * as serving from './rows/serving.mjs';
import * as startUp from './rows/start-up.mjs';
import { createPlace, here } from './workspace.mjs';

const groups = [
  startUp,
  check,
  editing,
  loop,
  listOperations,
  lookUp,
  serving,
  inFlight,
  idle,
  durableServing,
  adoption,
  largeStores,
  consolePages,
  manyMachines,
  growth,
];

async function main(options) {
  if (!groups.some(({ names }) => names.some(options.wanted))) {
    throw new Error(
      `No row has this in its name. There are:\n${groups.flatMap(({ names }) => names.map((name) => `    ${name}`)).join('\n')}`,
    );
  }
  const place = createPlace();
  const found = { machine: machine(options), rows: [], tables: [] };
  try {
    for (const { names, measure } of groups) {
      if (!names.some(options.wanted)) continue;
      const result = await measure({ place, ...options });
      const [rows, tables] = names === growth.names ? [[], result] : [result, []];
      found.rows.push(...rows);
      found.tables.push(...tables);
      console.log(`${terminalText({ rows, tables })}\n`);
    }
  } finally {
    place.remove();
  }
  found.machine.load += ` to ${load()}`;
  const missed = found.rows.filter(({ met }) => met === false).map(({ name }) => name);
  console.log(missed.length === 0 ? 'Every target was met.' : `Not met: ${missed.join(', ')}.`);
  // A partial run must not overwrite the full results.
  if (options.quick || options.keep || (options.partly && !options.merge)) return;
  if (options.merge) mergeInto(found);
  writeFileSync(path.join(here, 'results.md'), markdownText(found));
  writeFileSync(path.join(here, 'results.json'), `${JSON.stringify(found, undefined, 2)}\n`);
}

/** Merges the new results into the existing ones, in the order of the groups. They note when they were measured, and under what load. */
function mergeInto(found) {
  const before = JSON.parse(readFileSync(path.join(here, 'results.json'), 'utf8'));
  const { date, load: under } = found.machine;
  for (const row of found.rows) row.note = [row.note, `measured apart on ${date}, load ${under}`].filter(Boolean).join('; ');
  found.machine = before.machine;
  const order = groups.flatMap(({ names }) => names);
  const fresh = new Set(found.rows.map(({ name }) => name));
  const rows = [...before.rows.filter(({ name }) => !fresh.has(name)), ...found.rows];
  found.rows = rows.sort((one, other) => order.indexOf(one.name) - order.indexOf(other.name));
  found.tables = before.tables.map((table) => found.tables.find(({ name }) => name === table.name) ?? table);
}

const load = () => loadavg()[0].toFixed(1);

function machine({ rounds }) {
  const processors = cpus();
  return {
    date: new Date().toISOString().slice(0, 10),
    node: process.versions.node,
    processors: processors.length,
    model: processors[0]?.model.trim() ?? 'unknown',
    load: load(),
    rounds,
  };
}

try {
  const options = readOptions(process.argv.slice(2));
  if (options.help) console.log(usage);
  else await main(options);
} catch (error) {
  console.error(error.code?.startsWith('ERR_PARSE_ARGS') ? `${error.message}\n\n${usage}` : error.message);
  process.exitCode = 2;
}
