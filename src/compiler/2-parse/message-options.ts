// Parses the lines under `wait for`: what to save the message as, and what to do if none comes.
import { type Line, lineSpan } from '../1-layout/line.js';
import * as catalogue from '../diagnostics/catalogue/index.js';
import type { Surroundings } from './blocks.js';
import type { ParseContext } from './context.js';
import { explainOption } from './explain.js';
import { isStatementLine } from './is-statement-line.js';
import type { Name, Unread, WaitFor } from './tree.js';

export type MessageOptions = Pick<WaitFor, 'save' | 'silence' | 'unread'> & {
  /** Statements indented under it; they belong to the block around it. */
  readonly stray: readonly Line[];
};

export function parseMessageOptions(lines: readonly Line[], context: ParseContext, around: Surroundings): MessageOptions {
  let save: Name | undefined;
  let silence: WaitFor['silence'];
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
    const isTwice = node.kind === 'save' ? save !== undefined : silence !== undefined;
    const words = node.kind === 'save' ? 'save the message as' : 'if nothing comes';
    if (isTwice) context.report(catalogue.repeatedCallOption(lineSpan(line), words));
    if (node.kind === 'save') save ??= node.name;
    else silence ??= silenceOf(line);
  }
  const unread: Unread | undefined = names.length === 0 ? undefined : { names, nameless: false };
  return { save, silence, stray, ...(unread === undefined ? {} : { unread }) };

  function silenceOf(line: Line): NonNullable<WaitFor['silence']> {
    return { body: context.block(line.children, around), span: lineSpan(line), line: line.number };
  }
}

type Failure = Extract<ReturnType<ParseContext['match']>, { ok: false }>['failure'];

const failureOf = (matched: { readonly ok: false; readonly failure: Failure } | undefined): Failure =>
  matched?.failure ?? { matched: false, token: 0, expected: [] };
