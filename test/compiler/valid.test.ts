// Golden fixtures of valid files: what each phase produces from fixtures/valid/<case>/input.wf, and how a run of it ends.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { parse as parseJavaScript } from 'acorn';
import type { LogEntry, Outcome } from '../../runtime/types.js';
import { tokenClass, wordOf } from '../../src/compiler/1-layout/alphabet.js';
import { layout } from '../../src/compiler/1-layout/layout.js';
import { type TokenStream, tokenText } from '../../src/compiler/1-layout/line.js';
import type { Expression, Inputs, Statement, Text, Workflow } from '../../src/compiler/2-parse/tree.js';
import { compile } from '../../src/compiler/compile.js';
import { decode } from '../../src/compiler/decode.js';
import { renderText } from '../../src/compiler/diagnostics/render-text.js';
import { workflowFiles } from '../../src/engine/prepare/workflow-files.js';
import { assertGolden, cases } from './fixtures.js';
import { runFixture } from './run-fixture.js';

/** `12 Add up: call {"service":"Stock"}`. Leaves out what depends on the clock. */
function entryText({ time: _time, durationMs: _duration, type, step, line, ...details }: LogEntry): string {
  const where = [line, step === undefined ? undefined : `${step}:`].filter((part) => part !== undefined);
  const what = Object.keys(details).join() === 'message' ? details.message : JSON.stringify(details);
  return [...where, type, what].join(' ');
}

const outcomeText = ({ status, outputs, message, error, log }: Outcome): string =>
  `${JSON.stringify({ status, outputs, message: error === undefined ? message : undefined, error, log: log.map(entryText) }, null, 2)}\n`;

type Kinds<T extends { readonly kind: string }> = { readonly [K in T['kind']]: true };

const statementKinds: Omit<Kinds<Statement>, 'broken'> = {
  'wait for': true,
  'wait until': true,
  'look up': true,
  'at the same time': true,
  step: true,
  set: true,
  add: true,
  log: true,
  if: true,
  'for each': true,
  'for each field': true,
  repeat: true,
  skip: true,
  stop: true,
  wait: true,
  call: true,
  ask: true,
  complete: true,
  reject: true,
};
const expressionKinds: Kinds<Expression> = {
  reference: true,
  text: true,
  number: true,
  constant: true,
  list: true,
  group: true,
  builtin: true,
  arithmetic: true,
  shift: true,
  difference: true,
  arranged: true,
  iteration: true,
  record: true,
  field: true,
  comparison: true,
  between: true,
  state: true,
  logic: true,
  not: true,
};

test('every statement and form of expression has a small fixture', () => {
  const needed = [
    ...Object.keys(statementKinds).map((kind) => `statement-${kind.replaceAll(' ', '-')}`),
    ...Object.keys(expressionKinds).map((kind) => `expression-${kind.replaceAll(' ', '-')}`),
  ];
  const found = cases('valid').map(({ name }) => name);
  assert.deepEqual(found.filter((name) => /^(statement|expression)-/.test(name)).sort(), needed.sort());
});

for (const one of cases('valid')) {
  test(one.name, async () => {
    const source = readFileSync(path.join(one.folder, 'input.wf'));
    const compiled = compile(source, { file: 'input.wf', files: workflowFiles('input.wf', one.folder) });
    const warnings = renderText(compiled.diagnostics, { colour: false });
    assert.ok(!compiled.hasErrors, warnings);
    const text = decode(source, []);
    assertGolden(one, 'tokens.txt', showTokens(layout(text).tokens, text));
    assertGolden(one, 'tree.txt', showTree(compiled.workflow));
    assertGolden(one, 'warnings.txt', warnings === '' ? undefined : `${warnings}\n`);
    const { code, info } = compiled.emitted;
    parseJavaScript(code, { ecmaVersion: 2022, sourceType: 'module' });
    // A new version of wf alone changes no golden file.
    assertGolden(one, 'module.mjs', code.replace(`"compiler":"${info.compiler}"`, '"compiler":"0.0.0"'));
    assertGolden(one, 'outcome.json', outcomeText(await runFixture(one, code)));
  });
}

// Formats the tokens of the layout pass for `tokens.txt`: one line each with its number, keywords as they are, and other tokens by class.

const named = new Map(Object.entries(tokenClass).map(([name, character]) => [character, name]));

function showTokens(stream: TokenStream, text: string): string {
  const shown: string[] = [];
  let indent = '';
  for (const token of stream) {
    if (token === tokenClass.dedent) indent = indent.slice(2);
    if (typeof token === 'object') {
      const tokens = Array.from(token.shape, (character, index) => {
        const written = tokenText(token, text, index);
        if (wordOf(character) !== undefined) return written;
        const name = named.get(character);
        return name === undefined ? written : `${name}(${written})`;
      });
      shown.push(`${String(token.number).padStart(3)} ${indent}${tokens.join(' ')}`);
    } else if (token !== tokenClass.eol) shown.push(`    ${indent}${named.get(token)?.toUpperCase()}`);
    if (token === tokenClass.indent) indent += '  ';
  }
  return `${shown.join('\n')}\n`;
}

// Formats the syntax tree for `tree.txt`: one statement per line, its parts by name, every operation in parentheses, no spans.

const INDENT = '  ';

