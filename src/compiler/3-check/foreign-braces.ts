// `${name}` and `{{name}}`: other languages insert values like this. Here, the sign or the inner braces stay in the text.
import type { Reference, Text } from '../2-parse/tree.js';
import * as catalogue from '../diagnostics/catalogue/index.js';
import { pathAsWritten } from '../vocabulary/field-names.js';
import type { Checker } from './checker.js';

/** A name in double braces. */
const DOUBLED = /(?<!\{)\$?\{\{\s*([^\s{}"]{1,100})\s*\}\}(?!\})/g;

export function checkForeignBraces(checker: Checker, { parts, span, isFaulty }: Text): void {
  if (isFaulty === true) return;
  for (const [index, part] of parts.entries()) {
    const before = parts[index - 1];
    if (typeof part === 'string' || typeof before !== 'string' || !before.endsWith('$') || mayBePrice(checker, part)) continue;
    const at = { start: part.span.start - 2, end: part.span.end + 1 };
    const written = checker.text.slice(at.start, at.end);
    if (written.startsWith('${') && written.endsWith('}')) checker.report(catalogue.dollarBraces(at, written.slice(1)));
  }
  const written = checker.text.slice(span.start, span.end);
  if (!written.includes('{{')) return;
  const inserted = new Set(parts.flatMap((part) => (typeof part === 'string' ? [] : [pathAsWritten(part)])));
  for (const { 0: all, 1: name = '', index } of written.matchAll(DOUBLED)) {
    // Who also inserts it knows the difference.
    if (inserted.has(name) || !isKnown(checker, name)) continue;
    const start = span.start + index;
    checker.report(catalogue.doubleBraces({ start, end: start + all.length }, name));
  }
}

/** `${total}` is a total in dollars. */
function mayBePrice(checker: Checker, reference: Reference): boolean {
  if (reference.root === 'env') return false;
  const { is } = checker.kindOf(reference);
  return is === 'number' || is === 'unknown' || is === 'empty';
}

function isKnown({ scope }: Checker, name: string): boolean {
  const [root = '', field] = name.split('.', 2);
  return root === 'request' || root === 'env' ? field !== undefined && field !== '' : scope.look(root) !== undefined;
}
