// A call for its journal, its workflow and its caller: its place, its result as plain data, what the history shows of it, and a failure as
// one sentence and the fields of `failure`.
import type { AttemptOptions, EffectShown, EffectSite } from '../run/durable-run.js';
import type { Run } from '../run/run.js';
import type { CallRequest, SourceLocation } from '../types.js';
import { record } from '../values/record.js';
import type { Value } from '../values/value-types.js';
import { show } from '../values/values.js';
import type { AttemptResult, PreparedCall } from './attempt.js';
import { type Failure, interruptedCall, isInDoubt, writtenPath } from './call-errors.js';
import type { Method } from './service-types.js';

/** The parts of an attempt that the workflow can read, and those that decide whether there is another. */
export type StoredResult = AttemptResult;

/** Characters of pairs that the history shows, as JSON. */
const LONGEST_PAIRS = 100_000;

/** By the location of the call, which its module has once. */
const sites = new WeakMap<SourceLocation, EffectSite>();

/** The place of a call, without values. */
export function effectSite(request: CallRequest, method: Method): EffectSite {
  let site = sites.get(request.location);
  if (site === undefined) {
    site = newSite(request, method);
    sites.set(request.location, site);
  }
  return site;
}

function newSite(request: CallRequest, method: Method): EffectSite {
  const { service, verb, description, site, location } = request;
  return {
    kind: 'call',
    site,
    line: location[0],
    title: `${service.name}: ${callTitle(request, method)}`,
    identity: identityOf(request, method),
    service: service.name,
    serviceKind: service.kind,
    method,
    phrase: description === '' ? verb : `${verb} ${description}`,
  };
}

/** Recorded by every version of wf, so this must stay as it is, whatever titles say. */
function identityOf({ service: { name, kind }, path, verb, description }: CallRequest, method: Method): string {
  const address = path === undefined ? null : writtenPath(path);
  if (kind === 'ai' || kind === 'person') return JSON.stringify([name]);
  return JSON.stringify(kind === 'api' || kind === 'webhook' ? [name, method, address] : [name, verb, description, address]);
}

const usualAttempt: AttemptOptions<StoredResult> = {};

/** @param turn waits for the turn of a call whose service has limits */
export function attemptOptions(
  { service, atMostOnce }: CallRequest,
  turn: () => Promise<void> | undefined,
): AttemptOptions<StoredResult> {
  if (service.limits === undefined && !atMostOnce) return usualAttempt;
  return { ...(service.limits === undefined ? {} : { turn }), ...(atMostOnce ? { inDoubt: () => interruptedCall } : {}) };
}

/** Includes headers only if the workflow saves them: most answers have more of those than of anything else. */
export function toStored(result: AttemptResult, { savesHeaders }: CallRequest): StoredResult {
  if (!result.ok || result.headers === undefined || savesHeaders) return result;
  const { headers: _, ...rest } = result;
  return rest;
}

export function shownOf(
  run: Run,
  { parameters, instruction }: CallRequest,
  { url }: PreparedCall,
  result: AttemptResult,
): EffectShown {
  const { redactor } = run.journal;
  const sent = instruction === undefined ? parameters : [['instruction', instruction] as const, ...parameters];
  const pairs = sent.length === 0 ? undefined : redactor.value(record(sent));
  const value: Value = result.ok ? redactor.value(result.value) : undefined;
  const shown: { readonly [K in keyof Required<EffectShown>]: EffectShown[K] | undefined } = {
    url: url === undefined ? undefined : redactor.text(url),
    pairs: pairs === undefined || JSON.stringify(pairs).length > LONGEST_PAIRS ? undefined : pairs,
    value: result.ok && value !== result.value ? value : undefined,
  };
  return withoutUndefined(shown);
}

const withoutUndefined = (shown: object): EffectShown =>
  Object.fromEntries(Object.entries(shown).filter(([, value]) => value !== undefined));

/** The name of a call in messages: `GET /users/{request.username}`. */
function callTitle(request: CallRequest, method: string): string {
  if (request.service.kind === 'ai' || request.service.kind === 'person') return 'ask';
  const path = request.path === undefined ? undefined : writtenPath(request.path);
  if (request.service.kind !== 'api' && request.service.kind !== 'webhook') {
    const phrase = [request.verb, request.description].filter((word) => word !== '').join(' ');
    return path === undefined ? phrase : `${phrase} at ${path}`;
  }
  return path === undefined ? method : `${method} ${path}`;
}

/** The whole sentence: service, method, path as written, attempts and cause. It quotes no values, because it may go to a caller. */
export function failureMessage(request: CallRequest, method: string, failure: Failure, attempts: number): string {
  const title = `${request.service.name}: ${callTitle(request, method)}`;
  if (failure.rejected) return `${title} was rejected: ${failure.cause}.`;
  if (attempts === 0) return `${title} was not sent: ${failure.cause}.`;
  const again = failure.sent ? '' : ', and was not sent again';
  return `${title} failed after ${attempts} attempt${attempts === 1 ? '' : 's'}${again}: ${failure.cause}.`;
}

/** What stands between title and cause in that sentence, for readers that have stored nothing else. */
export const AFTER_CALL_TITLE = / (?:failed after \d{1,9} attempts?(?:, and was not sent again)?|was not sent|was rejected): /g;

/** The sentence with the values in its path, for the workflow itself. The caller redacts it. */
export function failureMessageWithValues(request: CallRequest, method: string, failure: Failure, attempts: number): string {
  const path = request.path?.map((part) => (typeof part === 'string' ? part : show(part.value)));
  return failureMessage(path === undefined ? request : { ...request, path }, method, failure, attempts);
}

/** The fields of `failure` in a workflow. */
export function failureRecord(
  request: CallRequest,
  message: string,
  failure: Failure,
  attempts: number,
): { [key: string]: Value } {
  return {
    message,
    status: failure.status ?? null,
    body: failure.body ?? null,
    service: request.service.name,
    attempts,
    ...(request.service.kind === 'workflow' ? { rejected: failure.rejected === true } : {}),
    'in-doubt': isInDoubt(failure),
  };
}
