// Checks what is inside an expression: the names it reads, and what is allowed and yet most likely not meant.

import type { Arithmetic, Expression, NumberLiteral, Reference } from '../2-parse/tree.js';
import * as catalogue from '../diagnostics/catalogue/index.js';
import { readingsOf } from './arithmetic-order.js';
import type { Checker } from './checker.js';
import type { Scope } from './scope.js';

export function checkExpression(checker: Checker, expression: Expression): void {
  switch (expression.kind) {
    case 'reference':
      checkReference(checker, expression);
      break;
    case 'text':
      for (const part of expression.parts) if (typeof part !== 'string') checkReference(checker, part, true);
      break;
    case 'number':
      checkNumber(checker, expression);
      break;
    case 'constant':
      break;
    case 'list':
      for (const item of expression.items) checkExpression(checker, item);
      break;
    case 'group':
      checkExpression(checker, expression.inner);
      break;
    case 'ready-made':
      checkExpression(checker, expression.argument);
      break;
    case 'arithmetic':
      checkExpression(checker, expression.first);
      for (const { operand } of expression.operations) checkExpression(checker, operand);
      checkOrder(checker, expression);
      break;
    case 'comparison':
      checkExpression(checker, expression.left);
      checkExpression(checker, expression.right);
      break;
    case 'between':
      checkExpression(checker, expression.value);
      checkExpression(checker, expression.low);
      checkExpression(checker, expression.high);
      break;
    case 'state':
      checkExpression(checker, expression.value);
      break;
    case 'not':
      checkExpression(checker, expression.operand);
      break;
    case 'logic':
      for (const operand of expression.operands) {
        checkExpression(checker, operand);
        checkFixed(checker, operand);
      }
      if (expression.operator === 'or' && expression.operands.some((operand) => operand.kind === 'logic'))
        checker.report(catalogue.mixedLogic(expression.span));
      break;
  }
}

const constants = ['true', 'false', 'empty'] as const;

function* withConstants(scope: Scope): Iterable<string> {
  yield* scope.names();
  yield* constants;
}

/** What the constants are called in other languages. */
const foreignConstants: Readonly<Record<string, string>> = {
  null: 'empty',
  nil: 'empty',
  none: 'empty',
  nothing: 'empty',
  undefined: 'empty',
  yes: 'true',
  no: 'false',
};

/** A name that is read: it must be set on some way here; one that is set only on some is a warning. */
export function checkReference(checker: Checker, reference: Reference, inText = false): void {
  const { root, fields, span } = reference;
  const { scope } = checker;
  if (!scope.isItem(root)) {
    if (root === 'now' || root === 'today') return;
    if (root === 'request') {
      if (fields.length > 0) checker.facts.requestFields.add(fields.join('.'));
      return;
    }
    if (root === 'env') {
      const [variable] = fields;
      if (variable === undefined) checker.report(catalogue.bareEnvironment(span));
      else checker.facts.env.add(variable);
      return;
    }
    if (root === 'failure' && scope.inFailure) return;
  }
  const certainty = scope.look(root);
  if (certainty === 'set') {
    checker.facts.definite.add(reference);
    return;
  }
  if (checker.reported.has(root)) return;
  checker.reported.add(root);
  const place = { start: span.start, end: span.start + root.length };
  if (certainty === 'maybe') checker.report(catalogue.maybeUnset(place, root));
  else if (scope.wasItem(root)) checker.report(catalogue.itemOutsideLoop(place, root));
  else if (root === 'failure') checker.report(catalogue.unknownFailure(place));
  else {
    // In a text there can be no constant.
    const isAlone = fields.length === 0 && !inText;
    const suggestion = checker.closest(root, isAlone ? withConstants(scope) : scope.names());
    if (scope.isOpen) return;
    const name = [root, ...fields].join('.');
    const constant = constants.find((word) => word === suggestion);
    if (constant !== undefined && root.toLowerCase() === constant) checker.report(catalogue.wrongCase(place, root, constant));
    else {
      const folded = root.toLowerCase();
      const foreign = isAlone && Object.hasOwn(foreignConstants, folded) ? foreignConstants[folded] : undefined;
      const meant = foreign ?? suggestion;
      const mayBeInput = meant !== undefined && foreign === undefined && meant.toLowerCase() !== folded && meant !== 'request';
      checker.report(catalogue.unknownVariable(place, name, meant, mayBeInput));
    }
  }
}

function checkNumber(checker: Checker, { value, written, span }: NumberLiteral): void {
  if (!Number.isFinite(value)) {
    checker.report(catalogue.badNumber(span, `${written.slice(0, 12)}…`, 'No number can be that large.'));
    return;
  }
  const digits = written.replace(/^-?0*|\./g, '').replace(/^0+/, '');
  if (digits.length <= 15) return;
  const held = value.toLocaleString('en', { useGrouping: false, maximumFractionDigits: 20, maximumSignificantDigits: 17 });
  const plain = (text: string): string => (text.includes('.') ? text.replace(/\.?0+$/, '') : text).replace(/^(-?)0+(?=\d)/, '$1');
  const isWhole = !written.includes('.');
  if (plain(held) !== plain(written) && (isWhole || digits.length > 16))
    checker.report(catalogue.inexactNumber(span, written, String(value)));
}

/** `1 plus 2 times 3` is 9 here, and 7 in a mathematics book. */
function checkOrder(checker: Checker, arithmetic: Arithmetic): void {
  const readings = readingsOf(checker.text, arithmetic);
  if (readings === undefined) return;
  const { product, asRead, asUsual } = readings;
  checker.report(catalogue.mixedArithmetic({ start: product.span.start, end: product.operand.span.start - 1 }, asRead, asUsual));
}

/** `total is 1 or 2` is true for every total: the 2 is a condition of its own. */
function checkFixed(checker: Checker, operand: Expression): void {
  const text =
    operand.kind === 'text' && operand.parts.every((part) => typeof part === 'string') ? operand.parts.join('') : undefined;
  if (operand.kind !== 'number' && (text === undefined || (operand.kind === 'text' && operand.isFaulty))) return;
  const isTrue = operand.kind === 'number' ? operand.value !== 0 : text !== '';
  const { start, end } = operand.span;
  checker.report(catalogue.fixedCondition(operand.span, checker.text.slice(start, end), isTrue));
}
