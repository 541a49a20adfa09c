// Parses the lines under a service call or an `ask`: what to send and save, and what to do on failure; and those under `complete`.
import { wordCharacter } from '../1-layout/alphabet.js';
import { type Line, lineSpan } from '../1-layout/line.js';
import * as catalogue from '../diagnostics/catalogue/index.js';
import { closest } from '../diagnostics/suggest.js';
import { statementWords } from '../vocabulary/line-table.js';
import { type ParseContext, type Surroundings, withJoined } from './context.js';
import { explainOption } from './explain/explain.js';
import type { CallOptionLine } from './line-node.js';
import { fits, hasLostBlock, isStatementLine, opens, withLostBlock } from './match-line.js';
import { parseHeaderLines } from './services.js';
import type { Ask, Complete, OnFailure, Retry, SendOptions, Unread } from './tree.js';

type CallOptions = Pick<Ask, 'saves' | 'onFailure' | 'onSuccess' | 'unread' | keyof SendOptions> & {
  /** Statements indented under the call; they belong to the block around it. */
  readonly stray: readonly Line[];
};

const AS = wordCharacter('as') ?? '';
const OTHERWISE = wordCharacter('otherwise') ?? '';

/** `with order 7`, `with order: 7` or `order: 7`. */
const PAIR = /^(?:(?:with|and) ([\w-]+):?|([\w-]+):) (\S.*?),?$/;
/** Other languages write these with a colon; they are no pairs. */
const NO_PAIR =
  /^(?:at|auth\w*|body|choices?|deadline|headers?|json|limit|method|on|payload|query|remind\w*|retr\w*|timeout|url|within)$/i;

/** `isCertain` is false under a line that cannot be parsed: it may not be a call, so statements under it are not reported. */
export const parseCallOptions = (head: Line, context: ParseContext, around: Surroundings, isCertain = true): CallOptions =>
  new CallOptionsParser(context, around).parse(head, isCertain);

