// Describes the runs that a change concerns: the requirements that its ways through both versions share, in words.
import type { Value, WfRecord } from '../../runtime/types.js';
import { fieldsOfPath } from '../compiler/vocabulary/field-names.js';
import { type Domain, keepKinds, keepNumbers, keepTexts } from './domain.js';
import { mayBe } from './pick.js';
import { entriesOf, type State } from './state.js';
import type { Atom } from './symbolic.js';
import type { WayEnd } from './walker.js';
import { domainWords } from './words.js';

/** Says nothing of the value but its kind. */
const KINDS_ONLY = /^(?:(?:a number|text|true or false|an? (?:empty )?(?:list|record)(?: with \w+)?|empty)(?: or |$))+$/;

/** Almost anything: `not ""`, or many intervals or texts. */
const saysLittle = (said: string): boolean => said === 'not ""' || (said.match(/ or |, /g)?.length ?? 0) > 1;

/** Requirements to name. */
const MOST_WORDS = 4;

/** @param others ways of the other version that a run with this request may have taken */
export function regionWords(state: State, others: readonly WayEnd[], request: WfRecord): string[] {
  const own = visible(state);
  const beside = others
    .map((end) => visible(end.state))
    .find((domains) => [...domains].every(([, { atom, domain }]) => fitsRequest(atom, domain, request)));
  // A service may answer differently on the other way.
  const told = [...(beside ?? [])].filter(([key]) => own.has(key) || key.startsWith('request.'));
  const names = new Map([...own, ...told].map(([key, { atom }]) => [key, atom]));
  const words = [...names].flatMap(([key, atom]) => {
    const domain = bothOf(own.get(key)?.domain, beside?.get(key)?.domain);
    const said = domain === undefined ? undefined : domainWords(domain);
    return said === undefined || KINDS_ONLY.test(said) || saysLittle(said)
      ? []
      : [`${atom.name.replace(/^request\./, '')} ${said}`];
  });
  return words.slice(0, MOST_WORDS);
}

/** The values that people know: of the request, of answers, and what is calculated from them in one step. */
function visible(state: State): Map<string, { readonly atom: Atom; readonly domain: Domain }> {
  return new Map([...entriesOf(state.atoms)].filter(([key]) => !key.includes('*') && !key.startsWith('? ')));
}

function bothOf(one: Domain | undefined, other: Domain | undefined): Domain | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  const kinds = keepKinds(one, other.kinds);
  const numbers = kinds === undefined ? undefined : keepNumbers(kinds, other.numbers);
  return numbers === undefined ? undefined : keepTexts(numbers, other.texts);
}

/** Whether this request meets everything that a way requires of it. */
export const isWayOf = (state: State, request: WfRecord): boolean =>
  [...visible(state)].every(([, { atom, domain }]) => fitsRequest(atom, domain, request));

function fitsRequest(atom: Atom, domain: Domain, request: WfRecord): boolean {
  if (!atom.key.startsWith('request.') || atom.key.includes('[')) return true;
  let value: Value | undefined = request;
  for (const field of fieldsOfPath(atom.key).slice(1))
    value = typeof value === 'object' && value !== null && !Array.isArray(value) ? value[field] : undefined;
  return mayBe(domain, value ?? null);
}
