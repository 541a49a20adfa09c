// Parses `on failure:` and the lines under it.
import { type Line, lineSpan } from '../1-layout/line.js';
import * as catalogue from '../diagnostics/catalogue/index.js';
import { closest } from '../diagnostics/suggest.js';
import { statementWords } from '../vocabulary/first-words.js';
import type { Surroundings } from './blocks.js';
import type { ParseContext } from './context.js';
import { explainOption } from './explain.js';
import { isStatementLine } from './is-statement-line.js';
import type { OnFailure, Retry } from './tree.js';

/** The block of `on failure:`: a retry first, then `if still failing:` or plain statements. */
export function parseOnFailure(head: Line, context: ParseContext, around: Surroundings): OnFailure {
  let retry: Retry | undefined;
  let stillFailing: OnFailure['stillFailing'];
  let stillFailingBody: OnFailure['body'];
  const plain: Line[] = [];
  head.children.forEach((line, index) => {
    if (line.fault !== undefined || !isFailureLine(line, context)) {
      plain.push(line);
      return;
    }
    const matched = context.match('failureLine', line);
    if (!matched.ok) {
      context.report(explainOption('failureLine', line, context.text, matched.failure));
      if (line.children.length > 0) {
        stillFailing ??= { span: lineSpan(line), line: line.number };
        stillFailingBody ??= context.block(line.children, around);
      }
    } else if (matched.node.kind === 'retry') {
      if (index > 0) context.report(catalogue.retryNotFirst(lineSpan(line)));
      if (!Number.isInteger(matched.node.times) || matched.node.times < 1 || matched.node.times > 100)
        context.report(catalogue.outOfRange(lineSpan(line), 'The number of retries', 1, 100));
      const { times, waiting, doubling, span } = matched.node;
      if (waiting !== undefined && waiting.amount < 0) context.report(catalogue.negativeTime(waiting.span));
      retry ??= { times, waiting, doubling, span, line: line.number };
      plain.push(...matched.stray);
    } else if (stillFailing !== undefined) {
      context.report(catalogue.repeatedCallOption(lineSpan(line), 'if still failing'));
    } else {
      stillFailing = { span: lineSpan(line), line: line.number };
      stillFailingBody = context.block(line.children, around);
    }
  });
  const first = plain[0];
  const body = first === undefined ? undefined : context.block(plain, around);
  const beside = stillFailing === undefined ? undefined : plain.find(isStatementLine);
  if (beside !== undefined) context.report(catalogue.besideStillFailing(lineSpan(beside)));
  return { span: lineSpan(head), line: head.number, retry, stillFailing, body: stillFailingBody ?? body };
}

/** True for a line meant as `retry …` or `if still failing:`, even if it is misspelt. */
function isFailureLine(line: Line, context: ParseContext): boolean {
  if (isStatementLine(line)) return false;
  const first = context.name(line, 0)?.text ?? '';
  if (first === 'retry' || closest(first, ['retry', ...statementWords]) === 'retry') return true;
  return /\b(still|failing)\b/i.test(context.text.slice(line.start, line.end));
}