class CallOptionsParser {
  readonly #context: ParseContext;
  readonly #around: Surroundings;
  readonly #saves: Ask['saves'][number][] = [];
  readonly #stray: Line[] = [];
  readonly #sending: { -readonly [Key in keyof SendOptions]: SendOptions[Key] } = {
    headers: [],
    headersSpan: undefined,
    body: undefined,
    sentAs: undefined,
    atMostOnce: false,
    addressed: undefined,
    choices: undefined,
    within: undefined,
    remind: undefined,
    timeout: undefined,
  };
  #onFailure: OnFailure | undefined;
  /** Below a line that can't be read: what to do on failure, unless another line says that. */
  #unreadBlock: OnFailure | undefined;
  #onSuccess: Ask['onSuccess'];
  #unread: Unread | undefined;

  constructor(context: ParseContext, around: Surroundings) {
    this.#context = context;
    this.#around = around;
  }

  parse(head: Line, isCertain: boolean): CallOptions {
    const context = this.#context;
    const pairs = this.#pairsBelow(head);
    const queue = head.children.slice(pairs).reverse();
    for (let line = queue.pop(); line !== undefined && !context.gaveUp; line = queue.pop()) {
      if (line.fault !== undefined) {
        context.report(line.fault);
        this.#rescue(line);
        continue;
      }
      if (this.#isOtherwise(line)) {
        if (isCertain) context.report(catalogue.otherwiseOfCall(lineSpan(line)));
        this.#stray.push(...line.children);
        continue;
      }
      if (isStatementLine(line) || hasLostBlock(line, queue)) {
        // It was most likely meant to follow the call, along with the lines after it: one message is enough.
        if (this.#stray.length === 0 && isCertain) context.report(catalogue.notACallOption(lineSpan(line), undefined));
        this.#stray.push(withLostBlock(line, queue));
        continue;
      }
      const matched = context.match('callOptionLine', line);
      if (!matched.ok) {
        context.report(
          context.match('serviceOptionLine', line).ok
            ? catalogue.optionOfService(lineSpan(line), context.text.slice(line.start, line.end))
            : explainOption('callOptionLine', line, context.text, matched.failure),
        );
        this.#rescue(line);
        continue;
      }
      for (const stray of [...matched.stray].reverse()) queue.push(stray);
      this.#read(matched.node, line);
    }
    const unread = this.#unread === undefined ? {} : { unread: this.#unread };
    const block = this.#unreadBlock;
    const isOther = this.#onFailure !== undefined && block !== undefined;
    const blocks = {
      onFailure: this.#onFailure ?? block,
      onSuccess: this.#onSuccess ?? (isOther ? { ...block, body: block.body ?? [] } : undefined),
    };
    return { saves: this.#saves, ...blocks, ...this.#sending, stray: this.#stray, ...unread };
  }

  /** Reports pairs right below the call, as other languages write them: `with order 7`, `order: 7`. @returns the number of their lines */
  #pairsBelow(head: Line): number {
    const { text } = this.#context;
    const call = text.slice(head.start, head.end).replace(/:$/, '');
    const pairs: string[] = [];
    for (const line of head.children) {
      const isNext = line.number === head.number + pairs.length + 1 && line.children.length === 0 && line.fault === undefined;
      const written = text.slice(line.start, line.end);
      const [, withName, name = withName ?? '', value = ''] = (isNext && PAIR.exec(written)) || [];
      // Below a question, a colon follows words for its options.
      const isOption = NO_PAIR.test(name) || (withName === undefined && call.startsWith('ask '));
      const isPair = value !== '' && !isOption && !fits('callOptionLine', line.shape) && !isStatementLine(line);
      if (!isPair) break;
      pairs.push(`${name} ${value}`);
    }
    const last = head.children[pairs.length - 1];
    if (last === undefined) return 0;
    const joined = [call, pairs.join(' and ')].join(/ with /.test(call) ? ' and ' : ' with ');
    this.#context.report(catalogue.pairsBelowCall({ start: head.children[0]?.start ?? last.start, end: last.end }, joined));
    return pairs.length;
  }

  /** An `otherwise:` for the case that the call succeeds. After statements, it may belong to an `if`. */
  #isOtherwise(line: Line): boolean {
    return this.#stray.length === 0 && line.shape.startsWith(OTHERWISE) && isStatementLine(line);
  }

  #read(node: CallOptionLine, line: Line): void {
    const sending = this.#sending;
    switch (node.kind) {
      case 'save':
        this.#once(
          line,
          `save the ${node.what} as`,
          this.#saves.some(({ what }) => what === node.what),
        );
        this.#saves.push({ what: node.what, name: node.name, span: node.span });
        break;
      case 'headers':
        this.#once(line, 'with headers', sending.headersSpan);
        sending.headersSpan ??= lineSpan(line);
        this.#addHeaders(line);
        break;
      case 'body':
        this.#once(line, 'send … as the body', sending.body);
        sending.body ??= { value: node.value, span: node.span };
        break;
      case 'sent as':
        this.#once(line, 'sent as', sending.sentAs);
        sending.sentAs ??= node.method;
        break;
      case 'addressed':
        this.#once(line, 'addressed to', sending.addressed);
        sending.addressed ??= { value: node.value, span: node.span };
        break;
      case 'choices':
        this.#once(line, 'choose from', sending.choices);
        sending.choices ??= { items: node.items, span: node.span };
        break;
      case 'within':
      case 'remind':
      case 'timeout':
        this.#once(line, { within: 'within', remind: 'remind every', timeout: 'with timeout' }[node.kind], sending[node.kind]);
        sending[node.kind] ??= node.duration;
        break;
      case 'on success': {
        this.#once(line, 'on success', this.#onSuccess);
        const body = this.#context.block(line.children, this.#around);
        this.#onSuccess ??= { body, span: lineSpan(line), line: line.number };
        break;
      }
      case 'at most once':
        this.#once(line, 'at most once', sending.atMostOnce);
        sending.atMostOnce = true;
        break;
      case 'on failure': {
        const handler = parseOnFailure(line, this.#context, this.#around);
        this.#once(line, 'on failure', this.#onFailure);
        this.#onFailure ??= handler;
      }
    }
  }

  /** Reports the option if the call has it already; the first one counts. */
  #once(line: Line, words: string, earlier: unknown): void {
    if (earlier) this.#context.report(catalogue.repeatedCallOption(lineSpan(line), words));
  }

  #addHeaders({ children }: Line): void {
    this.#sending.headers = [...this.#sending.headers, ...parseHeaderLines('callHeaderLine', children, this.#context)];
  }

  /** A line that cannot be parsed may still save something under any name on it, unless it opens a block, which is still parsed. */
  #rescue(line: Line): void {
    const names = [...(this.#unread?.names ?? []), ...(line.children.length === 0 ? withJoined(this.#context.names(line)) : [])];
    this.#unread = { names, nameless: this.#unread?.nameless === true || line.shape.endsWith(AS) };
    if (line.children.length === 0) return;
    if (line.children.some(isHeader)) this.#addHeaders(line);
    else this.#unreadBlock ??= parseOnFailure(line, this.#context, this.#around);
  }
}

/** A line that only fits under `with headers:`. */
const isHeader = (line: Line): boolean =>
  line.fault === undefined && !isStatementLine(line) && fits('callHeaderLine', line.shape + opens(line.children));

/** The block of `on failure:`: a retry first, then `if still failing:` or plain statements. */
function parseOnFailure(head: Line, context: ParseContext, around: Surroundings): OnFailure {
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
