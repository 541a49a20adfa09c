// Splits a state by a condition: the runs in which it holds, those in which it doesn't, and those that end as error at it.
import type { Expression } from '../compiler/2-parse/tree.js';
import type { Span } from '../compiler/diagnostics/diagnostic.js';
import { always, byDomains, compare, either, only, type Split, undecided } from './comparisons.js';
import {
  ANY,
  EMPTY,
  FALSE,
  keepKinds,
  keepNumbers,
  keepTexts,
  NO_FIELDS,
  NO_ITEMS,
  NUMBER,
  onlyNumber,
  outside,
  TEXT,
} from './domain.js';
import { Evaluation, type RunFault } from './evaluate.js';
import { domainOf } from './ranges.js';
import { type State, withPassed } from './state.js';
import { empty, keyOf, known, type Sym } from './symbolic.js';

/** Beyond this many ways to one answer, what they require is forgotten. */
const MOST_WAYS = 8;

export function splitBy(state: State, expression: Expression, text: string): Split {
  const made = splitFreely(state, expression, text);
  const faults = made.faults.map((fault) =>
    fault.name === '' ? { ...fault, name: text.slice(fault.span.start, fault.span.end) } : fault,
  );
  return { yes: few(made.yes, state), no: few(made.no, state), faults };
}

const few = (states: readonly State[], before: State): readonly State[] =>
  states.length > MOST_WAYS ? [withPassed({ ...before, isExact: false }, { kind: 'open', lines: [] })] : states;

function splitFreely(state: State, expression: Expression, text: string): Split {
  switch (expression.kind) {
    case 'group':
      return splitBy(state, expression.inner, text);
    case 'not': {
      const { yes, no, faults } = splitBy(state, expression.operand, text);
      return { yes: no, no: yes, faults };
    }
    case 'logic':
      return splitLogic(state, expression.operator, expression.operands, text);
    case 'state':
      return evaluated(state, text, [expression.value], (at, [value = empty]) => splitState(at, expression.state, value));
    case 'between':
      return evaluated(state, text, [expression.value, expression.low, expression.high], (at, [value, low, high]) =>
        splitBetween(at, [value ?? empty, low ?? empty, high ?? empty], expression.value.span),
      );
    case 'comparison':
      return evaluated(state, text, [expression.left, expression.right], (at, [left, right]) =>
        compare(at, expression.comparator, left ?? empty, right ?? empty, expression.left.span),
      );
    default:
      return evaluated(state, text, [expression], (at, [value]) => splitTruth(at, value ?? empty, text));
  }
}

function splitLogic(state: State, operator: 'and' | 'or', operands: readonly Expression[], text: string): Split {
  const decided: State[] = [];
  const faults: RunFault[] = [];
  let open: readonly State[] = [state];
  for (const operand of operands) {
    const next: State[] = [];
    for (const one of open) {
      const parts = splitBy(one, operand, text);
      next.push(...(operator === 'and' ? parts.yes : parts.no));
      decided.push(...(operator === 'and' ? parts.no : parts.yes));
      faults.push(...parts.faults);
    }
    open = few(next, state);
  }
  return operator === 'and' ? { yes: open, no: decided, faults } : { yes: decided, no: open, faults };
}

function evaluated(
  state: State,
  text: string,
  expressions: readonly Expression[],
  decide: (state: State, values: readonly Sym[]) => Split,
): Split {
  const evaluation = new Evaluation(state, text);
  const values = expressions.map((expression) => evaluation.value(expression));
  if (evaluation.isOver) return { yes: [], no: [], faults: evaluation.faults };
  const { yes, no, faults } = decide(evaluation.state, values);
  return { yes, no, faults: [...evaluation.faults, ...faults] };
}

function splitTruth(state: State, value: Sym, text: string): Split {
  if (value.is === 'test') {
    const own = state.variables;
    const back = (one: State): State => ({ ...one, variables: own });
    const parts = splitBy({ ...state, variables: value.variables }, value.expression, text);
    return { yes: parts.yes.map(back), no: parts.no.map(back), faults: [] };
  }
  if (value.is === 'known') return always(state, isTrue(value.value));
  const domain = domainOf(state, value);
  if (value.is !== 'atom') {
    if (value.is === 'linear') return compare(state, 'is not', value, known(0), { start: 0, end: 0 });
    return value.is === 'text'
      ? undecided(state, `true ${keyOf(value)}`, 'text')
      : always(state, (domain.kinds & (NO_FIELDS | NO_ITEMS)) === 0);
  }
  const nothing = EMPTY | FALSE | NO_ITEMS | NO_FIELDS;
  const yes = keepKinds(domain, ANY & ~nothing);
  const full = yes === undefined ? undefined : keepNumbers(yes, outside(onlyNumber(0)));
  const filled = full === undefined ? undefined : keepTexts(full, { not: [''] });
  const zero = only(keepNumbers(domain, [onlyNumber(0)]), NUMBER);
  const blank = only(keepTexts(domain, { only: [''] }), TEXT);
  return byDomains(state, value, filled, either(keepKinds(domain, nothing), zero, blank));
}

const isTrue = (value: unknown): boolean => {
  if (Array.isArray(value)) return value.length > 0;
  if (typeof value === 'object' && value !== null) return Object.keys(value).length > 0;
  return Boolean(value);
};

function splitState(state: State, test: string, value: Sym): Split {
  const isNegative = test === 'is not empty' || test === 'does not exist';
  const parts = test.includes('exist') ? splitExists(state, value) : splitEmpty(state, value);
  return isNegative ? { ...parts, yes: parts.no, no: parts.yes } : parts;
}

function splitExists(state: State, value: Sym): Split {
  if (value.is !== 'atom') return always(state, !(value.is === 'known' && value.value === null));
  const domain = domainOf(state, value);
  return byDomains(state, value, keepKinds(domain, ANY & ~EMPTY), keepKinds(domain, EMPTY));
}

function splitEmpty(state: State, value: Sym): Split {
  const nothing = EMPTY | NO_ITEMS | NO_FIELDS;
  if (value.is === 'known' && value.value === '') return always(state, true);
  if (value.is === 'text') return undecided(state, `empty ${keyOf(value)}`, 'text');
  const domain = domainOf(state, value);
  if (value.is !== 'atom') return always(state, (domain.kinds & nothing) !== 0);
  const blank = only(keepTexts(domain, { only: [''] }), TEXT);
  const rest = keepKinds(domain, ANY & ~nothing);
  return byDomains(
    state,
    value,
    rest === undefined ? keepKinds(domain, nothing) : either(keepKinds(domain, nothing), blank),
    rest === undefined ? undefined : keepTexts(rest, { not: [''] }),
  );
}

function splitBetween(state: State, [value, low, high]: readonly [Sym, Sym, Sym], span: Span): Split {
  const least = compare(state, 'is at least', value, low, span);
  const yes: State[] = [];
  const no: State[] = [...least.no];
  const faults: RunFault[] = [...least.faults];
  for (const one of least.yes) {
    const most = compare(one, 'is at most', value, high, span);
    yes.push(...most.yes);
    no.push(...most.no);
    faults.push(...most.faults);
  }
  return { yes, no, faults };
}
