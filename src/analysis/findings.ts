// Turns what a walk proves about a workflow into warnings: lines that are never reached, boundaries that fit no line, ways without a
// result, and errors that a service's silence causes.
import { dateText, parseMoment } from '../../runtime/dates/moment.js';
import type { Branch, Expression, If, Reference } from '../compiler/2-parse/tree.js';
import { expressionsOf, freeReferencesIn, operandsOf, statementsIn } from '../compiler/2-parse/walk.js';
import type { Checked } from '../compiler/compile.js';
import {
  boundaryWithoutLine,
  lineNeverReached,
  silenceFails,
  wayWithoutResult,
} from '../compiler/diagnostics/catalogue/index.js';
import type { Diagnostic, Span } from '../compiler/diagnostics/diagnostic.js';
import type { InTurns } from '../compiler/in-turns.js';
import { numberOfDay } from './comparisons.js';
import { splitBy } from './conditions.js';
import { NUMBER, TEXT } from './domain.js';
import { Evaluation } from './evaluate.js';
import { exampleWithoutResult } from './example.js';
import { domainOf } from './ranges.js';
import { find, type State } from './state.js';
import { empty, keyOf, type Sym } from './symbolic.js';
import { walkInTurns } from './walk.js';
import type { SeenIf, Walked } from './walker.js';
import { domainWords } from './words.js';

/**
 * Warnings about a workflow without errors. Lines that another warning is about are left out.
 * @param refuted gets the warnings of the check that are proved wrong
 */
export function* findings(checked: Checked, refuted = new Set<Diagnostic>()): InTurns<Diagnostic[]> {
  if (!isWorthAWalk(checked)) return [];
  const walked = yield* walkInTurns(checked.text, checked.workflow, checked.facts, { keepsWays: false });
  if (walked === undefined) return [];
  const moved: Diagnostic[] = [];
  for (const diagnostic of checked.diagnostics) {
    if (diagnostic.code === 'WF141' && alwaysFits(walked, diagnostic.line)) refuted.add(diagnostic);
    if (diagnostic.code !== 'WF101' || walked.reads.get(diagnostic.span.start) !== true) continue;
    refuted.add(diagnostic);
    const span = unsetPlace(checked, walked, diagnostic.span);
    const isAt = ({ code, span: { start } }: Diagnostic): boolean => code === 'WF101' && start === span?.start;
    if (span !== undefined && ![...checked.diagnostics, ...moved].some(isAt)) moved.push({ ...diagnostic, span });
  }
  const taken = new Set(checked.diagnostics.filter((one) => one.byInputs !== true && !refuted.has(one)).map(({ line }) => line));
  const lineOf = ({ start }: Span): number => checked.text.slice(0, start).split('\n').length;
  const seen = [...walked.ifs.values()];
  const held = conditionsHeld(checked.text, seen);
  const found = [
    ...seen.flatMap((one) => [...unreached(checked.text, one, held), ...gaps(checked.text, one)]),
    ...silences(walked),
    ...endless(checked, walked),
  ];
  const added = found.filter(({ span }) => !taken.has(lineOf(span)));
  return [...moved, ...added].sort((one, other) => one.span.start - other.span.start);
}

/** Whether some row fits on every way to a look-up. */
const alwaysFits = ({ reached, endings }: Walked, line: number): boolean =>
  [...reached].some((statement) => statement.line === line) && !endings.some((end) => end.line === line);

/** The first place that reads a name which some way there has not set; `undefined` if there is none. @param span of the name */
function unsetPlace({ text, workflow, facts }: Checked, { reads }: Walked, span: Span): Span | undefined {
  const name = source(text, span);
  for (const statement of statementsIn(workflow.body))
    for (const { expression } of expressionsOf(statement))
      for (const reference of freeReferencesIn(expression)) {
        const { start } = reference.span;
        if (reference.root === name && !facts.definite.has(reference) && reads.get(start) !== true)
          return { start, end: start + name.length };
      }
  return undefined;
}

