// An example of a request that ends without a result, walked again with its values to be sure.
import type { Value, WfRecord } from '../../runtime/types.js';
import { setOwn } from '../../runtime/values/record.js';
import type { Checked } from '../compiler/compile.js';
import { ordinary } from './pick.js';
import { entriesOf, type State } from './state.js';
import type { Atom } from './symbolic.js';
import { walk } from './walk.js';

/** `a weight of 101`; `undefined` if no request surely ends in this way. */
export function exampleWithoutResult(checked: Checked, state: State): string | undefined {
  const decisive: { readonly path: readonly string[]; readonly value: Value }[] = [];
  for (const { atom, domain } of entriesOf(state.atoms).values()) {
    if (atom.origin.is === 'answer' || rootOf(atom) !== 'request') {
      if (atom.origin.is === 'operation') return undefined;
      continue;
    }
    const path = requestPath(atom);
    const value = path === undefined ? undefined : ordinary(domain, undefined, path.at(-1) ?? '');
    if (path === undefined || value === undefined) return undefined;
    if (path.length > 0) decisive.push({ path, value });
  }
  const request: WfRecord = {};
  for (const { path, value } of decisive) if (!setPath(request, path, value)) return undefined;
  if (decisive.length === 0 || !endsWithoutResult(checked, request)) return undefined;
  const [first] = decisive;
  if (decisive.length === 1 && first !== undefined && typeof first.value !== 'object')
    return `${article(first.path.at(-1) ?? '')} ${first.path.at(-1)} of ${JSON.stringify(first.value)}`;
  return `the request ${JSON.stringify(request)}`;
}

const article = (name: string): string => (/^[aeiou]/i.test(name) ? 'an' : 'a');

const rootOf = (atom: Atom): string | undefined => {
  const { origin } = atom;
  return origin.is === 'field' ? rootOf(origin.owner) : atom.key;
};

/** The fields from the request to a value; `undefined` for one that is not simply read from it. */
function requestPath(atom: Atom): string[] | undefined {
  const { origin } = atom;
  if (origin.is === 'request') return [];
  if (origin.is !== 'field') return undefined;
  const owner = requestPath(origin.owner);
  return owner === undefined ? undefined : [...owner, origin.field];
}

/** False if a value on the way has another kind already. */
export function setPath(record: WfRecord, path: readonly string[], value: Value): boolean {
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

function endsWithoutResult(checked: Checked, request: WfRecord): boolean {
  const walked = walk(checked.text, checked.workflow, checked.facts, { request, keepsWays: false });
  if (walked === undefined) return false;
  const open = walked.endings.filter(({ line }) => line === undefined);
  return open.some(
    ({ state }) => state.isExact && [...entriesOf(state.atoms).values()].every(({ atom }) => atom.origin.is === 'answer'),
  );
}
