// Requests for branches behind so many others that a walk of every way has forgotten what leads to them.
import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import { createEngine } from '../../src/engine/engine.js';
import { prepareWithCoverage } from '../../src/testing/coverage.js';
import { missedBranches } from '../../src/testing/explore.js';
import { type Trial, tryOut } from '../../src/testing/trial.js';
import { folderWithData } from './in-memory-io.js';

const many = Array.from(
  { length: 8 },
  (_, index) => `    if request.f${index} is above 3:\n        set n to n plus ${2 ** index}\n`,
);
const text = `config:
    name: "Lift"
    version: 1

services:
    Register is an API at "https://register.example.com"

workflow:
    trigger: now

    set n to 0
${many.join('')}    get lift using Register at "/lift"
        save the result as lift
    if days from lift.inspected to today is above 365:
        reject with "not inspected"
    otherwise if n is 255 and request.kind is "odd":
        reject with "odd"
    complete with n n
`;

test('finds its way into each branch that no run has entered, along the way of one that came by', async (t) => {
  const cwd = folderWithData(t, { 'lift.wf': text });
  const version = await prepareWithCoverage(path.join(cwd, 'lift.wf'), { cwd, trace: true });
  assert.ok(version.ok);
  const engine = createEngine({ env: {}, mock: true });
  t.after(() => engine.close());
  const fields = Object.fromEntries(many.map((_, index) => [`f${index}`, 10]));
  const mocks = { Register: { 'get lift': { inspected: '2026-03-02' } } };
  const trial: Trial = { request: fields, mocks, messages: {}, env: {} };
  const { reached, outcome } = await tryOut(engine, version.prepared, trial);
  assert.deepEqual(outcome.outputs, { n: 255 });
  const messages = new Set<string | undefined>();
  const seen = new Set(reached);
  for (const other of missedBranches(version, [{ trial, reached }])) {
    const tried = await tryOut(engine, version.prepared, other);
    messages.add(tried.outcome.message);
    for (const index of tried.reached) seen.add(index);
  }
  assert.deepEqual(messages, new Set([undefined, 'not inspected', 'odd']));
  assert.equal(seen.size, version.reachable.length);
});
