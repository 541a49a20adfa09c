// Walks calls, questions and messages: what each way needs as the answer, and which variables it sets.
import type { Ask, Call, WaitFor } from '../compiler/2-parse/tree.js';
import {
  anything,
  asWhole,
  BOOLEAN,
  type Domain,
  EMPTY,
  keepNumbers,
  kindsDomain,
  meet,
  NUMBER,
  numberDomain,
  numbersFrom,
  numbersTo,
  onlyNumber,
  RECORD,
  TEXT,
} from './domain.js';
import type { Evaluation } from './evaluate.js';
import { countCall, type PassedAnswer, type PassedEffect, type State, withPassed, withVariable } from './state.js';
import { type Atom, empty, known, type Sym } from './symbolic.js';
import { later, type Walker } from './walker.js';

type AnyCall = Call | Ask;

export function walkCall(walk: Walker, statement: AnyCall, before: State): readonly State[] {
  const evaluation = walk.evaluation(before);
  const parts = partsOf(walk, evaluation, statement);
  const [sent] = walk.after(evaluation, statement.line);
  if (sent === undefined) return [];
  const service = statement.service.text;
  const what = statement.kind === 'call' ? `${statement.phrase.join(' ')} using ${service}` : `ask ${service}`;
  const effect: PassedEffect = { kind: statement.kind, line: statement.line, what, parts };
  const { state, count } = countCall(withPassed(sent, effect), what);
  const isPerson = walk.facts.services.get(service)?.kind === 'person';
  const call = `${what}#${count}`;
  const answered = (how: PassedAnswer['how']): State =>
    withPassed(isPerson ? later(state) : state, { kind: 'answer', call, service, line: statement.line, how });
  const success = saved(walk, statement, answered('success'), call, 'success');
  const { onSuccess } = statement;
  const worked = onSuccess === undefined ? [success] : walk.block(onSuccess.body, [success]);
  const body = statement.onFailure?.body;
  const failures = (isPerson ? ['silence' as const] : ['failure' as const, 'silence' as const]).flatMap((how) =>
    failed(walk, statement, answered(how), call, how),
  );
  if (body === undefined) {
    for (const one of failures)
      walk.endings.push({ status: 'error', line: statement.line, state: one, outputs: new Map(), message: undefined });
    return worked;
  }
  const handled = walk.block(body, failures).map((one) => withVariable({ ...one }, 'failure', empty));
  return [...worked, ...handled];
}

/** What is sent, by name. */
function partsOf(walk: Walker, evaluation: Evaluation, statement: AnyCall): (readonly [string, Sym])[] {
  const { headers, body, pairs, addressed, choices, within, remind, sentAs, atMostOnce, onFailure } = statement;
  const retry = onFailure?.retry;
  const special: (readonly [string, Sym | undefined])[] = [
    ...(statement.kind === 'ask' ? [['asks', evaluation.value(statement.instruction)] as const] : []),
    ...(statement.kind === 'call' ? callParts(walk, evaluation, statement) : []),
    ...(body === undefined ? [] : [['the body', evaluation.value(body.value)] as const]),
    ...headers.map(({ name, value }) => [`header ${name.text}`, evaluation.value(value)] as const),
    ...(addressed === undefined ? [] : [['addressed to', evaluation.value(addressed.value)] as const]),
    ...(choices?.items ?? []).map((item, index) => [`choice ${index + 1}`, evaluation.value(item)] as const),
    ...(within === undefined ? [] : [[`within in ${within.unit}`, evaluation.value(within.amount)] as const]),
    ...(remind === undefined ? [] : [[`remind every in ${remind.unit}`, evaluation.value(remind.amount)] as const]),
    ...(sentAs === undefined ? [] : [['sent as', known(sentAs.text)] as const]),
    ...(atMostOnce ? [['at most once', known(true)] as const] : []),
    ...(retry === undefined ? [] : [['retries', known(retry.times)] as const]),
  ];
  return [
    ...walk.pairs(evaluation, pairs),
    ...special.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const])),
  ];
}

function callParts(walk: Walker, evaluation: Evaluation, { at, running, where }: Call): (readonly [string, Sym | undefined])[] {
  return [
    ['at', at === undefined ? undefined : evaluation.value(at)],
    ['running', running === undefined ? undefined : evaluation.value(running)],
    ...walk.pairs(evaluation, where).map(([name, value]) => [`where ${name}`, value] as const),
  ];
}

function answerAtom(state: State, call: string, part: string, name: string, domain: Domain): Atom {
  const key = `${call}.${part}`;
  if (!state.bases.has(key)) state.bases.set(key, domain);
  return { is: 'atom', key, name, origin: { is: 'answer', call, part } };
}

