// Names of variables: every name keeps its own value, and none reaches JavaScript's own.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runtimeNames } from '../../src/compiler/4-emit/runtime-names.js';
import { compile } from '../../src/compiler/compile.js';
import { renderText } from '../../src/compiler/diagnostics/render-text.js';
import { corpusAlone } from './corpus.js';
import { freeIdentifiers } from './free-identifiers.js';
import { loadEmitted } from './load-emitted.js';

const names = [
  // Keywords and globals of JavaScript, and members of every object.
  ...'constructor __proto__ prototype toString valueOf hasOwnProperty await async yield arguments eval let const var this new null'.split(' '),
  ...'undefined NaN Infinity process require module exports globalThis global Object Array Math JSON Promise import export default'.split(' '),
  ...'function return class static enum delete typeof void with in of as from get if else for while do switch case break'.split(' '),
  // Names in the emitted module, of its imports, and those that an emitter could derive from others.
  ...'run main workflow services place request-2 request_2 failure answer place-0 fuel item list'.split(' '),
  ...runtimeNames,
  // Names that would collide if characters invalid in JavaScript were dropped or replaced.
  ...'a-b a_b a--b a__b a_b_2 a-b_2 _ __ 名前 名_ 名前2 ñ n é e Ａ straße strasse plus-2 plus_2 K K'.split(' '),
  ...'step set to add log otherwise each skip stop wait ask complete reject config trigger text status name'.split(' '),
].filter((name, index, all) => all.indexOf(name) === index); // biome-ignore format: one table

const head = 'config:\n    name: "Names"\n    version: 1\n\nworkflow:\n    trigger: when names are tried\n';

function emittedOf(text: string): string {
  const compiled = compile(text, { file: 'names.wf' });
  assert.ok(!compiled.hasErrors, renderText(compiled.diagnostics.slice(0, 3), { colour: false }));
  return compiled.emitted.code;
}

test('tries many names', () => {
  assert.ok(names.length > 120);
});

test('each name keeps its own value', async () => {
  const sets = names.map((name, index) => `    set ${name} to ${index}\n`).join('');
  const values = names.map((name, index) => `key-${index} ${name}`).join(' and ');
  const code = emittedOf(`${head}${sets}    complete with ${values}\n`);
  assert.deepEqual(freeIdentifiers(code), []);
  const { run } = await loadEmitted(code);
  const { outputs, message } = await run({}, { env: {} });
  assert.equal(message, undefined);
  assert.deepEqual(outputs, Object.fromEntries(names.map((_, index) => [`key-${index}`, index])));
});

test('each name works for a growing list, the item of a loop, and a record', async () => {
  const lines = names.map(
    (name, index) =>
      `    for each ${name} in [${index}]:\n        add ${name} to grown-${index}\n    set ${name}.${name} to ${index}\n    add ${name}.${name} to all\n`,
  );
  const code = emittedOf(
    `${head}    set all to []\n${lines.join('')}    complete with all all and last grown-${names.length - 1}\n`,
  );
  assert.deepEqual(freeIdentifiers(code), []);
  const { run } = await loadEmitted(code);
  const { outputs, message } = await run({}, { env: {} });
  assert.equal(message, undefined);
  assert.deepEqual(outputs, { all: names.map((_, index) => index), last: [names.length - 1] });
});

test('a name that is never set is never one of JavaScript', () => {
  for (const name of ['process', 'globalThis', 'constructor', 'arguments', 'undefined', 'run', 'services']) {
    const { diagnostics } = compile(`${head}    log ${name}\n`, { file: 'names.wf' });
    assert.deepEqual(
      diagnostics.map(({ code }) => code),
      ['WF020'],
      name,
    );
  }
});

test('no workflow of the project reaches anything but its imports and its own variables', () => {
  for (const { name, text } of corpusAlone()) assert.deepEqual(freeIdentifiers(emittedOf(text)), [], name);
});

test('the search for free identifiers finds some', () => {
  assert.deepEqual(
    freeIdentifiers("import { a } from 'b'; const c = a.d + e[f]; { let g = c; } g(); function h(i) { return i; }"),
    ['e', 'f', 'g'],
  );
});
