// The fields that the test cases of a file know: those of their inputs, of the answers of services, and of messages.
import { statementsIn } from '../compiler/2-parse/walk.js';
import type { WfDocument } from './document.js';

/**
 * The names of the fields of `owner`: `request.address`, or a variable that an answer or a message is saved as.
 * @param cases text of the case file; one that is not JSON has no fields
 */
export function fieldsInCases({ checked }: WfDocument, owner: readonly string[], cases: string): string[] {
  const [root = '', ...path] = owner;
  const found = new Set<string>();
  const add = (value: unknown, rest: readonly string[]): void => {
    const [first, ...others] = rest;
    for (const one of itemsOf(value)) {
      if (first !== undefined) add(/^\d+$/.test(first) ? one : fieldOf(one, first), others);
      else if (isObject(one)) for (const key of Object.keys(one)) found.add(key);
    }
  };
  for (const one of itemsOf(casesIn(cases))) {
    if (root === 'request') add(fieldOf(one, 'input'), path);
    for (const statement of statementsIn(checked.workflow.body)) {
      if (statement.kind === 'wait for' && statement.save?.text === root)
        for (const given of itemsOf(fieldOf(fieldOf(one, 'messages'), statement.message.text)))
          add(fieldOf(given, 'message') ?? given, path);
      if (statement.kind !== 'call' || !statement.saves.some(({ what, name }) => what === 'result' && name.text === root))
        continue;
      const answers = fieldOf(fieldOf(one, 'mocks'), statement.service.text);
      // Some answers are named by their path; then any may be the one.
      const own = fieldOf(answers, statement.phrase.join(' '));
      for (const answer of own === undefined && isObject(answers) ? Object.values(answers) : [own]) add(answered(answer), path);
    }
  }
  return [...found];
}

/** What the call gives, without how the mock gives it. */
function answered(answer: unknown): unknown {
  for (const key of ['inTurn', 'then', 'value', 'body']) {
    const inside = fieldOf(answer, key);
    if (inside !== undefined) return key === 'inTurn' ? itemsOf(inside).map(answered) : answered(inside);
  }
  return ['status', 'fail', 'error'].some((key) => fieldOf(answer, key) !== undefined) ? undefined : answer;
}

/** The list of cases: the whole file, or its field `cases`. */
function casesIn(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value : fieldOf(value, 'cases');
  } catch {
    return undefined;
  }
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const fieldOf = (value: unknown, key: string): unknown => (isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined);

const itemsOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : value === undefined ? [] : [value]);
