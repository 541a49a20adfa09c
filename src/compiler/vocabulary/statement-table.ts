// The syntax of each statement: keyword, example, what may be indented under it, and what other languages call it. The layout pass, the
// hints and the check derive their lists from this table; a test checks it against the grammar.
import type { Statement } from '../2-parse/tree.js';

export interface StatementForm {
  /** Its first words, as many as it takes to identify it. Calls have none: they may start with any word. */
  readonly keyword?: string;
  readonly example: string;
  /** Lines that may be indented under it: nothing, statements, the statements of a loop, or optional lines such as `save the result as`. */
  readonly under: 'nothing' | 'statements' | 'loop' | 'options';
  /** Its names in other languages, in lower case. */
  readonly foreign: readonly string[];
  /** The part of a run that it ends: the whole run, or the current round of the loop. */
  readonly ends?: 'run' | 'round';
}

/** The kinds of statements, and lines among them that are not statements themselves. */
type StatementLineKind = Exclude<Statement['kind'], 'broken'> | 'otherwise' | 'trigger';

/** Of statements with the same first word, hints prefer the first. */
export const statementTable = {
  step: { keyword: 'step', example: 'step Check the order:', under: 'statements', foreign: [] },
  'at the same time': {
    keyword: 'at the same time',
    example: 'at the same time:',
    under: 'statements',
    foreign: ['parallel', 'concurrently', 'simultaneously'],
  },
  set: { keyword: 'set', example: 'set total to price times 2', under: 'nothing', foreign: ['let', 'var', 'const'] },
  add: { keyword: 'add', example: 'add order.id to seen', under: 'nothing', foreign: ['append'] },
  log: { keyword: 'log', example: 'log "the total is {total}"', under: 'nothing', foreign: ['print', 'echo'] },
  if: { keyword: 'if', example: 'if total is above 100:', under: 'statements', foreign: [] },
  otherwise: { keyword: 'otherwise', example: 'otherwise:', under: 'statements', foreign: ['else', 'elseif', 'elif'] },
  'for each': {
    keyword: 'for each',
    example: 'for each item in request.items:',
    under: 'loop',
    foreign: ['foreach', 'loop'],
  },
  'for each field': {
    keyword: 'for each',
    example: 'for each name and price in request.prices:',
    under: 'loop',
    foreign: [],
  },
  repeat: { keyword: 'repeat', example: 'repeat at most 10 times:', under: 'loop', foreign: ['while', 'until', 'do'] },
  skip: { keyword: 'skip', example: 'skip', under: 'nothing', foreign: ['continue'], ends: 'round' },
  stop: { keyword: 'stop the loop', example: 'stop the loop', under: 'nothing', foreign: ['break'], ends: 'round' },
  wait: { keyword: 'wait', example: 'wait 5 seconds', under: 'nothing', foreign: ['sleep', 'pause'] },
  'wait until': { keyword: 'wait until', example: 'wait until "2026-03-01"', under: 'nothing', foreign: [] },
  'wait for': {
    keyword: 'wait for',
    example: 'wait for payment with order request.order at most 14 days',
    under: 'options',
    foreign: ['receive', 'await'],
  },
  'look up': {
    keyword: 'look up',
    example: 'look up cost in Shipping cost with country request.country',
    under: 'options',
    foreign: ['lookup', 'vlookup'],
  },
  ask: { keyword: 'ask', example: 'ask Writer to summarize this text: {request.text}', under: 'options', foreign: [] },
  call: { example: 'get profile using GitHub at "/users/{request.name}" with per_page 50', under: 'options', foreign: [] },
  complete: {
    keyword: 'complete',
    example: 'complete with total total and status "ok"',
    under: 'options',
    foreign: ['return', 'finish', 'done'],
    ends: 'run',
  },
  reject: {
    keyword: 'reject',
    example: 'reject with "the order is empty"',
    under: 'nothing',
    foreign: ['fail', 'throw', 'raise'],
    ends: 'run',
  },
  trigger: { keyword: 'trigger', example: 'trigger: when an order is placed', under: 'nothing', foreign: [] },
} as const satisfies Record<StatementLineKind, StatementForm>;

const forms: Readonly<Record<StatementLineKind, StatementForm>> = statementTable;

/** The part of a run that a kind of statement always ends, regardless of its blocks. */
export const endOf = (kind: Statement['kind']): StatementForm['ends'] => (kind === 'broken' ? undefined : forms[kind].ends);

/** The keyword of a statement for messages: `stop the loop`. */
export const keywordOf = (kind: Statement['kind']): string => (kind === 'broken' ? '' : (forms[kind].keyword ?? ''));
