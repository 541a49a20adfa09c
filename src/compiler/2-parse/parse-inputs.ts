// Parses the lines under `inputs:`, and under a record in it, into declarations of fields.
import { wordCharacter } from '../1-layout/alphabet.js';
import { type Line, lineSpan } from '../1-layout/line.js';
import * as catalogue from '../diagnostics/catalogue/index.js';
import type { ParseContext } from './context.js';
import type { BrokenInput, DeclaredInput, Inputs } from './declaration-tree.js';
import { explainInput } from './explain/explain-input.js';
import { fits, opens } from './match-line.js';

const RECORD = /\srecords?\b/;
const IS = wordCharacter('is') ?? '';

/** A record's line with its missing colon added. */
function withColon(line: Line, context: ParseContext): Line {
  if (line.fault !== undefined || line.children.length === 0 || line.shape.endsWith(':')) return line;
  const whole = { ...line, shape: `${line.shape}:`, offsets: [...line.offsets, line.end, line.end] };
  if (!RECORD.test(context.text.slice(line.start, line.end)) || !fits('inputLine', whole.shape + opens(line.children)))
    return line;
  context.report(catalogue.missingColon({ start: Math.max(line.start, line.end - 1), end: line.end }));
  return whole;
}

/** @param head the line above the fields */
export function parseInputs(head: Line, context: ParseContext): Inputs {
  const fields: (DeclaredInput | BrokenInput)[] = [];
  let isWhole = true;
  const queue = [...head.children].reverse();
  for (let given = queue.pop(); given !== undefined && !context.gaveUp; given = queue.pop()) {
    const line = withColon(given, context);
    const matched = line.fault === undefined ? context.match('inputLine', line) : undefined;
    if (matched?.ok === true) {
      const below = matched.stray.length === 0 && line.children.length > 0 ? parseInputs(line, context) : undefined;
      fields.push({ ...matched.node, fields: below, span: lineSpan(line), line: line.number });
      queue.push(...[...matched.stray].reverse());
      continue;
    }
    if (line.fault !== undefined) context.report(line.fault);
    else if (matched?.ok === false) context.report(explainInput(line, context.text, matched.failure));
    const name = context.name(line, 0);
    if (name !== undefined && line.shape.charAt(1) === IS) fields.push({ kind: 'broken', name });
    else isWhole = false;
  }
  return { fields, isWhole, span: lineSpan(head) };
}
