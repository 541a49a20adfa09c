// A call that reached a mock service: how cases are compared with it, and how it is printed.
import { writtenTemplate } from '../../runtime/services/template.js';
import type { Redactor, ServiceExchange, Value } from '../../runtime/types.js';
import { oneLine } from '../../runtime/values/one-line.js';
import { record } from '../../runtime/values/record.js';
import { shown } from './compare-outcome.js';
import type { CallKey, ObservedCall } from './test-case.js';

export function observedCall({ call, url, attempt, result }: ServiceExchange): ObservedCall {
  const { service, verb, description, method, path, parameters, where, statement, body, instruction, addressee, choices } = call;
  const phrase = description === '' ? verb : `${verb} ${description}`;
  const known = {
    service: service.name,
    phrase,
    verb,
    method,
    path,
    url,
    parameters,
    where,
    statement,
    body,
    instruction,
    addressee,
    choices: choices?.slice(),
    attempt,
    status: result.status,
  } satisfies Record<CallKey, Value>;
  return record(Object.entries(known));
}

/** `create item using Api: POST https://api.invalid/items`, then one line per pair. Says so if the attempt failed. */
export function callLines({ call, url, attempt, result }: ServiceExchange, redactor: Redactor): string[] {
  const { service, verb, description, method, parameters, where = {}, statement, body, instruction, path } = call;
  const phrase = `${description === '' ? verb : `${verb} ${description}`} using ${service.name}`;
  const what = {
    api: () => `${phrase}: ${method} ${url ?? ''}`,
    webhook: () => `${phrase}: ${method} ${url ?? ''}`,
    ai: () => `ask ${service.name} (${service.provider ?? ''}/${writtenTemplate(service.model ?? [])}) to ${instruction ?? ''}`,
    person: () => `ask ${service.name} to ${instruction ?? ''}`,
    plugin: () => `${phrase}: plugin ${service.module ?? ''}${path === undefined ? '' : ` at ${path}`}`,
    workflow: () => phrase,
    database: () => `${phrase}${statement === undefined ? ` at ${path ?? ''}` : `: ${statement}`}`,
    mail: () => phrase,
    folder: () => `${phrase}${path === undefined ? '' : ` at ${path}`}`,
  }[service.kind]();
  const tries = attempt === 1 ? '' : `, attempt ${attempt}`;
  const end = result.ok ? tries : `${tries}: ${result.error ?? 'failed'}`;
  const clean = (text: string): string => oneLine(redactor.text(text));
  // Long values are cut off, so redact first, or part of a secret would remain.
  const textOf = (value: Value): string => (typeof value === 'string' ? value : shown(redactor.value(value)));
  return [
    clean(`${what}${end}`),
    ...(body === undefined ? [] : [clean(`    body: ${textOf(body)}`)]),
    ...Object.entries(parameters).map(([key, value]) => clean(`    ${key}: ${textOf(value)}`)),
    ...Object.entries(where).map(([key, value]) => clean(`    where ${key}: ${textOf(value)}`)),
  ];
}
