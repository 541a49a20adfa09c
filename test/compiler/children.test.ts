// Compares the children in `walk.ts` with the actual nodes, for every kind in the corpus. Every walk over the tree would miss a block, an
// expression or a variable that it leaves out.
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import type { Expression, Statement } from '../../src/compiler/2-parse/tree.js';
import {
  assignedBy,
  blocksOf,
  expressionsOf,
  localsOf,
  operandsOf,
  ROUND,
  referencesIn,
  statementsIn,
} from '../../src/compiler/2-parse/walk.js';
import { checkFile } from '../../src/compiler/compile.js';
import { statementTable } from '../../src/compiler/vocabulary/statement-table.js';
import { fixture } from '../root.js';
import { corpus } from './corpus.js';

const broken = readdirSync(fixture('invalid'))
  .map((name) => path.join(fixture('invalid'), name, 'input.wf'))
  .filter((file) => existsSync(file))
  .map((file) => readFileSync(file, 'utf8'));
const bodies = [...corpus().map(({ text }) => text), ...broken].map(
  (text) => checkFile(text, 'children.wf', { offersFixes: false }).workflow.body,
);
const statements: Statement[] = bodies.flatMap((body) => [...statementsIn(body)]);

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
const isStatement = (value: unknown): boolean => isRecord(value) && 'kind' in value && 'line' in value;
const isExpression = (value: unknown): boolean => isRecord(value) && 'kind' in value && !('line' in value);

/** The outermost nodes under `node` that satisfy `isWanted`, not looking inside the others. */
function under(node: unknown, isWanted: (value: unknown) => boolean, isOther: (value: unknown) => boolean): unknown[] {
  if (!isRecord(node)) return [];
  return Object.values(node).flatMap((value) =>
    isWanted(value) ? [value] : isOther(value) ? [] : under(value, isWanted, isOther),
  );
}

const inOrder = (nodes: readonly unknown[]): unknown[] => [...nodes].sort((one, other) => startOf(one) - startOf(other));
const startOf = (node: unknown): number => (node as Statement | Expression).span.start; // both have one

test('the corpus contains every kind of statement', () => {
  const kinds = new Set<string>(statements.map(({ kind }) => kind));
  assert.deepEqual(
    [...kinds].sort(),
    [...new Set(['broken', ...Object.keys(statementTable).filter((name) => name !== 'otherwise' && name !== 'trigger')])].sort(),
  );
});

test('knows every block of a statement', () => {
  for (const statement of statements)
    assert.deepEqual(inOrder(blocksOf(statement).flat()), inOrder(under(statement, isStatement, isExpression)), statement.kind);
});

test('knows every expression of a statement', () => {
  for (const statement of statements)
    assert.deepEqual(
      inOrder(expressionsOf(statement).map(({ expression }) => expression)),
      inOrder(under(statement, isExpression, isStatement)),
      statement.kind,
    );
});

test('knows every part of an expression', () => {
  const kinds = new Set<string>();
  const look = (expression: Expression): void => {
    kinds.add(expression.kind);
    const operands = operandsOf(expression).map((child) => child.expression);
    assert.deepEqual(operands, under(expression, isExpression, isStatement), expression.kind);
    operands.forEach(look);
  };
  for (const statement of statements) for (const { expression } of expressionsOf(statement)) look(expression);
  assert.ok(kinds.size >= 13);
});

test('every name in a statement is one that it sets, one of its block, or one that sets nothing', () => {
  /** Names of services, steps, pairs, headers and methods. */
  const others = (statement: Statement): string[] => {
    if (statement.kind === 'step') return [statement.name.text];
    if (statement.kind === 'wait for') return [statement.message.text, ...statement.pairs.map(({ key }) => key.text)];
    if (statement.kind === 'look up') return [statement.table.text, ...statement.pairs.map(({ key }) => key.text)];
    if (statement.kind === 'complete') return statement.pairs.map(({ key }) => key.text);
    if (statement.kind === 'call' || statement.kind === 'ask')
      return [
        statement.service.text,
        ...statement.pairs.map(({ key }) => key.text),
        ...(statement.kind === 'call' ? statement.where : []).map(({ key }) => key.text),
        ...statement.headers.map(({ name }) => name.text),
        ...(statement.sentAs === undefined ? [] : [statement.sentAs.text]),
      ];
    return [];
  };
  const isName = (value: unknown): value is { text: string } => isRecord(value) && 'text' in value && 'span' in value;
  for (const statement of statements) {
    const names = under(statement, isName, (value) => isStatement(value) || isExpression(value));
    const known = [...assignedBy(statement).map(({ name }) => name), ...localsOf(statement).map(({ text }) => text)].filter(
      // The one name that can be given without appearing in the file.
      (name) => statement.kind !== 'repeat' || name !== ROUND,
    );
    if (statement.kind !== 'broken' && !('unread' in statement))
      assert.deepEqual(
        names.map((name) => (isName(name) ? name.text : '')).sort(),
        [...known, ...others(statement)].sort(),
        statement.kind,
      );
  }
});

test('finds references at any depth, as often as they occur', () => {
  const [statement] = checkFile(
    'workflow:\n    trigger: t\n    log [a plus (b), "{c} and {a}", not d is between a and 3]\n',
    't.wf',
  ).workflow.body;
  assert.ok(statement?.kind === 'log');
  assert.deepEqual(
    [...referencesIn(statement.value)].map(({ root }) => root),
    ['a', 'b', 'c', 'a', 'd', 'a'],
  );
});
