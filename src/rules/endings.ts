// Finds every `reject` and `complete` of a workflow, and the conditions around it.
import { blocksOf } from '../compiler/2-parse/children.js';
import type { Block, Statement } from '../compiler/2-parse/tree.js';
import type { Span } from '../compiler/diagnostics/diagnostic.js';

export interface EndingCondition {
  readonly line: number;
  readonly text: string;
}

export interface Ending {
  readonly kind: 'rejected' | 'completed';
  readonly line: number;
  /** The message of a rejection as written, or the outputs: `total and status`. */
  readonly with: string;
  /** What must hold for a run to come here, outermost first. Earlier endings come before later ones. */
  readonly when: readonly EndingCondition[];
}

/** @param text of the file */
export function endingsOf(body: Block, text: string): Ending[] {
  const source = ({ start, end }: Span): string => {
    const written = text.slice(start, end);
    return (written.endsWith(':') ? written.slice(0, -1) : written).trimEnd();
  };
  const found: Ending[] = [];
  const walk = (block: Block, when: readonly EndingCondition[]): void => {
    for (const statement of block) {
      const { line } = statement;
      if (statement.kind === 'reject') found.push({ kind: 'rejected', line, with: source(statement.message.span), when });
      else if (statement.kind === 'complete')
        found.push({ kind: 'completed', line, with: statement.pairs.map(({ key }) => key.text).join(' and '), when });
      else if (statement.kind === 'if') walkIf(statement, when);
      else {
        const condition = conditionOf(statement, source);
        for (const inner of blocksOf(statement)) walk(inner, condition === undefined ? when : [...when, condition]);
      }
    }
  };
  const walkIf = ({ branches, otherwise }: Extract<Statement, { kind: 'if' }>, when: readonly EndingCondition[]): void => {
    const failed: EndingCondition[] = [];
    for (const { condition, body: inner, line } of branches) {
      const words = source(condition.span);
      walk(inner, [...when, ...failed, { line, text: words }]);
      failed.push({ line, text: `not (${words})` });
    }
    if (otherwise !== undefined) walk(otherwise.body, [...when, ...failed]);
  };
  walk(body, []);
  return found;
}

/** When a run enters the block of this statement; `undefined` if it always does. */
function conditionOf(statement: Statement, source: (span: Span) => string): EndingCondition | undefined {
  const { line } = statement;
  switch (statement.kind) {
    case 'for each':
    case 'for each field':
    case 'repeat':
      return { line, text: source(statement.span) };
    case 'look up':
      return { line, text: `no row of ${statement.table.text} matches` };
    case 'wait for':
      return { line, text: `no message ${statement.message.text} comes in time` };
    case 'call':
      return { line, text: `${statement.phrase.join(' ')} using ${statement.service.text} fails` };
    case 'ask':
      return { line, text: `asking ${statement.service.text} fails` };
    case 'step':
    case 'at the same time':
    case 'if':
    case 'set':
    case 'add':
    case 'log':
    case 'skip':
    case 'stop':
    case 'wait':
    case 'wait until':
    case 'complete':
    case 'reject':
    case 'broken':
      return undefined;
  }
}