function showTree({ config, inputs, services, trigger, body }: Workflow): string {
  const { span: _span, ...settings } = config ?? { span: undefined };
  return `${[
    ...node('config', settings),
    ...(inputs === undefined ? [] : ['inputs', ...fields(inputs)]),
    ...services.flatMap((service) => node('service', service)),
    `trigger ${JSON.stringify(trigger)}`,
    ...body.flatMap((statement) => node(statement.kind, statement)),
  ].join('\n')}\n`;
}

/** One line each, with the fields of a record below it. */
const fields = (inputs: Inputs): string[] =>
  inputs.fields.flatMap((field) => {
    if (field.kind === 'broken') return [`${INDENT}broken ${field.name.text}`];
    const { name, kind, presence, fields: below } = field;
    const told = [name.text, detail(kind), ...(presence === undefined ? [] : [detail(presence)])].join(', ');
    return [`${INDENT}${told}`, ...(below === undefined ? [] : fields(below).map((line) => INDENT + line))];
  });

/** The content of a declaration, without spans. */
function detail(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(detail).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return String(value);
  if ('parts' in value || 'written' in value) return inline(value);
  return Object.entries(value)
    .filter(([name, part]) => name !== 'span' && part !== undefined && !isEmpty(part))
    .map(([name, part]) => (name === 'is' || name === 'kind' ? String(part) : `${name}: ${detail(part)}`))
    .join(' ');
}

/** `kind name: value …`, with parts that are lines themselves below it. */
function node(title: string, parts: object): string[] {
  const own: string[] = [title];
  const under: string[] = [];
  for (const [name, value] of Object.entries(parts)) {
    if (value === undefined || name === 'span' || name.endsWith('Span') || name === 'line' || isEmpty(value)) continue;
    if (name === 'kind' && value === title) continue;
    if (name === 'body' && Array.isArray(value)) under.push(...statements(value));
    else if (name === 'branches') under.push(...value.flatMap((branch: object) => node('branch', branch)));
    else if (name === 'otherwise' || name === 'onFailure' || name === 'retry' || name === 'stillFailing')
      under.push(...node(name, value));
    else own.push(`${name}: ${inline(value)}`);
  }
  return [own.join(' '), ...under.map((line) => INDENT + line)];
}

const isEmpty = (value: unknown): boolean => Array.isArray(value) && value.length === 0;

const statements = (block: readonly Statement[]): string[] => block.flatMap((statement) => node(statement.kind, statement));

const hasKind = (value: object): value is Expression => 'kind' in value;

function inline(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(inline).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return typeof value === 'string' ? JSON.stringify(value) : String(value);
  if (hasKind(value)) return expression(value);
  if ('amount' in value && 'unit' in value) return `${value.amount} ${value.unit}`;
  // A name prints as its text. What remains is a pair, a header or a line that saves something.
  if ('text' in value) return String(value.text);
  return Object.entries(value)
    .filter(([name]) => name !== 'span')
    .map(([, part]) => inline(part))
    .join(' = ');
}

function expression(value: Expression): string {
  switch (value.kind) {
    case 'reference':
      return [value.root, ...value.fields].join('.');
    case 'text':
      return textOf(value);
    case 'number':
      return value.written;
    case 'constant':
      return value.value === null ? 'empty' : String(value.value);
    case 'list':
      return inline(value.items);
    case 'group':
      return `group${wrapped(expression(value.inner))}`;
    case 'builtin':
      return `(${[value.name, ...value.operands.map(expression)].join(' ')})`;
    case 'arithmetic':
      return value.operations.reduce(
        (before, { operator, operand }) => `(${before} ${operator} ${expression(operand)})`,
        expression(value.first),
      );
    case 'shift':
      return `(${expression(value.date)} ${value.operator} ${expression(value.amount)} ${value.unit})`;
    case 'difference':
      return `(${value.unit} from ${expression(value.from)} to ${expression(value.to)})`;
    case 'arranged':
      return `(${expression(value.list)} ${value.how}${value.path.length > 0 ? ` by ${value.path.join('.')}` : ''}${value.isDescending ? ' descending' : ''})`;
    case 'iteration': {
      const made = value.value === undefined ? '' : `${expression(value.value)} for `;
      const condition = value.condition === undefined ? '' : ` where ${expression(value.condition)}`;
      return `(${made}${value.form} ${value.item.text} in ${expression(value.list)}${condition})`;
    }
    case 'record':
      return `{${value.pairs.map(inline).join(', ')}}`;
    case 'field':
      return [expression(value.owner), ...value.keys.map((key) => (typeof key === 'string' ? key : `{${expression(key)}}`))].join(
        '.',
      );
    case 'comparison':
      return `(${expression(value.left)} ${value.comparator} ${expression(value.right)})`;
    case 'between':
      return `(${expression(value.value)} is between ${expression(value.low)} and ${expression(value.high)})`;
    case 'state':
      return `(${expression(value.value)} ${value.state})`;
    case 'logic':
      return `(${value.operands.map(expression).join(` ${value.operator} `)})`;
    case 'not':
      return `(not ${expression(value.operand)})`;
  }
}

const wrapped = (text: string): string => (text.startsWith('(') ? text : `(${text})`);

const textOf = ({ parts }: Text): string =>
  `"${parts.map((part) => (typeof part === 'string' ? JSON.stringify(part).slice(1, -1) : `⟨${expression(part)}⟩`)).join('')}"`;
