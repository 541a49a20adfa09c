// Explains why a run ended as it did: follows it line by line, with the values that each decision saw, and looks for the nearest other
// outcome by changing one value of the request or one answer, and running again.
import type { Calendar } from '../../runtime/dates/calendar.js';
import type { BranchOfRun, Outcome, Redactor, RunOptions, Value, WfRecord } from '../../runtime/types.js';
import { isRecord } from '../../runtime/values/record.js';
import { relevantDecisions } from '../analysis/decisions.js';
import type { Difference, Expression, If, LookUp } from '../compiler/2-parse/tree.js';
import { isWaiting, operandsOf, referencesIn, statementsIn } from '../compiler/2-parse/walk.js';
import type { Checked, Emitted } from '../compiler/compile.js';
import {
  type Alternative,
  comparisonsIn,
  definitionsIn,
  lengthKnown,
  otherAnswers,
  otherRows,
  valueKnown,
} from './alternatives.js';
import { FollowedValues } from './followed-values.js';

interface ExplainedDecision {
  readonly line: number;
  /** With the values in parentheses: `score (80) is at least 80`. */
  readonly condition: string;
  readonly answer: boolean;
  /** The value lies exactly on the boundary. */
  readonly isExact: boolean;
  /** The variables that the branch set: `score 30`. */
  readonly effects: readonly string[];
  readonly isRelevant: boolean;
}

export interface Explanation {
  /** `undefined` without an outcome. */
  readonly status: Outcome['status'] | undefined;
  /** `undefined` at the end of the file. */
  readonly line: number | undefined;
  readonly outcome: string;
  readonly decisions: readonly ExplainedDecision[];
  /** `With request.amount at most 500 it would have completed on line 35.` */
  readonly nearest: string | undefined;
}

/** A run that can be executed again. */
export interface ExplainedRun {
  readonly checked: Pick<Checked, 'text' | 'workflow'>;
  readonly reachable: Emitted['reachable'];
  readonly request: WfRecord;
  /** Reports what the run reaches and sets. The outcome is `undefined` if the run can't be executed to its end. */
  readonly execute: (request: WfRecord, options: Pick<RunOptions, 'onReach' | 'onLog'>, other?: OtherAnswer) => Promise<Executed>;
  /** For mock services: other answers to the calls of the first run. */
  readonly otherAnswers?: () => readonly OtherAnswer[];
  /** The state of a run without an outcome: `Waiting`. */
  readonly standing?: string;
  /** The calendar of the run, and the day on which it starts. */
  readonly days?: ExplainedDays;
}

/** Another answer that a service, a person or a message could have given. */
export interface OtherAnswer {
  /** `With the answer "decline" of Finance`. */
  readonly words: string;
  /** Of the call or the message. */
  readonly key: string;
  /** `undefined`: none. */
  readonly answer: Value | undefined;
}

interface ExplainedDays {
  readonly today: string;
  readonly calendar: Calendar;
}

interface Executed {
  readonly outcome: Outcome | undefined;
  readonly redactor: Redactor;
}

type Event = { readonly branch: BranchOfRun | undefined } & (
  | { readonly is: 'reach'; readonly index: number }
  | { readonly is: 'set'; readonly name: string; readonly value: Value; readonly line: number }
);

interface Followed extends Executed {
  readonly line: number | undefined;
  readonly events: readonly Event[];
}

/** The words for a run without an outcome: `Waiting`. */
export const standing = (status: string): string => `${status.charAt(0).toUpperCase()}${status.slice(1)}`;

export async function explainRun(given: ExplainedRun): Promise<Explanation> {
  const followed = await follow(given, given.request);
  const { outcome, line, redactor } = followed;
  const decisions = decisionsOf(given, followed);
  const nearest = outcome === undefined ? undefined : await nearestOther(given, outcome, line, decisions);
  return {
    status: outcome?.status,
    line,
    outcome: redactor.text(
      outcome === undefined ? `${given.standing ?? 'Not ended'} ${place(line)}` : outcomeWords(outcome, line),
    ),
    decisions: decisions.map(({ shown }) => shown),
    nearest: nearest === undefined ? undefined : redactor.text(nearest),
  };
}

