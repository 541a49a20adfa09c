// A service's URL, the path and the query of a call → the address it is sent to. Its own file, because the rules for what may stand in an
// address, and what of it may be shown, are worth reading in one place.
import { badAddress, type Failure, missingVariable } from '../call-errors.js';
import type { EnvTemplate } from '../types.js';
import { filledTemplate, namedVariables, unsetVariables } from './template.js';

export interface Address {
  readonly ok: true;
  /** Without user, password and fragment. */
  readonly url: string;
  /** For people: says that there was a user and password, without telling them. */
  readonly shown: string;
  /** The value of an `Authorization` header, where the address held user and password. */
  readonly authorization?: string;
}

interface Base {
  readonly ok: true;
  readonly text: string;
  readonly origin: string;
  readonly shownOrigin: string;
  readonly path: string;
  readonly query: string;
  readonly authorization?: string;
}

/** The last base of each template: parsing it again for each call would cost as much as all else here. */
const bases = new WeakMap<EnvTemplate, Base>();

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * @param path encoded; with or without a slash at its start. `undefined` leaves the service's URL as it is.
 * @param queries encoded; empty ones are left out.
 */
export function addressOf(
  template: EnvTemplate,
  env: Environment,
  path: string | undefined,
  queries: readonly string[],
): Address | Failure {
  const base = baseOf(template, env);
  if (!base.ok) return base;
  const query = [base.query, ...queries].filter((part) => part !== '').join('&');
  const whole = path === undefined || path === '' ? base.path : `${base.path.replace(/\/+$/, '')}/${path.replace(/^\//, '')}`;
  const url = new URL(`${base.origin}${whole}${query === '' ? '' : `?${query}`}`);
  // The path is encoded and stands behind a slash: if this ever fails, nothing may be sent.
  if (url.origin !== base.origin) return badAddress(namedVariables(template));
  const rest = url.href.slice(url.origin.length);
  return {
    ok: true,
    url: url.href,
    shown: base.shownOrigin + rest,
    ...(base.authorization === undefined ? {} : { authorization: base.authorization }),
  };
}

function baseOf(template: EnvTemplate, env: Environment): Base | Failure {
  const text = filledTemplate(template, env);
  if (text === undefined) return missingVariable('its address', unsetVariables(template, env));
  const known = bases.get(template);
  if (known?.text === text) return known;
  const base = parseBase(text, namedVariables(template));
  if (base.ok) bases.set(template, base);
  return base;
}

function parseBase(text: string, names: readonly string[]): Base | Failure {
  // An address is parsed without its line breaks: a value that has some is not the value that somebody meant.
  if (/[\u0000-\u001f\u007f]/.test(text)) return badAddress(names, 'has a line break or another control character in it');
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    return badAddress(names);
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return badAddress(names);
  const hasUser = url.username !== '' || url.password !== '';
  return {
    ok: true,
    text,
    origin: url.origin,
    shownOrigin: hasUser ? url.origin.replace('//', '//[redacted]@') : url.origin,
    path: url.pathname,
    query: url.search.slice(1),
    ...(hasUser ? { authorization: basic(url) } : {}),
  };
}

function basic({ username, password }: URL): string {
  return `Basic ${Buffer.from(`${decoded(username)}:${decoded(password)}`).toString('base64')}`;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
