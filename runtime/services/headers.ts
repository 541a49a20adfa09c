// Builds the headers of a request from those that a service declares and those that every request has. This is where secrets
// leave the machine, and where a value could smuggle in another header.
import type { Environment, ServiceSpec } from '../types.js';
import { setOwn } from '../values/record.js';
import { type Failure, missingVariable, unusableHeader } from './call-errors.js';
import { filledTemplate, namedVariables, unsetVariables } from './template.js';

type Header = readonly [name: string, value: string];
/** The headers of a service, filled in. */
export interface ServiceHeaders {
  readonly ok: true;
  /** As declared. */
  readonly declared: readonly Header[];
  /** Including those that every request has. */
  readonly all: Readonly<Record<string, string>>;
  /** Headers that may go to another host: they say what the client understands, never who it is. */
  readonly elsewhere: Readonly<Record<string, string>>;
}

/** Headers that contain no credentials, whatever a service does with them, if they are plain text in the file. */
const harmlessNames: ReadonlySet<string> = new Set(['accept', 'accept-language', 'user-agent']);

/** The last result per service and the values it came from, which rarely change. */
const lastHeaders = new WeakMap<ServiceSpec, { readonly values: readonly string[]; readonly headers: ServiceHeaders }>();

/** Fills in the declared headers. A failure names the variable or the header, never the value. */
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
    if (problem !== undefined) return unusableHeader(name, namedVariables(template), problem);
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

/**
 * These control how a request is divided into bytes. A wrong one makes the service wait forever, or read one request as two.
 */
const ofTheConnection: ReadonlySet<string> = new Set(['content-length', 'transfer-encoding', 'keep-alive', 'upgrade', 'expect']);

/** The reason why a header can't be sent, without its value. */
export function headerProblem(name: string, value: string): string | undefined {
  if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name)) return 'has a name that HTTP does not allow';
  if (ofTheConnection.has(name.toLowerCase())) return "is set by wf for each request and can't be declared";
  if (/[\r\n\0]/.test(value)) return 'contains a line break or NUL';
  if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(value)) return 'contains a character that HTTP does not allow in headers';
  return undefined;
}

/** The value of a declared header, by its name in any case. */
export function headerNamed(headers: readonly Header[], name: string): string | undefined {
  return headers.find(([declared]) => declared.toLowerCase() === name)?.[1];
}

/** The headers that every request has. A declared header with the same name takes precedence. */
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

/**
 * Distinguishes the calls of this process from those of all others, which may share their time and, in containers, their
 * process id.
 */
const processKey = Array.from({ length: 3 }, () => Math.random().toString(36).slice(2)).join('');
let calls = 0;

/**
 * Identifies a call to its service: equal for all attempts of one call, and unique, but not secret. A UUID would
 * make every standalone module load node:crypto.
 */
export const idempotencyKey = (): string => `wf-${processKey}-${(calls++).toString(36)}`;