const statusDomain = (low: number, high: number): Domain =>
  asWhole(numberDomain(meet(numbersFrom(low), numbersTo(high)) ?? onlyNumber(low))) ?? kindsDomain(NUMBER);

/** The variables that a call sets. */
function saved(walk: Walker, statement: AnyCall, before: State, call: string, how: 'success' | 'failure' | 'silence'): State {
  let state = before;
  for (const { what, name } of statement.saves) {
    const hasStatus = how === 'success' || how === 'failure';
    if (what === 'status' ? !hasStatus : how !== 'success') continue;
    const domain =
      what === 'status'
        ? how === 'success'
          ? statusDomain(200, 299)
          : statusDomain(100, 599)
        : answerDomain(walk, statement, what, state);
    const part = what === 'status' ? (how === 'success' ? 'status' : 'failing status') : what;
    state = withVariable(state, name.text, answerAtom(state, call, part, name.text, domain));
  }
  return state;
}

function answerDomain(walk: Walker, statement: AnyCall, what: string, state: State): Domain {
  const kind = walk.facts.services.get(statement.service.text)?.kind;
  if (what === 'confidence')
    return { ...anything, kinds: NUMBER | EMPTY, numbers: keepNumbers(numberDomain(), [numbersFrom(0)])?.numbers ?? [] };
  if (what === 'comment' || what === 'person') return kindsDomain(TEXT | EMPTY);
  if (what === 'response headers') return kindsDomain(RECORD);
  if (kind !== 'person' && kind !== 'ai') return anything;
  const evaluation = walk.evaluation(state);
  const items = (statement.choices?.items ?? []).map((item) => evaluation.value(item));
  const texts = items.flatMap((item) => (item.is === 'known' && typeof item.value === 'string' ? [item.value] : []));
  return texts.length > 0 && texts.length === items.length
    ? { ...kindsDomain(TEXT), texts: { ...anything.texts, only: texts } }
    : anything;
}

/** The state in `on failure:`. */
function failed(walk: Walker, statement: AnyCall, before: State, call: string, how: 'failure' | 'silence'): State[] {
  const state = saved(walk, statement, before, call, how);
  const fields = new Map<string, Sym>([
    ['status', how === 'silence' ? empty : answerAtom(state, call, 'failing status', 'failure.status', statusDomain(100, 599))],
    ['message', answerAtom(state, call, 'failure message', 'failure.message', kindsDomain(TEXT))],
    ['service', known(statement.service.text)],
    ['body', how === 'silence' ? empty : answerAtom(state, call, 'failure body', 'failure.body', anything)],
    ['attempts', answerAtom(state, call, 'attempts', 'failure.attempts', asWhole(numberDomain(numbersFrom(0))) ?? anything)],
    ['in-doubt', answerAtom(state, call, 'in doubt', 'failure.in-doubt', kindsDomain(BOOLEAN))],
    ['rejected', answerAtom(state, call, 'rejected', 'failure.rejected', kindsDomain(BOOLEAN | EMPTY))],
  ]);
  const names = new Set([...statement.saves.map(({ name }) => name.text), 'failure']);
  const silence =
    how === 'silence' ? { service: statement.service.text, line: statement.line, span: statement.span, names } : undefined;
  return [{ ...withVariable(state, 'failure', { is: 'record', fields }), silence }];
}

export function walkMessage(walk: Walker, statement: WaitFor, before: State): readonly State[] {
  const evaluation = walk.evaluation(before);
  const { atMost: limit, message, line, save, silence, onSuccess } = statement;
  const parts: [string, Sym][] = [
    ...walk.pairs(evaluation, statement.pairs),
    ...(limit === undefined ? [] : [[`at most in ${limit.unit}`, evaluation.value(limit.amount)] as [string, Sym]]),
  ];
  const [asked] = walk.after(evaluation, line);
  if (asked === undefined) return [];
  const what = `wait for ${message.text}`;
  const { state, count } = countCall(later(withPassed(asked, { kind: 'wait for', line, what, parts })), what);
  const call = `${what}#${count}`;
  const came = withPassed(state, { kind: 'answer', call, service: message.text, line, how: 'message' });
  const arrived =
    save === undefined ? came : withVariable(came, save.text, answerAtom(came, call, 'message', save.text, kindsDomain(RECORD)));
  const went = onSuccess === undefined ? [arrived] : walk.block(onSuccess.body, [arrived]);
  if (limit === undefined) return went;
  const nothing = withPassed(state, { kind: 'answer', call, service: message.text, line, how: 'nothing comes' });
  if (silence !== undefined) return [...went, ...walk.block(silence.body, [nothing])];
  walk.endings.push({ status: 'error', line, state: nothing, outputs: new Map(), message: undefined });
  return went;
}
