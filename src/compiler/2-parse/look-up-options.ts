// Parses the lines under `look up`: what to do if no row matches.
import { type Line, lineSpan } from '../1-layout/line.js';
import * as catalogue from '../diagnostics/catalogue/index.js';
import type { Surroundings } from './blocks.js';
import type { ParseContext } from './context.js';
import { blockProblem } from './explain.js';
import { isStatementLine } from './is-statement-line.js';
import { hasLostBlock, withLostBlock } from './lost-block.js';
import type { LookUp, Unread } from './tree.js';

export type LookUpOptions = Pick<LookUp, 'nothing' | 'unread'> & {
  /** Statements indented under it; they continue the block around it. */
  readonly stray: readonly Line[];
};

/** What other lines say that no row matches. */
const NOTHING =
  /^(?:otherwise|else|on failure|if not|if (?:there is )?no(?:ne)?(?: (?:row|match|result|entry))?|if (?:it is )?not found|when nothing (?:matches|fits))\s*:$/i;

/** `if nothingmatches:` is also a condition, but nobody means it as one. */
const isMeantAsNothing = ({ start, end }: Line, { text }: ParseContext): boolean =>
  /^if\b.*(?:nothing|match)/i.test(text.slice(start, end)) || NOTHING.test(text.slice(start, end));

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