async function follow({ execute, reachable, checked }: ExplainedRun, request: WfRecord, other?: OtherAnswer): Promise<Followed> {
  const events: Event[] = [];
  const options: Pick<RunOptions, 'onReach' | 'onLog'> = {
    onReach: (index, _stored, branch) => void events.push({ is: 'reach', index, branch }),
    onLog(entry, branch) {
      if (entry.type === 'set' && typeof entry.name === 'string')
        events.push({ is: 'set', name: entry.name, value: entry.value ?? null, line: entry.line ?? 0, branch });
    },
  };
  const { outcome, redactor } = await execute(request, options, other);
  const ends = new Set(
    [...statementsIn(checked.workflow.body)]
      .filter(({ kind }) => kind === 'complete' || kind === 'reject')
      .map(({ line }) => line),
  );
  const lines = events.flatMap((event) => (event.is === 'reach' ? [reachable[event.index]?.line ?? 0] : []));
  const last = outcome === undefined ? lines.at(-1) : lines.findLast((at) => ends.has(at));
  return { outcome, redactor, events, line: outcome?.status === 'error' ? outcome.error?.line : last };
}

const place = (line: number | undefined): string => (line === undefined ? 'at the end of the file' : `on line ${line}`);

function outcomeWords({ status, message, outputs = {} }: Outcome, line: number | undefined): string {
  if (status === 'rejected') return `Rejected ${place(line)}: ${JSON.stringify(message)}`;
  if (status === 'error') return `Error ${place(line)}: ${message ?? ''}`;
  const results = Object.entries(outputs).map(([name, value]) => `${name} ${JSON.stringify(value)}`);
  return `Completed ${place(line)}${results.length === 0 ? '' : `: ${results.join(', ')}`}`;
}

interface Decided {
  readonly shown: ExplainedDecision;
  /** Changes of the request that turn it, perhaps. */
  readonly alternatives: () => Alternative[];
}

function decisionsOf(given: ExplainedRun, followed: Followed): Decided[] {
  const { checked, reachable, request } = given;
  const { events, line } = followed;
  const statements = [...statementsIn(checked.workflow.body)];
  const ifs = statements.filter((statement) => statement.kind === 'if');
  const lookUps = statements.filter((statement) => statement.kind === 'look up');
  const waits = new Set(statements.filter(isWaiting).map(({ line: own }) => own));
  const relevant = relevantDecisions(checked.workflow.body, line);
  const definitions = definitionsIn(checked);
  const known = new FollowedValues(checked, statements, [
    ['request', request],
    ...(given.days === undefined ? [] : [['today', given.days.today] satisfies [string, Value]]),
  ]);
  const decided: Decided[] = [];
  let at = 0;
  for (const [index, event] of events.entries()) {
    const { branch } = event;
    const { values } = known.scopeOf(branch);
    if (event.is === 'set') values.set(event.name, event.value);
    const reached = event.is === 'reach' ? reachable[event.index] : undefined;
    if (reached === undefined) continue;
    if (known.reach(reached, branch) !== undefined) continue;
    if (reached.kind === 'statement') at = reached.line;
    // From here on, it may be another day.
    if (waits.has(reached.line)) values.delete('today');
    const here = { values, after: eventsAfter(events, index), redactor: followed.redactor };
    const lookUp = lookUps.find((one) => (reached.kind === 'row' ? one.line === at : one.nothing?.line === reached.line));
    if (lookUp !== undefined && reached.kind !== 'statement')
      decided.push({
        alternatives: () => otherRows(checked, lookUp, request),
        shown: { ...rowDecided(checked.text, lookUp, reached, here), isRelevant: relevant.has(lookUp) },
      });
    else if (reached.kind === 'branch')
      decided.push(...branchesDecided(given, branchTaken(ifs, reached.line, reached.text), here, relevant, definitions));
  }
  return decided;
}

