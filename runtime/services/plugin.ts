// Calls a plugin with copies of everything and converts its result to a value. Foreign JavaScript runs here; whatever it does must end as
// an answer or a failure.
import type { Cancellation } from '../run/cancellation.js';
import type { Run } from '../run/run.js';
import type { CallRequest, WfRecord } from '../types.js';
import { WfError } from '../values/errors.js';
import { isRecord, record } from '../values/record.js';
import { output, plain, show } from '../values/values.js';
import { type AttemptResult, defaultTimeoutMs, type PreparedCall } from './attempt.js';
import { firstCharacters } from './body.js';
import { type Failure, failingStatus, pluginFailed, pluginUnusable } from './call-errors.js';
import { idempotencyKey, serviceHeaders } from './headers.js';
import { retryableStatus, statusWords } from './http-status.js';
import { mockCallOf } from './mock-call.js';
import { fillPath } from './path.js';

/** Characters of a plugin's own message to include in a failure. */
const longestMessage = 300;

type PluginCall = (argument: unknown) => unknown;

/**
 * Prepares a call of a plugin, which is loaded at the first attempt. What it throws is retried, unless a `status` says
 * otherwise.
 */
export function preparePlugin(run: Run, request: CallRequest, key = idempotencyKey()): PreparedCall | Failure {
  const { service, verb, description, parameters } = request;
  const filled = request.path === undefined ? undefined : fillPath(request.path);
  if (filled !== undefined && !filled.ok) return filled;
  const headers = serviceHeaders(service, run.environment);
  if (!headers.ok) return headers;
  if (!run.services.includes(service)) run.journal.hideHeaders(headers.declared);
  const { path } = mockCallOf(request, 'POST');
  const argument = (cancellation: Cancellation) => ({
    verb,
    description,
    ...(path === undefined ? {} : { path }),
    // A copy for each attempt, so that a plugin can't change the workflow's own values.
    parameters: plain(output(record(parameters))),
    headers: record(headers.declared),
    idempotencyKey: key,
    signal: cancellation.signal,
  });
  return {
    ok: true,
    timeoutMs: service.timeoutMs ?? defaultTimeoutMs,
    attempt: async (cancellation) => {
      const call = await loaded(run, request);
      if (typeof call !== 'function') return call;
      try {
        return answerOf(await call(argument(cancellation)), run);
      } catch (error) {
        return thrown(error, run);
      }
    },
  };
}

async function loaded(run: Run, { service }: CallRequest): Promise<PluginCall | Failure> {
  const name = `the plugin "${service.module ?? ''}"`;
  const load =
    service.load ?? (run.options.loadPlugin === undefined ? undefined : () => run.options.loadPlugin?.(service.module ?? ''));
  if (load === undefined) return pluginUnusable(`${name} can't be loaded here`);
  let module: unknown;
  try {
    module = await load();
  } catch (error) {
    const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
    const missing = code === 'ERR_MODULE_NOT_FOUND' || code === 'MODULE_NOT_FOUND' || code === 'ENOENT';
    return pluginUnusable(
      `${name} ${missing ? 'or something it imports was not found' : `can't be loaded (${messageOf(error, run)})`}`,
    );
  }
  return callOf(module) ?? pluginUnusable(`${name} exports no function named call`);
}

/** The function `call`, exported directly or by the default export. */
function callOf(module: unknown): PluginCall | undefined {
  for (const holder of [module, property(module, 'default')]) {
    const call = property(holder, 'call');
    if (typeof call === 'function') return (argument) => Reflect.apply(call, holder, [argument]);
  }
  return undefined;
}

/** Also `undefined` if reading it throws: a plugin may return anything. */
function property(holder: unknown, key: string): unknown {
  try {
    return (typeof holder === 'object' || typeof holder === 'function') && holder !== null ? Reflect.get(holder, key) : undefined;
  } catch {
    return undefined;
  }
}

function answerOf(returned: unknown, run: Run): AttemptResult {
  if (returned === undefined || returned === null) return { ok: true, value: null };
  const answer = plain(returned);
  if (typeof answer !== 'object' || answer === null || Array.isArray(answer) || isBareResult(answer)) {
    return pluginFailed('it must return an object with a value, such as { value: 7 }', { retryable: false });
  }
  const { value, status, headers } = own(answer, 'value', 'status', 'headers');
  const about = typeof status === 'number' ? { status } : {};
  if (typeof status === 'number' && (status < 200 || status > 299)) {
    const body = firstCharacters(run.journal.redactor.text(show(value)), 1_000);
    return failingStatus(status, statusWords(status), { retryable: retryableStatus(status), body });
  }
  return { ok: true, value: value ?? null, ...about, headers: isRecord(headers) ? headers : {} };
}

/** Its author returned the result itself, and the workflow would get `empty`. */
const isBareResult = (answer: WfRecord): boolean => {
  const fields = Object.keys(answer);
  return fields.length > 0 && !fields.some((field) => field === 'value' || field === 'status' || field === 'headers');
};

function own(from: WfRecord, ...keys: string[]): WfRecord {
  return record(keys.map((key) => [key, Object.hasOwn(from, key) ? from[key] : undefined] as const));
}

function thrown(error: unknown, run: Run): Failure {
  // Its result could not be converted to plain data. That message is the runtime's own, and would be the same each time.
  if (error instanceof WfError) return pluginFailed(messageOf(error, run), { retryable: false });
  const status = property(error, 'status');
  const known = typeof status === 'number' && Number.isInteger(status) && status >= 100 && status <= 599;
  return pluginFailed(messageOf(error, run), known ? { status, retryable: retryableStatus(status) } : {});
}

/** The first line of what was thrown, without secrets or paths of this machine. */
function messageOf(error: unknown, run: Run): string {
  const message = property(error, 'message');
  const text =
    typeof message === 'string' && message !== ''
      ? message
      : typeof error === 'string'
        ? error
        : 'it threw something without a message';
  const path = property(error, 'path');
  const known = [path, process.cwd(), process.env.HOME].filter(
    (part): part is string => typeof part === 'string' && part.length > 1,
  );
  let clean = run.journal.redactor.text(text).split(/\r?\n/, 1)[0] ?? '';
  clean = clean.replace(/file:\/\/[^\s'"]+/g, '[path]');
  for (const part of known) clean = clean.split(part).join('[path]');
  return withoutFullStop(firstCharacters(clean, longestMessage));
}

/** The surrounding sentence has its own full stop. */
function withoutFullStop(text: string): string {
  let end = text.length;
  while (end > 0 && /[.\s]/.test(text.charAt(end - 1))) end--;
  return text.slice(0, end);
}
