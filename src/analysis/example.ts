// An example of a request that ends without a result, walked again with its values to be sure.
import type { Value, WfRecord } from '../../runtime/types.js';
import { setOwn } from '../../runtime/values/record.js';
import type { Checked } from '../compiler/compile.js';
import { ordinary } from './pick.js';
import { entriesOf, passedBy, type State } from './state.js';
import type { Atom } from './symbolic.js';
import { walk } from './walk.js';

/** `a weight of 101`; `undefined` if no request surely ends in this way. */
export function exampleWithoutResult(checked: Checked, state: State): string | undefined {
  const decisive: { readonly path: readonly string[]; readonly value: Value }[] = [];
  for (const { atom, domain } of entriesOf(state.atoms).values()) {
    if (atom.origin.is === 'operation') return undefined;
    const path = requestPath(atom);
    if (path === undefined && !isAnswer(atom)) return undefined;
    const value = path === undefined ? null : ordinary(domain, undefined, path.at(-1) ?? '');
    if (value === undefined) return undefined;
    if (path !== undefined && path.length > 0) decisive.push({ path, value });
  }
  const request: WfRecord = {};
  for (const { path, value } of decisive) if (!setPath(request, path, value)) return undefined;
  const end = endWithoutResult(checked, request);
  if (end === undefined) return undefined;
  const answers = answersIn(end);
  if (decisive.length === 0) return answers.length === 1 ? answers[0] : undefined;
  const beside = answers.length === 1 ? ` with ${answers[0]}` : '';
  const [first] = decisive;
  if (decisive.length === 1 && first !== undefined && typeof first.value !== 'object')
    return `${valueWords(first.path.at(-1) ?? '', first.value)}${beside}`;
  return `the request ${JSON.stringify(request)}${beside}`;
}

const valueWords = (name: string, value: Value): string =>
  `${/^[aeiou]/i.test(name) ? 'an' : 'a'} ${name} of ${JSON.stringify(value)}`;

/** Read from what a service, a person or a message has answered. */
const isAnswer = ({ origin }: Atom): boolean => origin.is === 'answer' || (origin.is === 'field' && isAnswer(origin.owner));

/** The answers that this way needs, if all calls on it succeed: `the answer "later" of Boss`, `a stock.level of 4`. */
function answersIn(state: State): string[] {
  if (passedBy(state).some((passed) => passed.kind === 'answer' && !WORKS.has(passed.how))) return [];
  return [...entriesOf(state.atoms).values()].flatMap(({ atom, domain }) => {
    const value = ordinary(domain, undefined, atom.name);
    if (value === undefined || typeof value === 'object') return [];
    const asked =
      atom.origin.is === 'answer' && atom.origin.part === 'result' ? /^ask (.+)#/.exec(atom.origin.call)?.[1] : undefined;
    return [asked === undefined ? valueWords(atom.name, value) : `the answer ${JSON.stringify(value)} of ${asked}`];
  });
}

const WORKS: ReadonlySet<string> = new Set(['success', 'message']);

/** The fields from the request to a value; `undefined` for one that is not simply read from it. */
function requestPath(atom: Atom): string[] | undefined {
  const { origin } = atom;
  if (origin.is === 'request') return [];
  if (origin.is !== 'field') return undefined;
  const owner = requestPath(origin.owner);
  return owner === undefined ? undefined : [...owner, origin.field];
}

/** False if a value on the way has another kind already. */
function setPath(record: WfRecord, path: readonly string[], value: Value): boolean {
  const [field, ...rest] = path;
  if (field === undefined) return true;
  if (rest.length === 0) {
    if (!Object.hasOwn(record, field)) setOwn(record, field, value);
    return true;
  }
  const inner = Object.hasOwn(record, field) ? record[field] : {};
  if (typeof inner !== 'object' || inner === null || Array.isArray(inner)) return false;
  setOwn(record, field, inner);
  return setPath(inner, rest, value);
}

/** A way to the end of the file that a run with this request takes, whatever else it gets apart from answers. */
function endWithoutResult(checked: Checked, request: WfRecord): State | undefined {
  const walked = walk(checked.text, checked.workflow, checked.facts, { request, keepsWays: false });
  const open = walked?.endings.filter(({ line }) => line === undefined) ?? [];
  return open.find(({ state }) => state.isExact && [...entriesOf(state.atoms).values()].every(({ atom }) => isAnswer(atom)))
    ?.state;
}
