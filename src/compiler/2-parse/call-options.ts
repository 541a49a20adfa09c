// Parses the lines under a service call or an `ask`: what to save, and what to do on failure.

import { wordCharacter } from '../1-layout/alphabet.js';
import { type Line, lineSpan } from '../1-layout/line.js';
import * as catalogue from '../diagnostics/catalogue/index.js';
import { closest } from '../diagnostics/suggest.js';
import { statementWords } from '../vocabulary/first-words.js';
import type { Surroundings } from './blocks.js';
import type { ParseContext } from './context.js';
import { explainOption } from './explain.js';
import { parseHeaderLines } from './header-lines.js';
import { fits, opens } from './match-line.js';
import type { Ask, OnFailure, Retry, SendOptions, Unread } from './tree.js';

export type CallOptions = Pick<Ask, 'saves' | 'onFailure' | 'unread' | keyof SendOptions> & {
  /** Statements indented under the call; they belong to the block around it. */
  readonly stray: readonly Line[];
};

const AS = wordCharacter('as') ?? '';

type Save = Ask['saves'][number];

/** `isCertain` is false under a line that cannot be parsed: it may not be a call, so statements under it are not reported. */
export function parseCallOptions(
  lines: readonly Line[],
  context: ParseContext,
  around: Surroundings,
  isCertain = true,
): CallOptions {
  const saves: Save[] = [];
  let onFailure: OnFailure | undefined;
  const sending: { -readonly [Key in keyof SendOptions]: SendOptions[Key] } = {
    headers: [],
    headersSpan: undefined,
    body: undefined,
    sentAs: undefined,
    atMostOnce: false,
    choices: undefined,
    within: undefined,
    remind: undefined,
  };
  let unread: Unread | undefined;
  const stray: Line[] = [];
  const saved = new Set<Save['what']>();
  const queue = [...lines].reverse();
  for (let line = queue.pop(); line !== undefined && !context.gaveUp; line = queue.pop()) {
    if (line.fault !== undefined) {
      context.report(line.fault);
      rescue(line);
      continue;
    }
    if (isStatement(line)) {
      // It was most likely meant to follow the call, along with the lines after it: one message is enough.
      if (stray.length === 0 && isCertain) context.report(catalogue.notACallOption(lineSpan(line), undefined));
      stray.push(line);
      continue;
    }
    const matched = context.match('callOptionLine', line);
    if (!matched.ok) {
      context.report(
        context.match('serviceOptionLine', line).ok
          ? catalogue.optionOfService(lineSpan(line), context.text.slice(line.start, line.end))
          : explainOption('callOptionLine', line, context.text, matched.failure),
      );
      rescue(line);
      continue;
    }
    for (const stray of [...matched.stray].reverse()) queue.push(stray);
    const { node } = matched;
    if (node.kind === 'save') {
      const twice = saved.has(node.what);
      saved.add(node.what);
      if (twice) context.report(catalogue.repeatedCallOption(lineSpan(line), `save the ${node.what} as`));
      saves.push({ what: node.what, name: node.name, span: node.span });
    } else if (node.kind === 'headers') {
      if (sending.headersSpan !== undefined) context.report(catalogue.repeatedCallOption(lineSpan(line), 'with headers'));
      sending.headersSpan ??= lineSpan(line);
      sending.headers = [...sending.headers, ...parseHeaderLines('callHeaderLine', line.children, context)];
    } else if (node.kind === 'body') {
      if (sending.body !== undefined) context.report(catalogue.repeatedCallOption(lineSpan(line), 'send … as the body'));
      sending.body ??= { value: node.value, span: node.span };
    } else if (node.kind === 'sent as') {
      if (sending.sentAs !== undefined) context.report(catalogue.repeatedCallOption(lineSpan(line), 'sent as'));
      sending.sentAs ??= node.method;
    } else if (node.kind === 'choices') {
      if (sending.choices !== undefined) context.report(catalogue.repeatedCallOption(lineSpan(line), 'choose from'));
      sending.choices ??= { items: node.items, span: node.span };
    } else if (node.kind === 'within' || node.kind === 'remind') {
      const words = node.kind === 'within' ? 'within' : 'remind every';
      if (sending[node.kind] !== undefined) context.report(catalogue.repeatedCallOption(lineSpan(line), words));
      sending[node.kind] ??= node.duration;
    } else if (node.kind === 'at most once') {
      if (sending.atMostOnce) context.report(catalogue.repeatedCallOption(lineSpan(line), 'at most once'));
      sending.atMostOnce = true;
    } else {
      const handler = parseFailure(line, context, around);
      if (onFailure !== undefined) context.report(catalogue.repeatedCallOption(lineSpan(line), 'on failure'));
      else onFailure = handler;
    }
  }
  return { saves, onFailure, ...sending, stray, ...(unread === undefined ? {} : { unread }) };

  /** A line that cannot be parsed may still save something under any name on it, and its block is still parsed. */
  function rescue(line: Line): void {
    const names = unread === undefined ? context.names(line) : [...unread.names, ...context.names(line)];
    unread = { names, nameless: unread?.nameless === true || line.shape.endsWith(AS) };
    if (line.children.length === 0) return;
    if (line.children.some(isHeader))
      sending.headers = [...sending.headers, ...parseHeaderLines('callHeaderLine', line.children, context)];
    else onFailure ??= parseFailure(line, context, around);
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
  const beside = stillFailing === undefined ? undefined : plain.find(isStatement);
  if (beside !== undefined) context.report(catalogue.besideStillFailing(lineSpan(beside)));
  return { span: lineSpan(head), line: head.number, retry, stillFailing, body: stillFailingBody ?? body };
}

/** True for a line meant as `retry …` or `if still failing:`, even if it is misspelt. */
function isFailureLine(line: Line, context: ParseContext): boolean {
  if (isStatement(line)) return false;
  const first = context.name(line, 0)?.text ?? '';
  if (first === 'retry' || closest(first, ['retry', ...statementWords]) === 'retry') return true;
  return /\b(still|failing)\b/i.test(context.text.slice(line.start, line.end));
}

/** A line that only fits under `with headers:`. */
const isHeader = (line: Line): boolean =>
  line.fault === undefined && !isStatement(line) && fits('callHeaderLine', line.shape + opens(line.children));

const isStatement = (line: Line): boolean => line.fault === undefined && fits('statementLine', line.shape + opens(line.children));
