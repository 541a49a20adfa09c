// Assembles lines into statements. Recovers from lines it cannot read, so each mistake is reported once and the rest is still parsed.
import { wordCharacter } from '../1-layout/alphabet.js';
import { type Line, lineSpan } from '../1-layout/line.js';
import * as catalogue from '../diagnostics/catalogue/index.js';
import type { Span } from '../diagnostics/diagnostic.js';
import { statementOf } from '../vocabulary/line-table.js';
import { parseAnswerLines, parseCallOptions } from './call-options.js';
import { type ParseContext, type Surroundings, withJoined } from './context.js';
import { explainStatement, lacksText, meantStatement } from './explain/explain.js';
import type { StatementLine } from './line-node.js';
import { fits, isStatementLine, opens } from './match-line.js';
import { parseLookUpOptions, parseMessageOptions } from './message-options.js';
import type { Block, Branch, Broken, If, Statement } from './tree.js';

/** An `if` that may have more branches. */
interface OpenIf {
  readonly index: number;
  readonly branches: Branch[];
  statement: If;
}

/** Where a statement stands. */
interface Position {
  readonly span: Span;
  readonly line: number;
}

export const parseBlock = (lines: readonly Line[], context: ParseContext, around: Surroundings): Block =>
  new BlockParser(lines, context, around).parse();

class BlockParser {
  readonly #context: ParseContext;
  readonly #around: Surroundings;
  /** The lines still to read, last first. Lines indented under nothing continue this block: they are parsed in place. */
  readonly #queue: Line[];
  readonly #statements: Statement[] = [];
  #open: OpenIf | undefined;
  /** The previous statement could not be parsed: it may have been an `if`. */
  #mayBeIf = false;

  constructor(lines: readonly Line[], context: ParseContext, around: Surroundings) {
    this.#context = context;
    this.#around = around;
    this.#queue = [...lines].reverse();
  }

  parse(): Block {
    const context = this.#context;
    for (let line = this.#queue.pop(); line !== undefined && !context.gaveUp; line = this.#queue.pop()) {
      const at = { span: lineSpan(line), line: line.number };
      if (line.fault !== undefined) {
        context.report(line.fault);
        this.#statements.push(brokenLine(line, context, this.#around));
        this.#mayBeIf = true;
        continue;
      }
      const matched = context.match('statementLine', line);
      if (!matched.ok) {
        context.report(explainStatement(line, context.text, matched.failure));
        this.#unread(line, at);
        if (lacksText(line, context.text)) this.#dropText();
        continue;
      }
      this.#readNext(matched.stray);
      if (matched.node.kind === 'complete') this.#complete(matched.node, line, at);
      else this.#read(matched.node, line, at);
    }
    return this.#statements;
  }

  /** Lines of a text that lack their indentation: the message about its head is enough. */
  #dropText(): void {
    for (let next = this.#queue.at(-1); next !== undefined && !isStatementLine(next); next = this.#queue.at(-1))
      this.#queue.pop();
  }

