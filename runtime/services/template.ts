// Text that names environment variables → text. Its own file, because addresses, headers and the search for secrets fill it alike.
import type { EnvTemplate } from '../types.js';

type Environment = Readonly<Record<string, string | undefined>>;

/** The text with its variables filled in; `undefined` where one of them is not set or empty. */
export function filledTemplate(template: EnvTemplate, env: Environment): string | undefined {
  let text = '';
  for (const part of template) {
    const piece = typeof part === 'string' ? part : Object.hasOwn(env, part.env) ? env[part.env] : undefined;
    // `Bearer ` without a token is no header, and an address without its host no address.
    if (piece === undefined || (piece === '' && typeof part !== 'string')) return undefined;
    text += piece;
  }
  return text;
}

/** The variables that keep it from being filled. */
export const unsetVariables = (template: EnvTemplate, env: Environment): string[] =>
  namedVariables(template).filter((name) => filledTemplate([{ env: name }], env) === undefined);

/** The variables that it names, in order. */
export function namedVariables(template: EnvTemplate): string[] {
  return template.flatMap((part) => (typeof part === 'string' ? [] : [part.env]));
}

/** As in the file, for plans and mock answers: `{env.NAME}`. */
export function writtenTemplate(template: EnvTemplate): string {
  return template.map((part) => (typeof part === 'string' ? part : `{env.${part.env}}`)).join('');
}

/** An address as it stands in the file may hold a password: `https://ada:[redacted]@host`. */
const withoutPassword = (address: string): string =>
  address.replace(/^([a-z][a-z0-9+.-]*:\/\/[^/?#:@]*):[^/?#]*@/i, '$1:[redacted]@');

/**
 * The address of a call as the file has it, for plans and mock answers: without a password, the path before the query of the service's own
 * address, as real calls have it.
 * @param path as written, or with its values; may have a query
 * @param query encoded; may be empty
 */
export function writtenAddress(service: string, path = '', query = ''): string {
  // A fragment is never sent.
  const [base = '', ...own] = withoutPassword(service).replace(/#.*/s, '').split('?');
  const [inner = '', ...further] = path.replace(/#.*/s, '').split('?');
  const whole = inner === '' ? base : `${base.replace(/\/+$/, '')}/${inner.replace(/^\//, '')}`;
  const queries = [own.join('?'), further.join('?'), query].filter((part) => part !== '');
  return queries.length === 0 ? whole : `${whole}?${queries.join('&')}`;
}
