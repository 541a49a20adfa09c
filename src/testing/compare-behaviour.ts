// What changes for whom between two versions of a workflow: both run with the same requests and answers, made for every way and boundary of
// either. Only what a run has shown is reported.
import type { Value, WfRecord } from '../../runtime/types.js';
import { candidates } from '../analysis/candidates.js';
import { regionWords } from '../analysis/region.js';
import { walk } from '../analysis/walk.js';
import type { WayEnd } from '../analysis/walker.js';
import type { Checked } from '../compiler/compile.js';
import type { Engine } from '../engine/engine.js';
import { exampleRecord } from '../input/example-value.js';
import type { CoveredPreparation } from './coverage.js';
import { type Trial, type Tried, tryOut } from './trial.js';

export interface Version {
  readonly checked: Checked;
  readonly preparation: Extract<CoveredPreparation, { ok: true }>;
}

export interface BehaviourChange {
  /** Whom it concerns: `total from 250 to 1000`; empty if that can't be said. */
  readonly who: readonly string[];
  readonly before: readonly string[];
  readonly after: readonly string[];
  /** The request, with the answers of services and the messages if there are any. */
  readonly example: WfRecord;
}

/** Examples to run at most. */
const MOST_TRIALS = 2_000;

export async function compareBehaviour(engine: Engine, old: Version, now: Version): Promise<BehaviourChange[]> {
  const found = new Map<string, BehaviourChange>();
  const seen = new Set<string>();
  const all = [old, now].flatMap((version) =>
    candidates(version.checked, typicalOf(version)).map((candidate) => ({ candidate, version })),
  );
  for (const { candidate, version } of all.slice(0, MOST_TRIALS)) {
    const key = JSON.stringify([candidate.request, candidate.mocks, candidate.messages, candidate.env]);
    if (seen.has(key)) continue;
    seen.add(key);
    const [one, other] = [
      await tryOut(engine, old.preparation.prepared, candidate),
      await tryOut(engine, now.preparation.prepared, candidate),
    ];
    const [before, after] = distinct(behaviour(one), behaviour(other));
    if (before.length + after.length === 0) continue;
    // Quoted values and numbers differ from run to run.
    const outside = [...before, '→', ...after]
      .join('\n')
      .split('"')
      .filter((_, index) => index % 2 === 0);
    const kind = outside.join('…').replaceAll(/[\d.]+/g, '…');
    if (found.has(kind)) continue;
    const beside = version === old ? waysThrough(now, other) : waysThrough(old, one);
    found.set(kind, {
      who: regionWords(candidate.end.state, beside, candidate.request),
      before,
      after,
      example: exampleOf(candidate),
    });
  }
  return [...found.values()];
}

const typicalOf = ({ checked }: Version): WfRecord => exampleRecord(checked.facts.inputs ?? [], 'typical');

/** The ways of a version that this run may have taken. */
function waysThrough({ checked, preparation }: Version, { outcome, reached }: Tried): readonly WayEnd[] {
  const lines = new Set([...reached].map((index) => preparation.reachable[index]?.line));
  const ends = walk(checked.text, checked.workflow, checked.facts)?.endings ?? [];
  return ends.filter(({ status, line }) => status === outcome.status && (line === undefined || lines.has(line)));
}

/** What people notice of a run, a line each. */
function behaviour({ outcome, calls, waits, isRefused }: Tried): string[] {
  const { status, message, outputs = {}, error } = outcome;
  if (isRefused)
    return [`the request is refused: ${(error?.problems ?? []).map(({ field, problem }) => `${field} ${problem}`).join('; ')}`];
  const results = Object.entries(outputs).map(([name, value]) => `${name} ${JSON.stringify(value)}`);
  const end =
    status === 'completed'
      ? `completed${results.length === 0 ? '' : ` with ${results.join(' and ')}`}`
      : status === 'rejected'
        ? `rejected: ${JSON.stringify(message)}`
        : 'ends as error';
  return [...calls.map(callText), ...waits, end];
}

function callText(call: Tried['calls'][number]): string {
  const { service, phrase, instruction, method, path, parameters, where, statement, body, status } = call;
  const parts = Object.entries({
    method: instruction === undefined ? method : undefined,
    path,
    asks: instruction,
    statement,
    body,
    answered: status,
  }).flatMap(([name, value]) => (value === undefined ? [] : [`${name} ${shown(value)}`]));
  const pairs = [parameters, where].flatMap((record) =>
    typeof record === 'object' && record !== null ? Object.entries(record) : [],
  );
  return `${shown(phrase)} using ${shown(service)}, ${[...parts, ...pairs.map(([name, value]) => `${name} ${JSON.stringify(value)}`)].join(', ')}`;
}

const shown = (value: Value | undefined): string => (typeof value === 'string' ? value : JSON.stringify(value ?? null));

/** Without the lines that both have, in the same order; the end is kept beside a call that differs only if it differs as well. */
function distinct(one: readonly string[], other: readonly string[]): readonly [readonly string[], readonly string[]] {
  if (one.length === other.length && one.every((line, index) => line === other[index])) return [[], []];
  const [before, after] = [one.filter((line) => !other.includes(line)), other.filter((line) => !one.includes(line))];
  // Both have the lines of the other, in another order.
  return before.length + after.length === 0 ? [one, other] : [before, after];
}

function exampleOf({ request, mocks, messages, env }: Trial): WfRecord {
  return {
    input: request,
    ...(Object.keys(mocks).length === 0 ? {} : { mocks }),
    ...(Object.keys(messages).length === 0 ? {} : { messages }),
    ...(Object.keys(env).length === 0 ? {} : { env: { ...env } }),
  };
}
