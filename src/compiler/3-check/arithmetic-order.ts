// Shows arithmetic that mixes sums and products in two readings, with parentheses: left to right, as wf evaluates it, and products first,
// as in mathematics.
import type { Arithmetic, Operation } from '../2-parse/tree.js';

export interface Readings {
  /** The first product that follows a sum. */
  readonly product: Operation;
  readonly asRead: string;
  readonly asUsual: string;
}

const isSum = ({ operator }: Operation): boolean => operator === 'plus' || operator === 'minus';
const isProduct = ({ operator }: Operation): boolean => operator === 'times' || operator === 'divided by';

/** `undefined` if both readings agree because no product follows a sum. `text` is the text of the file. */
export function readingsOf(text: string, { first, operations }: Arithmetic): Readings | undefined {
  const firstSum = operations.findIndex(isSum);
  const product = firstSum === -1 ? undefined : operations.slice(firstSum).find(isProduct);
  if (product === undefined) return undefined;

  // Here, everything before a product is evaluated first.
  let asRead = text.slice(first.span.start, first.span.end);
  let end = first.span.end;
  let afterSum = false;
  for (const operation of operations) {
    const next = text.slice(end, operation.span.end);
    asRead = afterSum && isProduct(operation) ? `(${asRead})${next}` : asRead + next;
    afterSum = isSum(operation) || (afterSum && !isProduct(operation));
    end = operation.span.end;
  }

  // In mathematics, a product belongs to the value after the last sum. A final rounding most likely applies to the whole.
  let asUsual = '';
  let written = first.span.start;
  for (let index = firstSum; index < operations.length; ) {
    const sum = operations[index];
    let last: Operation | undefined;
    for (index++; index < operations.length; index++) {
      const operation = operations[index];
      if (operation === undefined || isSum(operation)) break;
      if (isProduct(operation)) last = operation;
    }
    if (sum === undefined || last === undefined) continue;
    const { start } = sum.operand.span;
    asUsual += `${text.slice(written, start)}(${text.slice(start, last.span.end)})`;
    written = last.span.end;
  }
  return { product, asRead, asUsual: asUsual + text.slice(written, end) };
}
