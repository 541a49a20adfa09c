// Compares the calls that a case expects with those that the run made.
import type { Value, WfRecord } from '../../runtime/types.js';
import { differences, shown } from './match-value.js';
import type { ObservedCall } from './test-case.js';

/** Calls to list if an expected one is missing. */
const mostListed = 20;

/**
 * The expected calls must appear in the same order; others may come in between. Each describes part of a call and matches the
 * way records do. An empty list expects no calls at all.
 */
export function callDifferences(expected: readonly WfRecord[], made: readonly ObservedCall[]): string[] {
  if (expected.length === 0) return made.length === 0 ? [] : [`calls: expected none, got ${made.length}`, ...listOf(made)];
  const found: string[] = [];
  let next = 0;
  expected.forEach((call, index) => {
    const at = made.findIndex((candidate, place) => place >= next && fits(call, candidate));
    if (at === -1) found.push(...missing(call, `calls.${index}`, made, next));
    else next = at + 1;
  });
  return found.length === 0 ? [] : [...found, ...listOf(made)];
}

const fits = (expected: WfRecord, made: ObservedCall): boolean => compare(expected, made, '').length === 0;

/** A path matches with or without its leading slash, and without its query unless one is expected. */
function compare(expected: WfRecord, made: ObservedCall, path: string): string[] {
  if (typeof expected.path !== 'string' || typeof made.path !== 'string') return differences(expected, { ...made }, path);
  const comparable = (text: string): string => text.replace(/^\/+/, '');
  const whole = expected.path.includes('?') ? made.path : (made.path.split('?', 1)[0] ?? '');
  return differences(expected, { ...made, path: comparable(whole) === comparable(expected.path) ? expected.path : whole }, path);
}

/**
 * Why none of the calls from `next` on is the expected one: how the closest call to the same service differs, or that there is
 * none.
 */
function missing(expected: WfRecord, path: string, made: readonly ObservedCall[], next: number): string[] {
  if (made.slice(0, next).some((call) => fits(expected, call)))
    return [`${path}: ${shown(expected)} was called, but earlier than expected`];
  let nearest: string[] | undefined;
  for (const call of made.slice(next)) {
    if (expected.service !== undefined && call.service !== expected.service) continue;
    const wrong = compare(expected, call, path);
    if (nearest === undefined || wrong.length < nearest.length) nearest = wrong;
  }
  return nearest ?? [`${path}: expected ${shown(expected)}, but it was not called`];
}

function listOf(made: readonly ObservedCall[]): string[] {
  if (made.length === 0) return ['no calls were made'];
  const shownCalls = made.slice(0, mostListed).map((call) => `    ${describe(call)}`);
  const more = made.length > mostListed ? [`    and ${made.length - mostListed} more`] : [];
  return ['calls made:', ...shownCalls, ...more];
}

function describe({ service, phrase, method, path, parameters, instruction, attempt }: ObservedCall): string {
  const words = (...values: readonly Value[]): string => values.filter((value) => typeof value === 'string').join(' ');
  const what =
    instruction === undefined
      ? `${words(phrase, 'using', service)}: ${words(method, path)}`
      : words('ask', service, 'to', instruction);
  const pairs = parameters === undefined || shown(parameters) === '{}' ? '' : ` with ${shown(parameters)}`;
  return `${what}${pairs}${typeof attempt === 'number' && attempt > 1 ? `, attempt ${attempt}` : ''}`;
}
