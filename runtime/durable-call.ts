// What a journal stores about a call: its place, its result as plain data, and what the history shows of it.
import { callTitle } from './call-errors.js';
import type { EffectShown, EffectSite } from './durable-run.js';
import { record } from './record.js';
import type { Run } from './run.js';
import type { AttemptResult, PreparedCall } from './services/attempt.js';
import type { CallRequest } from './types.js';
import type { Method } from './verbs.js';

/** What the workflow can read of an attempt, and what decides whether there is another. */
export type StoredResult = AttemptResult;

/** Characters of pairs that the history shows, as JSON. */
const LONGEST_PAIRS = 100_000;

/** The place of a call, without values. */
export function effectSite(request: CallRequest, method: Method): EffectSite {
  const { service, verb, description, site, location } = request;
  return {
    kind: 'call',
    site,
    line: location[0],
    title: `${service.name}: ${callTitle(request, method)}`,
    service: service.name,
    serviceKind: service.kind,
    method,
    phrase: description === '' ? verb : `${verb} ${description}`,
  };
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
  const sent = record(instruction === undefined ? parameters : [['instruction', instruction], ...parameters]);
  const pairs = redactor.value(sent);
  const value = result.ok ? redactor.value(result.value) : undefined;
  return {
    ...(url === undefined ? {} : { url: redactor.text(url) }),
    ...(Object.keys(sent).length === 0 || JSON.stringify(pairs).length > LONGEST_PAIRS ? {} : { pairs }),
    ...(result.ok && value !== result.value ? { value } : {}),
  };
}
