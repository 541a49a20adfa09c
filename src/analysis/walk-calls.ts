// Walks calls, questions and messages: what each way needs as the answer, and which variables it sets.
import { databaseForms } from '../../runtime/services/verbs.js';
import type { Ask, Call, WaitFor } from '../compiler/2-parse/tree.js';
import type { InTurns } from '../compiler/in-turns.js';
import {
  anything,
  asWhole,
  BOOLEAN,
  type Domain,
  EMPTY,
  kindsDomain,
  LIST,
  meet,
  NUMBER,
  numberDomain,
  numbersFrom,
  numbersTo,
  onlyNumber,
  RECORD,
  TEXT,
  unite,
} from './domain.js';
import { countCall, type PassedAnswer, type State, withPassed, withVariable } from './state.js';
import { type Atom, empty, known, type Sym } from './symbolic.js';
import { later, type Walker } from './walker.js';

type AnyCall = Call | Ask;

export function* walkCall(walk: Walker, statement: AnyCall, states: readonly State[]): InTurns<readonly State[]> {
  const { line, onSuccess } = statement;
  const service = statement.service.text;
  const what = statement.kind === 'call' ? `${statement.phrase.join(' ')} using ${service}` : `ask ${service}`;
  const sent = walk.past(statement, states);
  const isPerson = walk.facts.services.get(service)?.kind === 'person';
  const { states: counted, call } = countCall(isPerson ? later(sent) : sent, `${what}#${line}`);
  const answered = (how: PassedAnswer['how']): State[] =>
    counted.map((state) => withPassed(state, { kind: 'answer', call, service, line, how }));
  const success = saved(walk, statement, answered('success'), call, 'success');
  const worked = onSuccess === undefined ? success : yield* walk.block(onSuccess.body, success);
  const body = statement.onFailure?.body;
  const failures = (isPerson ? ['silence' as const] : ['failure' as const, 'silence' as const]).flatMap((how) =>
    failed(walk, statement, answered(how), call, how),
  );
  if (body === undefined) {
    for (const state of failures) walk.endings.push({ status: 'error', line, state, outputs: new Map(), message: undefined });
    return worked;
  }
  return [...worked, ...(yield* walk.block(body, failures)).map((one) => withVariable(one, 'failure', empty))];
}

function answerAtom(state: State, call: string, part: string, name: string, domain: Domain): Atom {
  const key = `${call}.${part}`;
  const before = state.bases.get(key);
  if (before === undefined) state.bases.set(key, domain);
  // In another state, other choices were offered.
  else if (String(before.texts.only) !== String(domain.texts.only)) state.bases.set(key, unite(before, domain));
  return { is: 'atom', key, name, origin: { is: 'answer', call, part } };
}

const statusDomain = (low: number, high: number): Domain =>
  asWhole(numberDomain(meet(numbersFrom(low), numbersTo(high)) ?? onlyNumber(low))) ?? kindsDomain(NUMBER);

/** The variables that a call sets. */
function saved(
  walk: Walker,
  statement: AnyCall,
  states: readonly State[],
  call: string,
  how: 'success' | 'failure' | 'silence',
): readonly State[] {
  let after = states;
  for (const { what, name } of statement.saves) {
    const hasStatus = how === 'success' || how === 'failure';
    if (what === 'status' ? !hasStatus : how !== 'success') continue;
    const part = what === 'status' ? (how === 'success' ? 'status' : 'failing status') : what;
    let atom: Atom | undefined;
    after = after.map((state) => {
      // Only the choices offered can depend on the state.
      if (atom === undefined || statement.choices !== undefined) {
        const domain =
          what === 'status'
            ? how === 'success'
              ? statusDomain(200, 299)
              : statusDomain(100, 599)
            : answerDomain(walk, statement, what, state);
        atom = answerAtom(state, call, part, name.text, domain);
      }
      return withVariable(state, name.text, atom);
    });
  }
  return after;
}

function answerDomain(walk: Walker, statement: AnyCall, what: string, state: State): Domain {
  const kind = walk.facts.services.get(statement.service.text)?.kind;
  if (what === 'confidence')
    return { ...anything, kinds: NUMBER | EMPTY, numbers: [{ low: 0, high: 1, lowOpen: false, highOpen: false }] };
  if (what === 'comment' || what === 'person') return kindsDomain(TEXT | EMPTY);
  if (what === 'response headers') return kindsDomain(RECORD);
  if (kind === 'database' && statement.kind === 'call') return resultOfDatabase(statement);
  if (kind !== 'person' && kind !== 'ai') return anything;
  const evaluation = walk.evaluation(state);
  const items = (statement.choices?.items ?? []).map((item) => evaluation.value(item));
  const texts = items.flatMap((item) => (item.is === 'known' && typeof item.value === 'string' ? [item.value] : []));
  return texts.length > 0 && texts.length === items.length
    ? { ...kindsDomain(TEXT), texts: { ...anything.texts, only: texts } }
    : anything;
}

/** What a statement of the workflow's own returns depends on it. */
function resultOfDatabase({ phrase: [verb = ''], running }: Call): Domain {
  const form = running === undefined ? databaseForms.get(verb.toLowerCase()) : undefined;
  if (form?.wish === 'rows') return kindsDomain(LIST);
  if (form?.wish === 'number') return asWhole(numberDomain(numbersFrom(0))) ?? kindsDomain(NUMBER);
  return form?.does === 'select' ? kindsDomain(RECORD | EMPTY) : anything;
}

/** The states in `on failure:`. */
function failed(
  walk: Walker,
  statement: AnyCall,
  states: readonly State[],
  call: string,
  how: 'failure' | 'silence',
): readonly State[] {
  const [state] = states;
  if (state === undefined) return [];
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
  const failure: Sym = { is: 'record', fields };
  return saved(walk, statement, states, call, how).map((one) => ({ ...withVariable(one, 'failure', failure), silence }));
}

export function* walkMessage(walk: Walker, statement: WaitFor, states: readonly State[]): InTurns<readonly State[]> {
  const { atMost: limit, message, line, save, silence, onSuccess } = statement;
  const what = `wait for ${message.text}`;
  const { states: counted, call } = countCall(later(walk.past(statement, states)), `${what}#${line}`);
  const answered = (how: PassedAnswer['how']): State[] =>
    counted.map((state) => withPassed(state, { kind: 'answer', call, service: message.text, line, how }));
  const arrived = answered('message').map((one) =>
    save === undefined ? one : withVariable(one, save.text, answerAtom(one, call, 'message', save.text, kindsDomain(RECORD))),
  );
  const went = onSuccess === undefined ? arrived : yield* walk.block(onSuccess.body, arrived);
  if (limit === undefined) return went;
  const nothing = answered('nothing comes');
  if (silence !== undefined) return [...went, ...(yield* walk.block(silence.body, nothing))];
  for (const state of nothing) walk.endings.push({ status: 'error', line, state, outputs: new Map(), message: undefined });
  return went;
}
