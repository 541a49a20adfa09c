// Parses the lines under `with headers:`, of a service or of a call.
import { type Line, lineSpan } from '../1-layout/line.js';
import * as catalogue from '../diagnostics/catalogue/index.js';
import type { ParseContext } from './context.js';
import type { LineRules } from './line-node.js';

/** @param rule that of a service's headers, or of a call's */
export function parseHeaderLines<Rule extends 'headerLine' | 'callHeaderLine'>(
  rule: Rule,
  lines: readonly Line[],
  context: ParseContext,
): LineRules[Rule][] {
  const headers: LineRules[Rule][] = [];
  for (const line of lines) {
    const matched = line.fault === undefined ? context.match(rule, line) : undefined;
    if (line.fault !== undefined) context.report(line.fault);
    else if (matched?.ok === true) headers.push(matched.node);
    else context.report(catalogue.badHeader(lineSpan(line)));
  }
  return headers;
}