/** Whether a warning is possible at all. Most small files have nothing to decide. */
function isWorthAWalk({ workflow: { body } }: Checked): boolean {
  const last = body.at(-1)?.kind;
  let hasResult = false;
  for (const statement of statementsIn(body)) {
    if (statement.kind === 'if') return true;
    if ((statement.kind === 'call' || statement.kind === 'ask') && statement.onFailure?.body !== undefined) return true;
    if (statement.kind === 'complete' && statement.pairs.length > 0) hasResult = true;
  }
  return hasResult && last !== 'complete' && last !== 'reject';
}

/** The words of conditions that hold for some run, somewhere: where they can't, they are repeated to be safe. */
function conditionsHeld(text: string, ifs: readonly SeenIf[]): ReadonlySet<string> {
  const held = ifs.flatMap(({ statement, taken }) => statement.branches.filter((_, index) => (taken[index]?.length ?? 0) > 0));
  return new Set(held.map(({ condition }) => source(text, condition.span)));
}

function unreached(text: string, seen: SeenIf, held: ReadonlySet<string>): Diagnostic[] {
  const { statement, before, taken } = seen;
  if (before.length === 0) return [];
  return statement.branches.flatMap((branch, index): Diagnostic[] => {
    if ((taken[index]?.length ?? 1) > 0 || branch.body.length === 0) return [];
    const words = source(text, branch.condition.span);
    const isRepeated = statement.branches.slice(0, index).some(({ condition }) => source(text, condition.span) === words);
    if (held.has(words) && !isRepeated) return [];
    const reason = reasonFor(text, seen, branch, index);
    return reason === undefined ? [] : [lineNeverReached(branch.span, branch.body[0]?.line ?? branch.line, reason)];
  });
}

/** The reason why no run gets into a branch; `undefined` if its condition always ends the run as error, which is another problem. */
function reasonFor(text: string, { statement, before, asked }: SeenIf, branch: Branch, index: number): string | undefined {
  const alone = before.flatMap((state) => splitBy(state, branch.condition, text).yes);
  if (alone.length > 0) {
    const taker = statement.branches
      .slice(0, index)
      .find((other) =>
        alone.every(
          (state) =>
            splitBy(state, other.condition, text).no.length === 0 && splitBy(state, other.condition, text).yes.length > 0,
        ),
      );
    if (taker === undefined) return 'the lines above it take every value that fits';
    const isSame = source(text, taker.condition.span) === source(text, branch.condition.span);
    if (isSame) return `line ${taker.line} asks the same`;
    return `${alsoWords(text, branch.condition, taker.condition)}, and line ${taker.line} takes it first`;
  }
  const states = (asked[index]?.length ?? 0) > 0 ? (asked[index] ?? []) : before;
  if (!states.some((state) => splitBy(state, branch.condition, text).no.length > 0)) return undefined;
  if (comparesOtherKind(text, branch.condition, states)) return undefined;
  return `${knownWords(text, branch.condition, states)}"${source(text, branch.condition.span)}" is never true here`;
}

/**
 * Whether a condition looks for a text in a value that can't be one here. Where that follows from the declared inputs, the check says so; else
 * it only follows from a line above that would have ended the run as error, which is no reason to call this line wrong.
 */
function comparesOtherKind(text: string, condition: Expression, states: readonly State[]): boolean {
  if (condition.kind === 'comparison' && condition.left.kind === 'reference' && condition.right.kind === 'text') {
    const { left } = condition;
    return states.every((state) => (domainOf(state, valueIn(state, left, text)).kinds & TEXT) === 0);
  }
  return operandsOf(condition).some(({ expression }) => comparesOtherKind(text, expression, states));
}

const source = (text: string, { start, end }: Span): string => text.slice(start, end);

/** `every weight above 40 is also above 30`. */
function alsoWords(text: string, inner: Expression, outer: Expression): string {
  const [one, other] = [simple(text, inner), simple(text, outer)];
  if (one !== undefined && other !== undefined && one.name === other.name) {
    const ordered = one.test.replace(/^is (?=above|below|at |before|after|on )/, '');
    const own = ordered === one.test ? `that ${ordered}` : ordered;
    const also = /^is /.test(other.test) ? other.test.replace(/^is /, 'is also ') : `also ${other.test}`;
    return `every ${one.name} ${own} ${also}`;
  }
  return `wherever "${source(text, inner.span)}" holds, "${source(text, outer.span)}" holds as well`;
}