  #readNext(lines: readonly Line[]): void {
    for (const line of [...lines].reverse()) this.#queue.push(line);
  }

  #unread(line: Line, at: Position): void {
    const statement = brokenLine(line, this.#context, this.#around);
    // Branches that follow or replace a broken `if` still belong together.
    const branch = { condition: { kind: 'constant', value: null, span: at.span }, body: statement.body, ...at } as const;
    if (this.#open !== undefined && wasMeantAs(line, this.#context, 'otherwise')) {
      this.#open.branches.push(branch);
    } else if (wasMeantAs(line, this.#context, 'if')) {
      this.#startIf(branch);
    } else {
      this.#statements.push(statement);
      this.#mayBeIf = line.children.length > 0;
      this.#open = undefined;
    }
  }

  #read(node: Exclude<StatementLine, { kind: 'complete' }>, line: Line, at: Position): void {
    const [context, around, statements] = [this.#context, this.#around, this.#statements];
    const before = { chain: this.#open, wasUnread: this.#mayBeIf };
    this.#open = undefined;
    this.#mayBeIf = false;
    switch (node.kind) {
      case 'trigger':
        context.report(catalogue.misplacedTrigger(at.span));
        break;
      case 'step':
        statements.push({ kind: 'step', name: node.name, body: context.block(line.children, around), ...at });
        break;
      case 'at the same time': {
        const inBranch = around.inLoop || around.inBranch === true;
        statements.push({ ...node, body: context.block(line.children, { inLoop: false, inBranch }), ...at });
        break;
      }
      case 'if':
        this.#startIf({ condition: node.condition, body: context.block(line.children, around), ...at });
        break;
      case 'otherwise if':
      case 'otherwise':
        this.#continueIf(before, node, context.block(line.children, around), at);
        break;
      case 'for each':
      case 'for each field':
      case 'repeat':
        statements.push({ ...node, body: context.block(line.children, { inLoop: true }), ...at });
        break;
      case 'wait for': {
        const { stray, ...options } = parseMessageOptions(line.children, context, around);
        this.#readNext(stray);
        statements.push({ ...node, ...options, ...at });
        break;
      }
      case 'look up': {
        const { stray, ...options } = parseLookUpOptions(line.children, context, around);
        this.#readNext(stray);
        statements.push({ ...node, ...options, ...at });
        break;
      }
      case 'skip':
      case 'stop':
        if (this.#mayLeaveLoop(node.kind === 'skip' ? 'skip' : 'stop the loop', at)) statements.push(node);
        break;
      case 'call':
      case 'ask': {
        const { stray, ...options } = parseCallOptions(line, context, around);
        this.#readNext(stray);
        statements.push({ ...node, ...options, ...at });
        break;
      }
      default:
        // A complete statement. `tsc` rejects a head whose other lines are not handled above.
        statements.push(node);
    }
  }

  #complete(node: Extract<StatementLine, { kind: 'complete' }>, line: Line, at: Position): void {
    this.#open = undefined;
    this.#mayBeIf = false;
    const { stray, ...own } = parseAnswerLines(line.children, this.#context);
    this.#readNext(stray);
    this.#statements.push({ ...node, ...own, ...at });
  }

  #mayLeaveLoop(keyword: string, { span }: Position): boolean {
    const { inLoop, inBranch } = this.#around;
    if (!inLoop) this.#context.report(inBranch ? catalogue.leavesBranch(span, keyword) : catalogue.outsideLoop(span, keyword));
    return inLoop;
  }

  #startIf(branch: Branch): void {
    const branches = [branch];
    const statement: If = { kind: 'if', branches, otherwise: undefined, span: branch.span, line: branch.line };
    this.#statements.push(statement);
    this.#open = { index: this.#statements.length - 1, branches, statement };
  }

  #continueIf(
    { chain, wasUnread }: { readonly chain: OpenIf | undefined; readonly wasUnread: boolean },
    node: Extract<StatementLine, { kind: 'otherwise if' | 'otherwise' }>,
    body: Block,
    at: Position,
  ): void {
    if (chain === undefined || chain.statement.otherwise !== undefined) {
      this.#strayOtherwise(body, at, wasUnread);
      return;
    }
    this.#open = chain;
    if (node.kind === 'otherwise if') chain.branches.push({ condition: node.condition, body, ...at });
    else {
      chain.statement = { ...chain.statement, otherwise: { body, ...at } };
      this.#statements[chain.index] = chain.statement;
    }
  }

  #strayOtherwise(body: Block, at: Position, wasUnread: boolean): void {
    if (!wasUnread) this.#context.report(catalogue.strayOtherwise(at.span));
    this.#mayBeIf = wasUnread;
    this.#statements.push({ kind: 'broken', defines: [], nameless: false, names: [], body, ...at });
  }
}

// Keeps the rest of a line that cannot be parsed from causing a second message.

/** Whether a line that cannot be parsed was meant to begin with this statement. */
const wasMeantAs = (line: Line, context: ParseContext, word: string): boolean => {
  const first = context.name(line, 0)?.text;
  return first !== undefined && meantStatement(first) === word;
};

const USING = wordCharacter('using') ?? '';

