// Names of variables: every name keeps its own value, and none reaches JavaScript's own.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type AnyNode, type Node, type Pattern, parse } from 'acorn';
import { runtimeNames } from '../../src/compiler/4-emit/runtime-names.js';
import { compile } from '../../src/compiler/compile.js';
import { renderText } from '../../src/compiler/diagnostics/render-text.js';
import { corpusAlone } from './corpus.js';
import { loadEmitted } from './load-emitted.js';

// Finds identifiers in an emitted module that nothing declares, by JavaScript's scoping. Names of variables in a workflow must never add
// one.

type Scope = ReadonlySet<string>;

function freeIdentifiers(code: string): string[] {
  const free = new Set<string>();
  visit(parse(code, { ecmaVersion: 2022, sourceType: 'module' }), new Set(), free);
  // Effectively a keyword: it can't be reassigned.
  free.delete('undefined');
  return [...free].sort();
}

function visit(node: AnyNode, around: Scope, free: Set<string>): void {
  const declared = declaredBy(node);
  const scope = declared.length === 0 ? around : new Set([...around, ...declared]);
  if (node.type === 'Identifier' && !scope.has(node.name)) free.add(node.name);
  for (const [key, part] of Object.entries(node)) {
    // Names of fields, labels and imports are not references.
    const isComputed = 'computed' in node && node.computed;
    if (node.type === 'ImportSpecifier' || node.type === 'MetaProperty') continue;
    if (key === 'label') continue;
    if (!isComputed && (key === 'property' || (key === 'key' && node.type === 'Property'))) continue;
    for (const child of Array.isArray(part) ? part : [part]) if (isNode(child)) visit(child, scope, free);
  }
}

const isNode = (part: unknown): part is AnyNode => typeof part === 'object' && part !== null && 'type' in part;

/** The names declared inside this node. */
function declaredBy(node: AnyNode): string[] {
  switch (node.type) {
    case 'Program':
    case 'BlockStatement':
      return node.body.flatMap((statement) => namesOf(statement));
    case 'ForStatement':
      return node.init ? namesOf(node.init) : [];
    case 'ForOfStatement':
      return namesOf(node.left);
    case 'FunctionDeclaration':
    case 'ArrowFunctionExpression':
    case 'FunctionExpression':
      return node.params.flatMap(patternNames);
    case 'CatchClause':
      return node.param ? patternNames(node.param) : [];
    default:
      return [];
  }
}

function namesOf(statement: Node): string[] {
  const node = statement as AnyNode; // every node of acorn is one of these
  switch (node.type) {
    case 'VariableDeclaration':
      return node.declarations.flatMap(({ id }) => patternNames(id));
    case 'FunctionDeclaration':
      return node.id === null ? [] : [node.id.name];
    case 'ImportDeclaration':
      return node.specifiers.map(({ local }) => local.name);
    case 'ExportNamedDeclaration':
      return node.declaration ? namesOf(node.declaration) : [];
    default:
      return [];
  }
}

/** The emitter declares only plain names. */
function patternNames(pattern: Pattern): string[] {
  if (pattern.type === 'Identifier') return [pattern.name];
  throw new Error(`A declaration of the kind ${pattern.type} is new here`);
}

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
