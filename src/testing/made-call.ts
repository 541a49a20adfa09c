// A call that reached a mock service → what a case can say of it, and the line that shows it. Its own file, because cases are compared
// with it, and a run without cases prints it.

import { oneLine } from '../../runtime/one-line.js';
import { record } from '../../runtime/record.js';
import { writtenTemplate } from '../../runtime/services/template.js';
import type { Exchange, Redactor, Value } from '../../runtime/types.js';
import { shown } from './match-value.js';
import type { CallKey, MadeCall } from './test-case.js';

export function madeCall({ call, url, attempt, result }: Exchange): MadeCall {
  const { service, verb, description, method, path, parameters, instruction } = call;
  const phrase = description === '' ? verb : `${verb} ${description}`;
  const known = {
    service: service.name,
    phrase,
    verb,
    method,
    path,
    url,
    parameters,
    instruction,
    attempt,
    status: result.status,
  } satisfies Record<CallKey, Value>;
  return record(Object.entries(known));
}

/** `create item using Api: POST https://api.invalid/items`, then one line for each pair; a failed attempt says so. */
export function callLines({ call, url, attempt, result }: Exchange, redactor: Redactor): string[] {
  const { service, verb, description, method, parameters, instruction, path } = call;
  const phrase = `${description === '' ? verb : `${verb} ${description}`} using ${service.name}`;
  const what = {
    api: () => `${phrase}: ${method} ${url ?? ''}`,
    webhook: () => `${phrase}: ${method} ${url ?? ''}`,
    ai: () => `ask ${service.name} (${service.provider ?? ''}/${writtenTemplate(service.model ?? [])}) to ${instruction ?? ''}`,
    plugin: () => `${phrase}: plugin ${service.module ?? ''}${path === undefined ? '' : ` at ${path}`}`,
  }[service.kind]();
  const tries = attempt === 1 ? '' : `, attempt ${attempt}`;
  const end = result.ok ? tries : `${tries}: ${result.error ?? 'failed'}`;
  const clean = (text: string): string => oneLine(redactor.text(text));
  return [
    clean(`${what}${end}`),
    ...Object.entries(parameters).map(([key, value]) => clean(`    ${key}: ${typeof value === 'string' ? value : shown(value)}`)),
  ];
}
