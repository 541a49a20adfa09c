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
  // Lines that are indented under nothing go on in this block: they are read in place.
  const queue = [...lines].reverse();
  for (let line = queue.pop(); line !== undefined && !context.gaveUp; line = queue.pop()) {
    const at = { span: lineSpan(line), line: line.number };
    if (line.fault !== undefined) {
      context.report(line.fault);
      statements.push(broken(line, context, around));
      open = undefined;
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
        open = undefined;
      }
      continue;
    }
    const { node } = matched;
    for (const stray of [...matched.stray].reverse()) queue.push(stray);
    const chain = open;
    open = undefined;
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
          context.report(catalogue.strayOtherwise(at.span));
          statements.push({ kind: 'broken', defines: [], item: undefined, names: [], body, ...at });
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
        statements.push(call(node, line, context, around));
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

const call = (node: CallHead, line: Line, context: ParseContext, around: Surroundings): Call | Ask => ({
  ...node,
  ...parseCallOptions(line.children, context, around),
  span: lineSpan(line),
  line: line.number,
});

const startsWith = (line: Line, context: ParseContext, word: string): boolean => {
  const first = context.name(line, 0)?.text;
  return first !== undefined && meantStatement(first) === word;
};

const USING = wordCharacter('using') ?? '';

/** What is kept of a line that cannot be read: what it would have set, what it uses, and its block. */
function broken(line: Line, context: ParseContext, around: Surroundings): Broken {
  const first = context.name(line, 0)?.text ?? '';
  const meant = meantStatement(first);
  const root = (index: number): string | undefined => context.name(line, index)?.text.split('.')[0];
  const last = line.offsets.length / 2 - 1;
  const isCall =
    line.shape.includes(USING) ||
    meant === 'ask' ||
    (meant === undefined &&
      line.children.some((child) => matchShape('callOptionLine', child.shape + opens(child.children)).matched));

  const item = meant === 'for' ? root(2) : undefined;
  const defined = meant === 'set' ? root(1) : meant === 'add' || first === 'save' ? root(last) : undefined;
  const at = { span: lineSpan(line), line: line.number };
  const names = context.names(line);
  if (isCall) {
    const options = parseCallOptions(line.children, context, around);
    const defines = options.saves.map((save) => save.name.text);
    return { kind: 'broken', defines, item: undefined, names, body: options.onFailure?.body ?? [], ...at };
  }
  const body = parseBlock(line.children, context, { inLoop: around.inLoop || item !== undefined });
  return { kind: 'broken', defines: defined === undefined ? [] : [defined], item, names, body, ...at };
}