/** Where a run decides. */
interface Crossing {
  readonly values: ReadonlyMap<string, Value>;
  readonly after: Iterable<Event>;
  readonly redactor: Redactor;
}

/** The conditions of an `if`, up to the one that holds. */
function branchesDecided(
  { checked: { text }, days }: ExplainedRun,
  taken: ReturnType<typeof branchTaken>,
  { values, after, redactor }: Crossing,
  relevant: ReadonlySet<If | LookUp>,
  definitions: ReturnType<typeof definitionsIn>,
): Decided[] {
  return (taken?.statement.branches ?? []).flatMap((branch, index) => {
    if (taken === undefined || index > taken.index) return [];
    const answer = index === taken.index;
    const seen = new Map(values);
    return {
      alternatives: () =>
        comparisonsIn(branch.condition).flatMap((one) => otherAnswers({ text, values: seen, days, definitions }, one, answer)),
      shown: {
        line: branch.line,
        ...conditionWords(text, branch.condition, values, redactor, days),
        answer,
        effects: answer ? effectsOf(after, taken.statement, index, redactor) : [],
        isRelevant: relevant.has(taken.statement),
      },
    };
  });
}

/** `Rates with score (82): the row in line 24 fits`, with what it gives. */
function rowDecided(
  text: string,
  { line, table, pairs, results }: LookUp,
  row: ExplainedRun['reachable'][number],
  { values, after, redactor }: Crossing,
): Omit<ExplainedDecision, 'isRelevant'> {
  const fits = row.kind === 'row';
  const given = pairs.map(({ key, value }) => {
    const known = valueKnown(text, value, values);
    return known === undefined ? key.text : `${key.text} (${valueText(known, redactor)})`;
  });
  const which = row.file === undefined ? `the row in line ${row.line}` : `${row.text} of ${row.file}`;
  const set = new Map<string, Value>();
  for (const event of after) {
    if (event.is !== 'set' || event.line !== line) break;
    set.set(event.name, event.value);
  }
  return {
    line,
    condition: redactor.text(`${table.text} with ${given.join(' and ')}: ${fits ? `${which} fits` : 'a row fits'}`),
    answer: fits,
    isExact: false,
    effects: results.flatMap(({ text: name }) =>
      fits && set.has(name) ? [`${name} ${valueText(set.get(name) ?? null, redactor)}`] : [],
    ),
  };
}

/** The `if` whose branch was taken, and which; its number is that of the branches if none was. */
export function branchTaken(
  ifs: readonly If[],
  line: number,
  text: string,
): { readonly statement: If; readonly index: number } | undefined {
  for (const statement of ifs) {
    const { branches, otherwise } = statement;
    if (otherwise?.line === line) return { statement, index: branches.length };
    const index = branches.findIndex((branch) => branch.line === line);
    if (index !== -1) return { statement, index: text.endsWith('not taken') ? branches.length : index };
  }
  return undefined;
}

/** Those of the same branch. */
function* eventsAfter(events: readonly Event[], index: number): Iterable<Event> {
  const branch = events[index]?.branch;
  for (let at = index + 1; at < events.length; at++) {
    const event = events[at];
    if (event !== undefined && event.branch === branch) yield event;
  }
}

function effectsOf(after: Iterable<Event>, statement: If, index: number, redactor: Redactor): string[] {
  const lines = new Set([...statementsIn(statement.branches[index]?.body ?? [])].map(({ line }) => line));
  const found: string[] = [];
  for (const event of after) {
    if (event.is !== 'set') continue;
    if (!lines.has(event.line)) break;
    found.push(`${event.name} ${valueText(event.value, redactor)}`);
  }
  return found;
}

const valueText = (value: Value, redactor: Redactor): string => {
  const text = redactor.text(JSON.stringify(redactor.value(value)) ?? 'empty');
  return value === null ? 'empty' : text.length > 60 ? `${text.slice(0, 59)}…` : text;
};

