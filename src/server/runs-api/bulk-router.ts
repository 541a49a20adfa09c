// Serves `POST /runs/bulk`: reruns, cancels or resumes all runs that a filter finds. It goes on until all are done, or the client leaves.
import type { Router } from 'express';
import type { WfRecord } from '../../../runtime/types.js';
import { anyOf } from '../../compiler/diagnostics/render-text.js';
import { closest } from '../../compiler/diagnostics/suggest.js';
import type { DurableEngine } from '../../durable/durable-engine.js';
import {
  type ChangeRate,
  changeMany,
  changeRateForms,
  chooseRuns,
  type ManyAction,
  manyActions,
  readChangeRate,
} from '../../durable/engine/many-runs.js';
import type { RunQuery } from '../../durable/model/run-views.js';
import { readRunFilter, runFilterExample } from '../../durable/views/run-filter.js';
import { jsonReply, type Reply, refusedReply } from '../app/answer.js';
import type { Refusal } from '../app/refusal.js';
import type { ApiCall, Endpoints } from './api-endpoints.js';
import { badField } from './refusals.js';

/** Milliseconds between two looks whether the server is to stop. */
const LOOK_MS = 200;

const FIELDS = ['action', 'where', 'search', 'dryRun', 'rate', 'from', 'workflow'] as const;

/** Before the routes of single runs: `bulk` could be the id of one. */
export function addBulkRoute(router: Router, { add }: Endpoints, store: DurableEngine, isStopping: () => boolean): void {
  add(router, /^\/runs\/bulk$/, 'operators', { POST: (call) => replyToBulk(store, call, isStopping) });
}

interface Bulk {
  readonly action: ManyAction;
  readonly query: RunQuery;
  readonly dryRun: boolean;
  readonly rate: ChangeRate | undefined;
  readonly rerun: { readonly from: 'start' | 'failure'; readonly workflow: 'recorded' | 'current' };
}

async function replyToBulk(store: DurableEngine, { exchange, body, actor }: ApiCall, isStopping: () => boolean): Promise<Reply> {
  if (!body.ok) return refusedReply(body.refusal);
  const bulk = readBulk(body.record);
  if ('error' in bulk) return refusedReply(bulk);
  const { action, rate, rerun } = bulk;
  const chosen = await chooseRuns(store, action, bulk.query);
  const { unfit, rerunBefore } = chosen;
  const found = { action, dryRun: bulk.dryRun, runs: chosen.runs.length, unfit, rerunBefore };
  if (bulk.dryRun) return jsonReply(200, found);
  const stopper = new AbortController();
  exchange.response.once('close', () => stopper.abort());
  const looking = setInterval(() => {
    if (isStopping()) stopper.abort();
  }, LOOK_MS);
  try {
    return jsonReply(200, { ...found, ...(await changeMany(store, chosen, { rerun, by: actor, rate, signal: stopper.signal })) });
  } finally {
    clearInterval(looking);
  }
}

const example = `For example: {"action": "rerun", "where": "${runFilterExample}", "dryRun": true}`;

function readBulk(given: WfRecord): Bulk | Refusal {
  const { action, where, search, dryRun = false, rate: pace, from = 'failure', workflow = 'recorded' } = given;
  const unknown = Object.keys(given).find((name) => !(FIELDS as readonly string[]).includes(name));
  if (unknown !== undefined) {
    const near = closest(unknown, FIELDS);
    const advice = near === undefined ? `It takes ${FIELDS.join(', ')}. ${example}` : `Did you mean "${near}"? ${example}`;
    return badField(`The body has an unknown field "${unknown}".`, advice);
  }
  const known = manyActions.find((one) => one === action);
  if (known === undefined)
    return badField('The body does not say what to do.', `action must be ${anyOf(manyActions)}. ${example}`);
  if (search !== undefined && typeof search !== 'string') return badField('search must be a text.', example);
  const filter = readRunFilter(where, search);
  if (!filter.ok) return badField(`where: ${filter.problem}`, filter.hint);
  if (typeof dryRun !== 'boolean') return badField('dryRun must be true or false.', example);
  const rate = typeof pace === 'string' ? readChangeRate(pace) : undefined;
  if (pace !== undefined && rate === undefined) return badField('The rate cannot be read.', `rate must be ${changeRateForms}.`);
  if (from !== 'start' && from !== 'failure') return badField('from must be "start" or "failure".', example);
  if (workflow !== 'recorded' && workflow !== 'current') return badField('workflow must be "recorded" or "current".', example);
  return { action: known, query: filter.query, dryRun, rate, rerun: { from, workflow } };
}
