// Describes the runs that a change concerns: the requirements that its ways through both versions share, in words.
import { parseMoment } from '../../runtime/dates/moment.js';
import type { Value, WfRecord } from '../../runtime/types.js';
import { isRecord } from '../../runtime/values/record.js';
import { fieldsOfPath } from '../compiler/vocabulary/field-names.js';
import { both, type Domain, TEXT } from './domain.js';
import { mayBe } from './pick.js';
import { entriesOf, isQuestion, type State } from './state.js';
import type { Atom } from './symbolic.js';
import { dayWords, domainWords, isDay } from './words.js';

/** Says nothing of the value but its kind. */
const KINDS_ONLY = /^(?:(?:a number|text|true or false|an? (?:empty )?(?:list|record)(?: with \w+)?|empty)(?: or |$))+$/;

/** Almost anything: a text that is not empty, or many intervals or texts. */
const saysLittle = (said: string, { kinds }: Domain): boolean =>
  (said === 'not empty' && kinds === TEXT) || (said.match(/ or |, /g)?.length ?? 0) > 1;

/** What the runs of a region have in common about one value. */
export interface Requirement {
  /** `total above 100`. */
  readonly words: string;
  readonly name: string;
  /** Whether a value meets it. */
  readonly allows: (value: Value) => boolean;
  /** Whether a request does; `undefined` if it does not tell. */
  readonly fits: (request: WfRecord) => boolean | undefined;
}

/** @param other a way of the other version @returns `undefined` if no run takes both */
export function requirementsOf(state: State, other: State): Requirement[] | undefined {
  const [own, beside] = [visible(state), visible(other)];
  // A service may answer differently on the other way.
  const told = [...beside].filter(([key]) => own.has(key) || key.startsWith('request.'));
  const found: Requirement[] = [];
  for (const [key, { atom }] of new Map([...own, ...told])) {
    const [one, two] = [own.get(key)?.domain, beside.get(key)?.domain];
    const domain = one === undefined || two === undefined ? (one ?? two) : both(one, two);
    if (domain === undefined) return undefined;
    const said = domainWords(domain, isDay(atom) ? dayWords : undefined);
    if (said === undefined || KINDS_ONLY.test(said) || saysLittle(said, domain)) continue;
    const name = atom.name.replace(/^request\./, '');
    found.push({
      words: `${name} ${said}`,
      name,
      allows: (value) => mayBe(domain, isDay(atom) ? dayOf(value) : value),
      fits: (request) => (atom.key.startsWith('request.') ? fitsRequest(atom, domain, request) : undefined),
    });
  }
  return found;
}

const dayOf = (value: Value): Value => (typeof value === 'string' ? parseMoment(value)?.day : undefined) ?? null;

/** The values that people know: of the request, of answers, and what is calculated from them in one step. */
function visible(state: State): Map<string, { readonly atom: Atom; readonly domain: Domain }> {
  return new Map([...entriesOf(state.atoms)].filter(([, { atom }]) => !isQuestion(atom)));
}

/** Whether this request meets everything that a way requires of it. */
export const isWayOf = (state: State, request: WfRecord): boolean =>
  [...visible(state)].every(([, { atom, domain }]) => fitsRequest(atom, domain, request));

function fitsRequest(atom: Atom, domain: Domain, request: WfRecord): boolean {
  if (!atom.key.startsWith('request.')) return true;
  let value: Value | undefined = request;
  for (const field of fieldsOfPath(atom.key.replaceAll('[0]', '.0')).slice(1)) {
    if (Array.isArray(value)) value = field === 'count' ? value.length : value[Number(field)];
    else value = value !== undefined && isRecord(value) ? value[field] : undefined;
  }
  return mayBe(domain, value ?? null);
}