/** Puts the value behind each name of a condition, and the number before each length of time: `36 years from born to today`. */
function conditionWords(
  text: string,
  condition: Expression,
  values: ReadonlyMap<string, Value>,
  redactor: Redactor,
  days: ExplainedDays | undefined,
): { readonly condition: string; readonly isExact: boolean } {
  const notes: { readonly at: number; readonly note: string }[] = [];
  for (const reference of referencesIn(condition)) {
    const value = valueKnown(text, reference, values);
    if (value !== undefined) notes.push({ at: reference.span.end, note: ` (${valueText(value, redactor)})` });
  }
  for (const difference of differencesIn(condition)) {
    const count = days === undefined ? undefined : lengthKnown(text, difference, values, days.calendar);
    if (count !== undefined) notes.push({ at: difference.span.start, note: `${count} ` });
  }
  let shown = text.slice(condition.span.start, condition.span.end);
  for (const { at, note } of notes.sort((one, other) => other.at - one.at)) {
    const place = at - condition.span.start;
    shown = `${shown.slice(0, place)}${note}${shown.slice(place)}`;
  }
  return { condition: redactor.text(shown), isExact: isOnBoundary(text, condition, values) };
}

function differencesIn(expression: Expression): Difference[] {
  const inside = operandsOf(expression).flatMap(({ expression: inner }) => differencesIn(inner));
  return expression.kind === 'difference' ? [expression, ...inside] : inside;
}

const orders = new Set(['is above', 'is below', 'is at least', 'is at most']);

function isOnBoundary(text: string, condition: Expression, values: ReadonlyMap<string, Value>): boolean {
  if (condition.kind !== 'comparison' || !orders.has(condition.comparator)) return false;
  const [left, right] = [valueKnown(text, condition.left, values), valueKnown(text, condition.right, values)];
  return left !== undefined && left === right;
}

/** Nobody waits longer for the nearest other outcome. */
const LONGEST_SEARCH_MS = 3_000;

/** Tries what would have turned one of the decisions, nearest first. */
async function nearestOther(
  given: ExplainedRun,
  outcome: Outcome,
  line: number | undefined,
  decisions: readonly Decided[],
): Promise<string | undefined> {
  const alternatives = decisions
    .filter(({ shown }) => shown.isRelevant)
    .flatMap(({ alternatives: ofDecision }) => ofDecision())
    .sort((one, other) => one.distance - other.distance)
    .slice(0, 200);
  const attempts = [
    ...alternatives.map(({ path, value, words }) => ({
      words: `With ${words}`,
      made: () => follow(given, withField(given.request, path, value)),
    })),
    // After what changes the request.
    ...(given.otherAnswers?.() ?? []).map((other) => ({
      words: other.words,
      made: () => follow(given, given.request, other),
    })),
  ];
  const until = performance.now() + LONGEST_SEARCH_MS;
  let further: string | undefined;
  for (const { words, made } of attempts) {
    if (performance.now() > until) return further;
    const changed = await made();
    const status = changed.outcome?.status;
    // A recorded run has no answer to a call that it did not make.
    if (status === undefined && changed.line !== undefined && !passes(given, changed, line))
      further ??= `${words} it would have gone on to line ${changed.line}.`;
    if (status === undefined || status === 'error') continue;
    if (status === outcome.status && changed.line === line) continue;
    return `${words} it would have ${status === 'rejected' ? 'been rejected' : 'completed'} ${place(changed.line)}.`;
  }
  return further;
}

/** Whether a run comes to this line. */
const passes = ({ reachable }: ExplainedRun, { events }: Followed, line: number | undefined): boolean =>
  events.some((event) => event.is === 'reach' && reachable[event.index]?.line === line);

function withField(record: WfRecord, [field, ...rest]: readonly string[], value: Value): WfRecord {
  if (field === undefined) return record;
  const inner = record[field];
  return {
    ...record,
    [field]: rest.length === 0 ? value : withField(inner !== undefined && isRecord(inner) ? inner : {}, rest, value),
  };
}
