// Parses the lines under `wait for` and under `look up`.
import { type Line, lineSpan } from '../1-layout/line.js';
import * as catalogue from '../diagnostics/catalogue/index.js';
import type { ParseContext, Surroundings } from './context.js';
import { blockProblem, explainOption } from './explain/explain.js';
import { hasLostBlock, isStatementLine, withLostBlock } from './match-line.js';
import type { LookUp, Name, Unread, WaitFor } from './tree.js';

type MessageOptions = Pick<WaitFor, 'save' | 'silence' | 'onSuccess' | 'unread'> & {
  /** Statements indented under it; they belong to the block around it. */
  readonly stray: readonly Line[];
};

export function parseMessageOptions(lines: readonly Line[], context: ParseContext, around: Surroundings): MessageOptions {
  let save: Name | undefined;
  let silence: WaitFor['silence'];
  let onSuccess: WaitFor['onSuccess'];
  const names: string[] = [];
  const stray: Line[] = [];
  const queue = [...lines].reverse();
  for (let line = queue.pop(); line !== undefined && !context.gaveUp; line = queue.pop()) {
    if (isStatementLine(line)) {
      if (stray.length === 0) context.report(catalogue.notAMessageOption(lineSpan(line)));
      stray.push(line);
      continue;
    }
    const matched = line.fault === undefined ? context.match('messageOptionLine', line) : undefined;
    if (matched?.ok !== true) {
      context.report(line.fault ?? explainOption('messageOptionLine', line, context.text, failureOf(matched)));
      names.push(...context.names(line));
      if (line.children.length > 0) silence ??= silenceOf(line);
      continue;
    }
    queue.push(...[...matched.stray].reverse());
    const { node } = matched;
    const before = { save, silence, success: onSuccess }[node.kind];
    const words = { save: 'save the message as', silence: 'if nothing comes', success: 'on success' }[node.kind];
    if (before !== undefined) context.report(catalogue.repeatedCallOption(lineSpan(line), words));
    if (node.kind === 'save') save ??= node.name;
    else if (node.kind === 'success') onSuccess ??= silenceOf(line);
    else silence ??= silenceOf(line);
  }
  const unread: Unread | undefined = names.length === 0 ? undefined : { names, nameless: false };
  return { save, silence, onSuccess, stray, ...(unread === undefined ? {} : { unread }) };

  function silenceOf(line: Line): NonNullable<WaitFor['silence']> {
    return { body: context.block(line.children, around), span: lineSpan(line), line: line.number };
  }
}

type Failure = Extract<ReturnType<ParseContext['match']>, { ok: false }>['failure'];

const failureOf = (matched: { readonly ok: false; readonly failure: Failure } | undefined): Failure =>
  matched?.failure ?? { matched: false, token: 0, expected: [] };

type LookUpOptions = Pick<LookUp, 'nothing' | 'unread'> & {
  /** Statements indented under it; they continue the block around it. */
  readonly stray: readonly Line[];
};

/** Other words for "no row matches". */
const NOTHING =
  /^(?:otherwise|else|on failure|if not|if (?:there is )?no(?:ne)?(?: (?:row|match|result|entry))?|if (?:it is )?not found|when nothing (?:matches|fits))\s*:$/i;

/** `if nothingmatches:` is also a condition, but nobody means it as one. */
const isMeantAsNothing = ({ start, end }: Line, { text }: ParseContext): boolean =>
  /^if\b.*(?:nothing|match)/i.test(text.slice(start, end)) || NOTHING.test(text.slice(start, end));

/** Parses the lines under `look up`: what to do if no row matches. */
export function parseLookUpOptions(lines: readonly Line[], context: ParseContext, around: Surroundings): LookUpOptions {
  let nothing: LookUp['nothing'];
  let unread: Unread | undefined;
  const stray: Line[] = [];
  const queue = [...lines].reverse();
  for (let line = queue.pop(); line !== undefined && !context.gaveUp; line = queue.pop()) {
    if ((isStatementLine(line) || hasLostBlock(line, queue)) && !isMeantAsNothing(line, context)) {
      if (stray.length === 0) context.report(catalogue.notALookUpOption(lineSpan(line)));
      stray.push(withLostBlock(line, queue));
      continue;
    }
    const matched = line.fault === undefined ? context.match('lookUpOptionLine', line) : undefined;
    if (matched?.ok === true) {
      queue.push(...[...matched.stray].reverse());
      if (nothing !== undefined) context.report(catalogue.repeatedCallOption(lineSpan(line), 'if nothing matches'));
      nothing ??= { body: context.block(line.children, around), span: lineSpan(line), line: line.number };
      continue;
    }
    const problem = matched?.ok === false ? blockProblem(line, context.text, matched.failure) : undefined;
    const written = context.text.slice(line.start, line.end);
    const other = NOTHING.test(written) ? catalogue.otherLookUpOption(lineSpan(line), written) : undefined;
    context.report(line.fault ?? other ?? problem ?? catalogue.notALookUpOption(lineSpan(line)));
    unread = { names: [...(unread?.names ?? []), ...context.names(line)], nameless: false };
    if (line.children.length > 0)
      nothing ??= { body: context.block(line.children, around), span: lineSpan(line), line: line.number };
  }
  return { nothing, stray, ...(unread === undefined ? {} : { unread }) };
}
