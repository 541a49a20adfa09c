// Builds the address of a call from the service's URL, the path and the query. Decides what an address may contain and what of
// it may be shown.
import type { Environment, EnvTemplate } from '../types.js';
import { percentDecoded } from '../values/percent-decoded.js';
import { withoutEnd } from '../values/without-end.js';
import { type Failure, missingVariable, unusableAddress } from './call-errors.js';
import { filledTemplate, namedVariables, unsetVariables, writtenAddress, writtenTemplate } from './template.js';

export interface Address {
  readonly ok: true;
  /** Without user, password and fragment. */
  readonly url: string;
  /** For people. Doesn't reveal user and password. */
  readonly shown: string;
  /** The `Authorization` header if the address contains user and password. */
  readonly authorization?: string;
}

interface Base {
  readonly ok: true;
  readonly text: string;
  readonly origin: string;
  readonly shownOrigin: string;
  /** If more than the host comes from variables: the address as in the file, with `{env.NAME}` for values. */
  readonly written: string | undefined;
  readonly path: string;
  readonly query: string;
  readonly authorization?: string;
}

/** The last base per template. Parsing it again for each call would cost as much as everything else here. */
const bases = new WeakMap<EnvTemplate, Base>();

/**
 * @param path encoded, with or without a leading slash; `undefined` leaves the service's URL unchanged
 * @param queries encoded; empty ones are left out
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
  const whole = path === undefined || path === '' ? base.path : `${withoutEnd(base.path, '/')}/${path.replace(/^\//, '')}`;
  const url = new URL(`${base.origin}${whole}${query === '' ? '' : `?${query}`}`);
  // The path is encoded and follows a slash. If this check ever fails, nothing may be sent.
  if (url.origin !== base.origin) return unusableAddress(namedVariables(template));
  return {
    ok: true,
    url: url.href,
    shown:
      base.written === undefined
        ? base.shownOrigin + url.href.slice(url.origin.length)
        : writtenAddress(base.written, path, queries.filter((part) => part !== '').join('&')),
    ...(base.authorization === undefined ? {} : { authorization: base.authorization }),
  };
}

function baseOf(template: EnvTemplate, env: Environment): Base | Failure {
  const text = filledTemplate(template, env);
  if (text === undefined) return missingVariable('its address', unsetVariables(template, env));
  const known = bases.get(template);
  if (known?.text === text) return known;
  const base = parseBase(text, namedVariables(template), isPublic(template, env) ? undefined : writtenTemplate(template));
  if (base.ok) bases.set(template, base);
  return base;
}

/** A scheme, user and password (hidden by other means), a host and a port. */
const hostAlone = /^(?:https?:\/\/)?(?:[^/?#@]*@)?[\w.-]*(?::\d{1,5})?\/?$/i;
const beforePath = /^(?:https?:\/\/)?[^/?#]*$/i;

/** Whether variables provide at most the host. A path or query from the environment is often a key. */
function isPublic(template: EnvTemplate, env: Environment): boolean {
  let text = '';
  for (const part of template) {
    const value = typeof part === 'string' ? part : (filledTemplate([part], env) ?? '');
    if (typeof part !== 'string' && !(beforePath.test(text) && hostAlone.test(value))) return false;
    text += value;
  }
  return true;
}

function parseBase(text: string, names: readonly string[], written: string | undefined): Base | Failure {
  // Parsing would drop line breaks, but a value with line breaks is not what anyone meant.
  if (/[\u0000-\u001f\u007f]/.test(text)) return unusableAddress(names, 'contains a line break or another control character');
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    return unusableAddress(names);
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return unusableAddress(names);
  const hasUser = url.username !== '' || url.password !== '';
  return {
    ok: true,
    text,
    origin: url.origin,
    written,
    shownOrigin: hasUser ? url.origin.replace('//', '//[redacted]@') : url.origin,
    path: url.pathname,
    query: url.search.slice(1),
    ...(hasUser ? { authorization: basic(url) } : {}),
  };
}

function basic({ username, password }: URL): string {
  return `Basic ${Buffer.from(`${percentDecoded(username)}:${percentDecoded(password)}`).toString('base64')}`;
}