/** Stands in for a line that cannot be parsed: the variables it may set and use, and its block. */
function brokenLine(line: Line, context: ParseContext, around: Surroundings): Broken {
  const form = statementOf(meantStatement(context.name(line, 0)?.text ?? '') ?? '');
  const isCall =
    line.shape.includes(USING) ||
    form?.under === 'options' ||
    line.children.some((child) => fits('callOptionLine', child.shape + opens(child.children)));
  const names = context.names(line);
  const at = { kind: 'broken', names, span: lineSpan(line), line: line.number } as const;
  if (isLookUp(line, context)) {
    const { nothing, stray } = parseLookUpOptions(line.children, context, around);
    const body = [...(nothing?.body ?? []), ...context.block(stray, around)];
    return { ...at, ...definedBy(line, names), body };
  }
  if (wasMeantAs(line, context, 'complete') && !line.shape.includes(USING)) {
    const { stray } = parseAnswerLines(line.children, context);
    return { ...at, ...definedBy(line, names), body: context.block(stray, around) };
  }
  if (isCall) {
    const { saves, onFailure, onSuccess, unread, stray } = parseCallOptions(line, context, around, false);
    const defines = [...saves.map((save) => save.name.text), ...(unread?.names ?? []), ...alsoSet(line, context)];
    return {
      ...at,
      defines,
      nameless: unread?.nameless === true,
      body: [...(onFailure?.body ?? []), ...(onSuccess?.body ?? []), ...context.block(stray, around)],
    };
  }
  if (line.children.some((child) => fits('messageOptionLine', child.shape + opens(child.children)))) {
    const { save, silence, onSuccess, unread, stray } = parseMessageOptions(line.children, context, around);
    const defines = [...(save === undefined ? [] : [save.text]), ...(unread?.names ?? [])];
    return {
      ...at,
      defines,
      nameless: false,
      body: [...(silence?.body ?? []), ...(onSuccess?.body ?? []), ...context.block(stray, around)],
    };
  }
  // No one knows what it was meant to be; perhaps a loop.
  const isLoop = form?.under !== 'statements';
  const body = context.block(line.children, { inLoop: around.inLoop || isLoop });
  const { defines, nameless } = definedBy(line, names);
  return { ...at, defines: [...defines, ...alsoSet(line, context)], nameless, body };
}

const character = (word: string): string => wordCharacter(word) ?? '';

/** `Look at the order:` is not one: it may be a step. */
const isLookUp = (line: Line, context: ParseContext): boolean =>
  (wasMeantAs(line, context, 'look') && (line.children.length === 0 || line.shape.charAt(1) === character('up'))) ||
  line.children.some((child) => fits('lookUpOptionLine', child.shape + opens(child.children)));

const SET_TO = new RegExp(`^${character('set')}[^;]${character('to')}`);
const FOR_IN = new RegExp(`^${character('for')}${character('each')}[^;]${character('in')}`);
const FOR_EACH = new RegExp(`^${character('for')}${character('each')}`);
/** These words touch only if the name between them is missing. */
const NAMELESS = new RegExp(
  `^${character('set')}${character('to')}|^${character('for')}${character('each')}?${character('in')}|${character('to')}$|` +
    `^${character('for')}${character('each')}(${character('and')}|[^;]${character('and')}${character('in')})|` +
    `^${character('look')}${character('up')}([^;]*${character('and')})?[${character('and')}${character('in')}]`,
);

/** Names that further statements of the line set: `set a to 1, set b to 2`, `… and save the result as order`. */
function alsoSet(line: Line, context: ParseContext): string[] {
  const words = context.text.slice(line.start, Math.min(line.end, line.start + 400)).split(/\s+/);
  const set = words.filter((_, index) => words[index - 1] === 'set' && words[index + 1] === 'to');
  const isSaved = words.at(-2) === 'as' && (words.includes('save') || words.includes('store'));
  // `for all request.items:`
  const items = words[0] === 'for' && !words.includes('in') ? words.map((word) => word.replace(/^.*\.|s?:?$/g, '')) : [];
  return [...set, ...(isSaved ? words.slice(-1) : []), ...items];
}

/** The names that a line may have set: the one in the right place if the start of the line can be parsed, otherwise any of them. */
function definedBy({ shape }: Line, names: readonly string[]): Pick<Broken, 'defines' | 'nameless'> {
  if (SET_TO.test(shape)) return { defines: names.slice(1, 2), nameless: false };
  if (FOR_IN.test(shape)) return { defines: names.slice(2, 3), nameless: false };
  // Including names that were joined to the word before or after them.
  const apart = withJoined(names).flatMap((name) => [
    name,
    name.replace(/^(set|each|as|to|and)/, ''),
    name.replace(/(to|in|and)$/, ''),
  ]);
  const isItemMissing = FOR_EACH.test(shape) && (names[2] ?? 'request') === 'request';
  return { defines: apart, nameless: isItemMissing || NAMELESS.test(shape) };
}