/** The value and the test of a comparison with a fixed value. */
function simple(text: string, condition: Expression): { readonly name: string; readonly test: string } | undefined {
  const bare = ungrouped(condition);
  if (bare.kind !== 'comparison' || bare.left.kind !== 'reference') return undefined;
  return { name: shortName(bare.left), test: source(text, { start: bare.left.span.end, end: bare.span.end }).trim() };
}

const ungrouped = (expression: Expression): Expression =>
  expression.kind === 'group' ? ungrouped(expression.inner) : expression;

const shortName = ({ root, fields }: Reference): string => fields.at(-1) ?? root;

/** `score is from 0 to 55 here, so `, if that can be said of the value of a comparison. */
function knownWords(text: string, condition: Expression, states: readonly State[]): string {
  const bare = ungrouped(condition);
  if (bare.kind !== 'comparison' || bare.left.kind !== 'reference') return '';
  const { left } = bare;
  const words = new Set(states.map((state) => domainWords(domainOf(state, valueIn(state, left, text)))));
  const [only] = words;
  if (words.size === 1) return only === undefined ? '' : `${source(text, left.span)} ${asPredicate(only)} here, so `;
  const limits = states.map((state) => domainOf(state, valueIn(state, left, text)));
  if (!limits.every(({ kinds }) => kinds === NUMBER)) return '';
  const most = Math.max(...limits.map(({ numbers }) => numbers.at(-1)?.high ?? Number.POSITIVE_INFINITY));
  const least = Math.min(...limits.map(({ numbers }) => numbers[0]?.low ?? Number.NEGATIVE_INFINITY));
  return Number.isFinite(most) && Number.isFinite(least)
    ? `${source(text, left.span)} is from ${least} to ${most} here, so `
    : '';
}

/** `is from 0 to 5`, `starts with "ab"`. */
const asPredicate = (words: string): string => (/^(?:starts|ends|contains|does)\b/.test(words) ? words : `is ${words}`);

const valueIn = (state: State, reference: Reference, text: string): Sym => new Evaluation(state, text).reference(reference);

const orders = new Set(['is above', 'is below', 'is at least', 'is at most']);
const dateOrders = new Set(['is before', 'is after', 'is on or before', 'is on or after']);

/** A number or a day that falls through a chain of conditions on one value, while its neighbours on both sides are taken. */
function gaps(text: string, { statement, before, taken }: SeenIf): Diagnostic[] {
  if (statement.otherwise !== undefined || statement.branches.length < 2) return [];
  const [first] = statement.branches;
  const left = first === undefined ? undefined : subjectOf(first.condition);
  if (left === undefined) return [];
  const tests = statement.branches.map(({ condition }) => testsOf(text, condition, source(text, left.span)));
  const all = tests.flatMap((one) => one ?? []);
  const isDate = all.every((one) => one.isDate);
  if (tests.includes(undefined) || (!isDate && all.some((one) => one.isDate))) return [];
  const limits = new Set(all.filter(({ isNamed }) => isNamed !== true).map(({ limit }) => limit));
  const named = new Set(all.filter(({ isNamed }) => isNamed === true).map(({ limit }) => limit));
  const points = new Set((taken.at(-1) ?? []).flatMap((state) => pointsOf(state, left, text, limits, isDate)));
  const isOpen = (point: number): boolean => before.some((state) => !pointsOf(state, left, text, limits, isDate).includes(point));
  return [...points]
    .filter((point) => isOpen(point) && !named.has(point))
    .map((point) =>
      boundaryWithoutLine(
        statement.span,
        shortName(left),
        isDate ? dateText(point) : String(point),
        all.find(({ limit, isStrict }) => isStrict && limit === point)?.words,
        wordsOf(text, statement),
      ),
    );
}

/** The value that a condition begins with. */
function subjectOf(condition: Expression): Reference | undefined {
  switch (condition.kind) {
    case 'reference':
      return condition;
    case 'group':
      return subjectOf(condition.inner);
    case 'comparison':
      return condition.left.kind === 'reference' ? condition.left : undefined;
    case 'between':
      return condition.value.kind === 'reference' ? condition.value : undefined;
    case 'logic':
      return condition.operands[0] === undefined ? undefined : subjectOf(condition.operands[0]);
    default:
      return undefined;
  }
}

