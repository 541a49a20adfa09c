// Assembles lines into statements. Recovers from lines it cannot read, so each mistake is reported once and the rest is still parsed.

import { wordCharacter } from '../1-layout/alphabet.js';
import { type Line, lineSpan } from '../1-layout/line.js';
import * as catalogue from '../diagnostics/catalogue/index.js';
import { statementOf } from '../vocabulary/first-words.js';
import { parseCallOptions } from './call-options.js';
import type { ParseContext } from './context.js';
import { explainStatement, meantStatement } from './explain.js';
import type { CallHead } from './line-node.js';
import { parseLookUpOptions } from './look-up-options.js';
import { fits, opens } from './match-line.js';
import { parseMessageOptions } from './message-options.js';
import type { Ask, Block, Branch, Broken, Call, If, Statement } from './tree.js';

/** The context of a block, which decides what it may contain. */
export interface Surroundings {
  readonly inLoop: boolean;
  /** The branch is inside the loop and can't leave it. */
  readonly inBranch?: boolean;
}

/** An `if` that may have more branches. */
interface OpenIf {
  readonly index: number;
  readonly branches: Branch[];
  statement: If;
}

export function parseBlock(lines: readonly Line[], context: ParseContext, around: Surroundings): Block {
  const statements: Statement[] = [];
  let open: OpenIf | undefined;
  /** The previous statement could not be parsed: it may have been an `if`. */
  let mayBeIf = false;
  // Lines indented under nothing continue this block: they are parsed in place.
  const queue = [...lines].reverse();
  for (let line = queue.pop(); line !== undefined && !context.gaveUp; line = queue.pop()) {
    const at = { span: lineSpan(line), line: line.number };
    if (line.fault !== undefined) {
      context.report(line.fault);
      statements.push(broken(line, context, around));
      mayBeIf = true;
      continue;
    }
    const matched = context.match('statementLine', line);
    if (!matched.ok) {
      context.report(explainStatement(line, context.text, matched.failure));
      const statement = broken(line, context, around);
      // Branches that follow or replace a broken `if` still belong together.
      const branch = { condition: { kind: 'constant', value: null, span: at.span }, body: statement.body, ...at } as const;
      if (open !== undefined && startsWith(line, context, 'otherwise')) {
        open.branches.push(branch);
      } else if (startsWith(line, context, 'if')) {
        open = openIf(statements, branch);
      } else {
        statements.push(statement);
        mayBeIf = line.children.length > 0;
        open = undefined;
      }
      continue;
    }
    const { node } = matched;
    for (const stray of [...matched.stray].reverse()) queue.push(stray);
    const chain = open;
    open = undefined;
    const wasUnread: boolean = mayBeIf;
    mayBeIf = false;
    switch (node.kind) {
      case 'trigger':
        context.report(catalogue.misplacedTrigger(at.span));
        break;
      case 'step':
        statements.push({ kind: 'step', name: node.name, body: context.block(line.children, around), ...at });
        break;
      case 'at the same time': {
        const inBranch = around.inLoop || around.inBranch === true;
        statements.push({ kind: node.kind, body: context.block(line.children, { inLoop: false, inBranch }), ...at });
        break;
      }
      case 'if':
        open = openIf(statements, { condition: node.condition, body: context.block(line.children, around), ...at });
        break;
      case 'otherwise if':
      case 'otherwise': {
        const body = context.block(line.children, around);
        if (chain === undefined || chain.statement.otherwise !== undefined) {
          if (!wasUnread) context.report(catalogue.strayOtherwise(at.span));
          mayBeIf = wasUnread;
          statements.push({ kind: 'broken', defines: [], nameless: false, names: [], body, ...at });
        } else {
          open = chain;
          if (node.kind === 'otherwise if') chain.branches.push({ condition: node.condition, body, ...at });
          else {
            chain.statement = { ...chain.statement, otherwise: { body, ...at } };
            statements[chain.index] = chain.statement;
          }
        }
        break;
      }
      case 'for each':
      case 'for each field':
      case 'repeat':
        statements.push({ ...node, body: context.block(line.children, { inLoop: true }), ...at });
        break;
      case 'wait for': {
        const { stray, ...options } = parseMessageOptions(line.children, context, around);
        queue.push(...[...stray].reverse());
        statements.push({ ...node, ...options, ...at });
        break;
      }
      case 'look up': {
        const { stray, ...options } = parseLookUpOptions(line.children, context, around);
        queue.push(...[...stray].reverse());
        statements.push({ ...node, ...options, ...at });
        break;
      }
      case 'skip':
      case 'stop':
        if (around.inLoop) statements.push(node);
        else if (around.inBranch)
          context.report(catalogue.leavesBranch(at.span, node.kind === 'skip' ? 'skip' : 'stop the loop'));
        else context.report(catalogue.outsideLoop(at.span, node.kind === 'skip' ? 'skip' : 'stop the loop'));
        break;
      case 'call':
      case 'ask':
        statements.push(call(node, line, context, around, queue));
        break;
      default:
        // A complete statement. `tsc` rejects a head whose other lines are not handled above.
        statements.push(node);
    }
  }
  return statements;
}

