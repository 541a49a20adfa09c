// Small mistakes that people make when they change a workflow, as changes of its text: a boundary beside the right one, `or` for `and`, a zero
// too many, a line that is forgotten. Cases that notice none of them say little.
import { expressionsOf, operandsOf } from '../compiler/2-parse/children.js';
import type { Comparator, Expression } from '../compiler/2-parse/tree.js';
import { statementsIn } from '../compiler/2-parse/walk.js';
import type { Checked } from '../compiler/compile.js';
import type { Span } from '../compiler/diagnostics/diagnostic.js';

export interface Slip {
  /** 1-based, of the statement. */
  readonly line: number;
  readonly text: string;
}

const beside: Readonly<Record<Comparator, Comparator>> = {
  is: 'is not',
  'is not': 'is',
  'is above': 'is at least',
  'is at least': 'is above',
  'is below': 'is at most',
  'is at most': 'is below',
  'is before': 'is on or before',
  'is on or before': 'is before',
  'is after': 'is on or after',
  'is on or after': 'is after',
  'is one of': 'is not one of',
  'is not one of': 'is one of',
  contains: 'starts with',
  'does not contain': 'contains',
  'starts with': 'contains',
  'ends with': 'contains',
  'is like': 'is not',
};

const FORGOTTEN: ReadonlySet<string> = new Set(['skip', 'stop', 'set', 'add']);

/** Texts with one slip each. Some of them may have errors. */
export function* slipsOf({ text, workflow }: Checked): Iterable<Slip> {
  const changed = ({ start, end }: Span, by: string): string => text.slice(0, start) + by + text.slice(end);
  for (const statement of statementsIn(workflow.body)) {
    const { line, kind, span } = statement;
    if (FORGOTTEN.has(kind)) yield { line, text: changed(span, 'log ""') };
    for (const [place, by] of new Map(expressionsOf(statement).flatMap(({ expression }) => [...slipsIn(expression)])))
      yield { line, text: changed(place, by) };
  }
}

function* slipsIn(expression: Expression): Iterable<readonly [Span, string]> {
  switch (expression.kind) {
    case 'comparison': {
      const { left, right, comparator } = expression;
      yield [{ start: left.span.end, end: right.span.start }, ` ${beside[comparator]} `];
      break;
    }
    case 'logic':
      for (const [index, operand] of expression.operands.entries()) {
        const next = expression.operands[index + 1];
        const other = expression.operator === 'and' ? ' or ' : ' and ';
        if (next !== undefined) yield [{ start: operand.span.end, end: next.span.start }, other];
      }
      break;
    case 'not':
      yield [{ start: expression.span.start, end: expression.operand.span.start }, ''];
      break;
    case 'number':
      yield [expression.span, String(expression.value === 0 ? 1 : expression.value * 10)];
      break;
    default:
  }
  for (const { expression: inner } of operandsOf(expression)) yield* slipsIn(inner);
}
