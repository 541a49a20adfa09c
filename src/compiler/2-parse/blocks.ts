// The lines of a block → statements: puts the lines together that belong to one statement, and recovers where a line cannot be read,
// so that each fault is reported once and what stands around it is still read.

import { wordCharacter } from '../1-layout/alphabet.js';
import { type Line, lineSpan } from '../1-layout/line.js';
import * as catalogue from '../diagnostics/catalogue/index.js';
import { parseCallOptions } from './call-options.js';
import type { ParseContext } from './context.js';
import { explainStatement, meantStatement } from './explain.js';
import type { CallHead } from './line-node.js';
import { matchShape, opens } from './match-line.js';
import type { Ask, Block, Branch, Broken, Call, If, Statement } from './tree.js';

/** Where a block stands: what may be in it depends on that. */
export interface Surroundings {
  readonly inLoop: boolean;
}

/** An `if` whose further branches may still follow. */
interface OpenIf {
  readonly index: number;
  readonly branches: Branch[];
  statement: If;
}

export function parseBlock(lines: readonly Line[], context: ParseContext, around: Surroundings): Block {
  const statements: Statement[] = [];
  let open: OpenIf | undefined;
  /** The statement before cannot be read: it may have been an `if`. */
  let mayBeIf = false;
  // Lines that are indented under nothing go on in this block: they are read in place.
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
      // The branches that follow a broken `if` or stand in its place still belong together.
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
        statements.push({ kind: 'step', name: node.name, body: parseBlock(line.children, context, around), ...at });
        break;
      case 'if':
        open = openIf(statements, { condition: node.condition, body: parseBlock(line.children, context, around), ...at });
        break;
      case 'otherwise if':
      case 'otherwise': {
        const body = parseBlock(line.children, context, around);
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
        statements.push({
          kind: 'for each',
          item: node.item,
          list: node.list,
          body: parseBlock(line.children, context, { inLoop: true }),
          ...at,
        });
        break;
      case 'skip':
      case 'stop':
        if (around.inLoop) statements.push(node);
        else context.report(catalogue.outsideLoop(at.span, node.kind === 'skip' ? 'skip' : 'stop the loop'));
        break;
      case 'call':
      case 'ask':
        statements.push(call(node, line, context, around, queue));
        break;
      default:
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

/** What is kept of a line that cannot be read: what it may have set, what it uses, and its block. */
function broken(line: Line, context: ParseContext, around: Surroundings): Broken {
  const meant = meantStatement(context.name(line, 0)?.text ?? '');
  const isCall =
    line.shape.includes(USING) ||
    meant === 'ask' ||
    line.children.some((child) => matchShape('callOptionLine', child.shape + opens(child.children)).matched);
  const names = context.names(line);
  const at = { kind: 'broken', names, span: lineSpan(line), line: line.number } as const;
  if (isCall) {
    const { saves, onFailure, unread, stray } = parseCallOptions(line.children, context, around, false);
    const defines = [...saves.map((save) => save.name.text), ...(unread?.names ?? [])];
    return {
      ...at,
      defines,
      nameless: unread?.nameless === true,
      body: [...(onFailure?.body ?? []), ...parseBlock(stray, context, around)],
    };
  }
  // What it was is not known: it may well have been a loop.
  const isLoop = !['if', 'otherwise', 'step'].includes(meant ?? '');
  const body = parseBlock(line.children, context, { inLoop: around.inLoop || isLoop });
  return { ...at, ...definedBy(line, names), body };
}

const character = (word: string): string => wordCharacter(word) ?? '';
const SET_TO = new RegExp(`^${character('set')}[^;]${character('to')}`);
const FOR_IN = new RegExp(`^${character('for')}${character('each')}[^;]${character('in')}`);
/** A name is left out where these words meet. */
const NAMELESS = new RegExp(
  `^${character('set')}${character('to')}|^${character('for')}${character('each')}?${character('in')}|${character('to')}$`,
);

/** The names that a line may have set: the one in the right place, where the beginning of the line can be read, else any on it. */
function definedBy({ shape }: Line, names: readonly string[]): Pick<Broken, 'defines' | 'nameless'> {
  if (SET_TO.test(shape)) return { defines: names.slice(1, 2), nameless: false };
  if (FOR_IN.test(shape)) return { defines: names.slice(2, 3), nameless: false };
  // Also a name that has run together with the word before or after it.
  const apart = names.flatMap((name) => [name, name.replace(/^(set|each|as|to)/, ''), name.replace(/(to|in)$/, '')]);
  return { defines: apart, nameless: NAMELESS.test(shape) };
}