function openIf(statements: Statement[], branch: Branch): OpenIf {
  const branches = [branch];
  const statement: If = { kind: 'if', branches, otherwise: undefined, span: branch.span, line: branch.line };
  statements.push(statement);
  return { index: statements.length - 1, branches, statement };
}

function call(node: CallHead, line: Line, context: ParseContext, around: Surroundings, queue: Line[]): Call | Ask {
  const { stray, ...options } = parseCallOptions(line.children, context, around);
  queue.push(...[...stray].reverse());
  return { ...node, ...options, span: lineSpan(line), line: line.number };
}

const startsWith = (line: Line, context: ParseContext, word: string): boolean => {
  const first = context.name(line, 0)?.text;
  return first !== undefined && meantStatement(first) === word;
};

const USING = wordCharacter('using') ?? '';

/** What remains of a line that cannot be parsed: what it may have set, what it uses, and its block. */
function broken(line: Line, context: ParseContext, around: Surroundings): Broken {
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
  if (isCall) {
    const { saves, onFailure, unread, stray } = parseCallOptions(line.children, context, around, false);
    const defines = [...saves.map((save) => save.name.text), ...(unread?.names ?? [])];
    return {
      ...at,
      defines,
      nameless: unread?.nameless === true,
      body: [...(onFailure?.body ?? []), ...context.block(stray, around)],
    };
  }
  if (line.children.some((child) => fits('messageOptionLine', child.shape + opens(child.children)))) {
    const { save, silence, unread, stray } = parseMessageOptions(line.children, context, around);
    const defines = [...(save === undefined ? [] : [save.text]), ...(unread?.names ?? [])];
    return { ...at, defines, nameless: false, body: [...(silence?.body ?? []), ...context.block(stray, around)] };
  }
  // No one knows what it was meant to be; perhaps a loop.
  const isLoop = form?.under !== 'statements';
  const body = context.block(line.children, { inLoop: around.inLoop || isLoop });
  return { ...at, ...definedBy(line, names), body };
}

const isLookUp = (line: Line, context: ParseContext): boolean =>
  startsWith(line, context, 'look') ||
  line.children.some((child) => fits('lookUpOptionLine', child.shape + opens(child.children)));

const character = (word: string): string => wordCharacter(word) ?? '';
const SET_TO = new RegExp(`^${character('set')}[^;]${character('to')}`);
const FOR_IN = new RegExp(`^${character('for')}${character('each')}[^;]${character('in')}`);
/** These words touch only if the name between them is missing. */
const NAMELESS = new RegExp(
  `^${character('set')}${character('to')}|^${character('for')}${character('each')}?${character('in')}|${character('to')}$|` +
    `^${character('for')}${character('each')}(${character('and')}|[^;]${character('and')}${character('in')})`,
);

/** The names that a line may have set: the one in the right place if the start of the line can be parsed, otherwise any of them. */
function definedBy({ shape }: Line, names: readonly string[]): Pick<Broken, 'defines' | 'nameless'> {
  if (SET_TO.test(shape)) return { defines: names.slice(1, 2), nameless: false };
  if (FOR_IN.test(shape)) return { defines: names.slice(2, 3), nameless: false };
  // Including names that were joined to the word before or after them.
  const apart = names.flatMap((name) => [name, name.replace(/^(set|each|as|to|and)/, ''), name.replace(/(to|in|and)$/, '')]);
  return { defines: apart, nameless: NAMELESS.test(shape) };
}
