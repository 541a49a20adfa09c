// A service's declared headers and the ones that every request carries → the headers that are sent. Its own file, because a header is where
// secrets leave the machine and where a value could smuggle in another header.
import { badHeader, type Failure, missingVariable } from '../call-errors.js';
import { setOwn } from '../record.js';
import type { ServiceSpec } from '../types.js';
import { filledTemplate, namedVariables, unsetVariables } from './template.js';

type Header = readonly [name: string, value: string];
type Environment = Readonly<Record<string, string | undefined>>;

/** The headers of a service, filled in. */
export interface ServiceHeaders {
  readonly ok: true;
  /** As declared. */
  readonly declared: readonly Header[];
  /** With what every request carries. */
  readonly all: Readonly<Record<string, string>>;
  /** What may go on to another host: it says what is understood, never who asks. */
  readonly elsewhere: Readonly<Record<string, string>>;
}

/** Headers that hold no credentials whatever a service does with them, as long as they stand in the file itself. */
const harmlessNames: ReadonlySet<string> = new Set(['accept', 'accept-language', 'user-agent']);

/** The last result for each service, and the values that it was made of: they seldom change. */
const lastHeaders = new WeakMap<ServiceSpec, { readonly values: readonly string[]; readonly headers: ServiceHeaders }>();

/** Fills the declared headers; a failure names the variable or the header, never the value. */
export function serviceHeaders(service: ServiceSpec, env: Environment): ServiceHeaders | Failure {
  const { headers: templates = [] } = service;
  const values: string[] = [];
  for (const [name, template] of templates) {
    const value = filledTemplate(template, env);
    if (value === undefined) return missingVariable(`the header ${name}`, unsetVariables(template, env));
    values.push(value);
  }
  const last = lastHeaders.get(service);
  if (last?.values.every((value, index) => value === values[index])) return last.headers;

  const declared: Header[] = [];
  const harmless: Header[] = [];
  for (const [index, [name, template]] of templates.entries()) {
    const value = values[index] ?? '';
    const problem = headerProblem(name, value);
    if (problem !== undefined) return badHeader(name, namedVariables(template), problem);
    declared.push([name, value.trim()]);
    if (template.every((part) => typeof part === 'string') && harmlessNames.has(name.toLowerCase())) harmless.push([name, value]);
  }
  const headers: ServiceHeaders = {
    ok: true,
    declared,
    all: withDefaults(declared, standardHeaders),
    elsewhere: withDefaults(harmless, standardHeaders),
  };
  lastHeaders.set(service, { values, headers });
  return headers;
}

/** They say how a request is cut into bytes: a wrong one lets the service wait for ever, or read one request as two. */
const ofTheConnection: ReadonlySet<string> = new Set(['content-length', 'transfer-encoding', 'keep-alive', 'upgrade', 'expect']);

/** Why a header cannot be sent; says nothing of its value. */
export function headerProblem(name: string, value: string): string | undefined {
  if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name)) return 'has a name that HTTP does not allow';
  if (ofTheConnection.has(name.toLowerCase())) return 'is made for each request and cannot be declared';
  if (/[\r\n\0]/.test(value)) return 'has a line break or NUL in its value';
  if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(value)) return 'has a character in its value that HTTP does not allow in headers';
  return undefined;
}

/** The value of a declared header, its name in any case. */
export function headerNamed(headers: readonly Header[], name: string): string | undefined {
  return headers.find(([declared]) => declared.toLowerCase() === name)?.[1];
}

/** What every request carries (language.md 6); a declared header of the same name wins. */
export function withDefaults(declared: readonly Header[], defaults: readonly Header[]): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [name, value] of defaults) {
    if (headerNamed(declared, name.toLowerCase()) === undefined) headers[name] = value;
  }
  for (const [name, value] of declared) setOwn(headers, name, value);
  return headers;
}

export const standardHeaders: readonly Header[] = [
  ['Accept', 'application/json'],
  ['User-Agent', `wf/${WF_VERSION}`],
];

/** Tells the calls of this process from those of all others: they may share their time and, in containers, their process id. */
const processKey = Array.from({ length: 3 }, () => Math.random().toString(36).slice(2)).join('');
let calls = 0;

/**
 * The same for every attempt of one call, different for every other call. It need not be secret, only unique; a UUID would make every
 * stand-alone module load node:crypto.
 */
export const idempotencyKey = (): string => `wf-${processKey}-${(calls++).toString(36)}`;