/** A comparison with a fixed number, or with a fixed day as its number. */
interface LimitTest {
  readonly limit: number;
  readonly words: string;
  readonly isStrict: boolean;
  readonly isDate: boolean;
  readonly isNamed?: boolean;
}

/** The comparisons of a condition; `undefined` if it asks for anything but this one value. */
function testsOf(text: string, condition: Expression, name: string): LimitTest[] | undefined {
  const isSubject = ({ span }: Expression): boolean => source(text, span) === name;
  const bare = ungrouped(condition);
  if (bare.kind === 'logic') {
    const parts = bare.operands.map((operand) => testsOf(text, operand, name));
    return parts.includes(undefined) ? undefined : parts.flatMap((part) => part ?? []);
  }
  if (bare.kind === 'between') {
    const { value, low, high } = bare;
    if (!isSubject(value) || low.kind !== 'number' || high.kind !== 'number') return undefined;
    return [low, high].map((limit) => ({ limit: limit.value, words: 'between', isStrict: false, isDate: false }));
  }
  if (bare.kind !== 'comparison' || !isSubject(bare.left)) return undefined;
  const { comparator, right } = bare;
  const words = comparator.replace(/^is /, '');
  const isStrict = /above|below|before|after/.test(words) && !words.startsWith('on or');
  // What is named on its own is left out on purpose.
  const isNamed = comparator === 'is' || comparator === 'is not';
  if (isNamed && right.kind === 'number') return [{ limit: right.value, words, isStrict: false, isDate: false, isNamed }];
  if (orders.has(comparator) && right.kind === 'number') return [{ limit: right.value, words, isStrict, isDate: false }];
  const [part] = right.kind === 'text' && right.parts.length === 1 ? right.parts : [];
  const moment = typeof part === 'string' ? parseMoment(part) : undefined;
  if (!dateOrders.has(comparator) || moment?.form !== 'date') return undefined;
  return [{ limit: moment.day, words, isStrict, isDate: true }];
}

function pointsOf(state: State, left: Reference, text: string, limits: ReadonlySet<number>, isDate: boolean): number[] {
  const value = valueIn(state, left, text);
  const domain = domainOf(state, isDate ? numberOfDay(value) : value);
  if ((domain.kinds & NUMBER) === 0) return [];
  const isLimit = (point: number): boolean =>
    limits.has(point) || (domain.isWhole && limits.has(point - 1) && limits.has(point + 1));
  return domain.numbers.flatMap(({ low, high }) => (low === high && isLimit(low) ? [low] : []));
}

const wordsOf = (text: string, { branches }: If): string[] =>
  branches.map(({ condition }) => (simple(text, condition)?.test ?? source(text, condition.span)).replace(/^is /, ''));

/** Errors for which the silence of a service is enough. */
function silences({ faults }: Walked): Diagnostic[] {
  const found = new Map<string, Diagnostic>();
  for (const { state, line, name } of faults) {
    const { silence } = state;
    const root = name.split('.')[0] ?? '';
    // It may have been set since, to a value that is wrong for another reason.
    const isSet = root !== 'failure' && keyOf(find(state.variables, root) ?? empty) !== 'null';
    if (silence === undefined || !silence.names.has(root) || isSet) continue;
    const key = `${silence.line} ${line} ${name}`;
    if (!found.has(key)) found.set(key, silenceFails(silence.span, silence.service, name, line));
  }
  return [...found.values()];
}

/** Ways that end without a result where others have one. */
function endless(checked: Checked, walked: Walked): Diagnostic[] {
  const results = walked.endings.filter(({ status, outputs }) => status === 'completed' && outputs.size > 0);
  if (results.length === 0) return [];
  const open = walked.endings.filter(({ line, state }) => line === undefined && state.isExact);
  for (const { state } of open) {
    const example = exampleWithoutResult(checked, state);
    const last = checked.workflow.body.at(-1)?.span;
    if (example !== undefined && last !== undefined) return [wayWithoutResult(last, example)];
  }
  return [];
}
