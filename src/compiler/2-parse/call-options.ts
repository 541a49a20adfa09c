// The lines under a service call or an `ask`: what is saved, and what happens on failure.

import { type Line, lineSpan } from '../1-layout/line.js';
import * as catalogue from '../diagnostics/catalogue/index.js';
import { parseBlock, type Surroundings } from './blocks.js';
import type { ParseContext } from './context.js';
import { explainOption } from './explain.js';
import { matchShape, opens } from './match-line.js';
import type { Ask, OnFailure, Retry } from './tree.js';

export type CallOptions = Pick<Ask, 'saves' | 'onFailure'>;

type Save = Ask['saves'][number];

export function parseCallOptions(lines: readonly Line[], context: ParseContext, around: Surroundings): CallOptions {
  const saves: Save[] = [];
  let onFailure: OnFailure | undefined;
  const queue = [...lines].reverse();
  for (let line = queue.pop(); line !== undefined && !context.gaveUp; line = queue.pop()) {
    if (line.fault !== undefined) {
      context.report(line.fault);
      rescue(line);
      continue;
    }
    const matched = context.match('callOptionLine', line);
    if (!matched.ok) {
      context.report(explainOption(line, context.text, matched.failure));
      rescue(line);
      continue;
    }
    for (const stray of [...matched.stray].reverse()) queue.push(stray);
    const { node } = matched;
    if (node.kind === 'save') {
      const twice = saves.some((save) => save.what === node.what);
      if (twice) context.report(catalogue.repeatedCallOption(lineSpan(line), `save the ${node.what} as`));
      saves.push({ what: node.what, name: node.name, span: node.span });
    } else {
      const handler = parseFailure(line, context, around);
      if (onFailure !== undefined) context.report(catalogue.repeatedCallOption(lineSpan(line), 'on failure'));
      else onFailure = handler;
    }
  }
  return { saves, onFailure };

  /** A line that cannot be read still sets what it was meant to save, and its block is still read. */
  function rescue(line: Line): void {
    const name = context.name(line, line.offsets.length / 2 - 1);
    if (context.name(line, 0)?.text === 'save' && name !== undefined) saves.push({ what: 'result', name, span: lineSpan(line) });
    if (line.children.length > 0) onFailure ??= parseFailure(line, context, around);
  }
}

/** The block of `on failure:`: a retry first, then `if still failing:` or plain statements. */
function parseFailure(head: Line, context: ParseContext, around: Surroundings): OnFailure {
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
      context.report(explainOption(line, context.text, matched.failure));
      if (line.children.length > 0) {
        stillFailing ??= { span: lineSpan(line), line: line.number };
        stillFailingBody ??= parseBlock(line.children, context, around);
      }
    } else if (matched.node.kind === 'retry') {
      if (index > 0) context.report(catalogue.retryNotFirst(lineSpan(line)));
      if (!Number.isInteger(matched.node.times) || matched.node.times < 1 || matched.node.times > 100)
        context.report(catalogue.outOfRange(lineSpan(line), 'The number of retries', 1, 100));
      const { times, waiting, doubling, span } = matched.node;
      retry ??= { times, waiting, doubling, span, line: line.number };
      plain.push(...matched.stray);
    } else if (stillFailing !== undefined) {
      context.report(catalogue.repeatedCallOption(lineSpan(line), 'if still failing'));
    } else {
      stillFailing = { span: lineSpan(line), line: line.number };
      stillFailingBody = parseBlock(line.children, context, around);
    }
  });
  const first = plain[0];
  const body = first === undefined ? undefined : parseBlock(plain, context, around);
  if (first !== undefined && stillFailing !== undefined) context.report(catalogue.besideStillFailing(lineSpan(first)));
  return { span: lineSpan(head), line: head.number, retry, stillFailing, body: stillFailingBody ?? body };
}

/** True for a line that is meant as `retry …` or `if still failing:`, also where it is not quite right. */
function isFailureLine(line: Line, context: ParseContext): boolean {
  const words = context.text.slice(line.start, line.end);
  if (/^if\s+still\b/i.test(words)) return true;
  return /^retry\b/i.test(words) && !matchShape('statementLine', line.shape + opens(line.children)).matched;
}
