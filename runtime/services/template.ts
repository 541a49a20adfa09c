// Fills in text that contains environment variables: addresses, headers, and the search for secrets.
import type { Environment, EnvTemplate } from '../types.js';
import { withoutEnd } from '../values/without-end.js';

/** The text with its variables filled in; `undefined` if one of them is missing or empty. */
export function filledTemplate(template: EnvTemplate, env: Environment): string | undefined {
  let text = '';
  for (const part of template) {
    const piece = typeof part === 'string' ? part : Object.hasOwn(env, part.env) ? env[part.env] : undefined;
    // `Bearer ` without a token is not a header, and an address without a host is not an address.
    if (piece === undefined || (piece === '' && typeof part !== 'string')) return undefined;
    text += piece;
  }
  return text;
}

/** The missing variables. */
export const unsetVariables = (template: EnvTemplate, env: Environment): string[] =>
  namedVariables(template).filter((name) => filledTemplate([{ env: name }], env) === undefined);

/** The variables in the text, in order. */
export function namedVariables(template: EnvTemplate): string[] {
  return template.flatMap((part) => (typeof part === 'string' ? [] : [part.env]));
}

/** As in the file, for plans and mock answers: `{env.NAME}`. */
export function writtenTemplate(template: EnvTemplate): string {
  return template.map((part) => (typeof part === 'string' ? part : `{env.${part.env}}`)).join('');
}

/** An address in a file may contain a password: `https://ada:[redacted]@host`. */
export const withoutPassword = (address: string): string =>
  address.replace(/^([a-z][a-z0-9+.-]*:\/\/[^/?#:@]*):[^/?#]*@/i, '$1:[redacted]@');

/**
 * The address of a call as in the file, for plans and mock answers: without a password, and with the path before the query of
 * the service's own address, as in real calls.
 * @param path as written, or with its values; may have a query
 * @param query encoded; may be empty
 */
export function writtenAddress(service: string, path = '', query = ''): string {
  // A fragment is never sent.
  const [base = '', ...own] = withoutPassword(service).replace(/#.*/s, '').split('?');
  const [inner = '', ...further] = path.replace(/#.*/s, '').split('?');
  const whole = inner === '' ? base : `${withoutEnd(base, '/')}/${inner.replace(/^\//, '')}`;
  const queries = [own.join('?'), further.join('?'), query].filter((part) => part !== '');
  return queries.length === 0 ? whole : `${whole}?${queries.join('&')}`;
}
