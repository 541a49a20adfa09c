// Parses the lines under `complete`: the status and the text of an answer of one's own.
import { type Line, lineSpan } from '../1-layout/line.js';
import * as catalogue from '../diagnostics/catalogue/index.js';
import type { ParseContext } from './context.js';
import { fits, isStatementLine, opens } from './match-line.js';
import type { Complete } from './tree.js';

type OwnAnswer = Pick<Complete, 'status' | 'answer'> & {
  /** Lines indented under it that are not about the answer; they continue the block around it. */
  readonly stray: readonly Line[];
};

const STATUS = 'status';

export function parseAnswerLines(lines: readonly Line[], context: ParseContext): OwnAnswer {
  let status: Complete['status'];
  let answer: Complete['answer'];
  const stray: Line[] = [];
  const queue = [...lines].reverse();
  for (let line = queue.pop(); line !== undefined && !context.gaveUp; line = queue.pop()) {
    const isAnswer = fits('answerLine', line.shape + opens(line.children));
    if (!isAnswer && line.fault === undefined && isStatementLine(line)) {
      if (stray.length === 0) context.report(catalogue.notAnAnswerLine(lineSpan(line)));
      stray.push(line);
      continue;
    }
    const matched = line.fault === undefined ? context.match('answerLine', line) : undefined;
    if (matched?.ok !== true || (matched.node.kind === 'status' && matched.node.word !== STATUS)) {
      context.report(line.fault ?? catalogue.notAnAnswerLine(lineSpan(line)));
      continue;
    }
    queue.push(...[...matched.stray].reverse());
    const { node } = matched;
    if ((node.kind === 'status' ? status : answer) !== undefined)
      context.report(catalogue.repeatedCallOption(lineSpan(line), node.kind === 'status' ? STATUS : 'answer text'));
    if (node.kind === 'status') status ??= { value: node.value.value, span: node.value.span };
    else answer ??= node.value;
  }
  return { status, answer, stray };
}
