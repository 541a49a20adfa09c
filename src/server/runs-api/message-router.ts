// Serves `POST /messages/<name>`: a message for a run that waits for it now, or will later.
import type { Router } from 'express';
import type { DurableEngine } from '../../durable/durable-engine.js';
import { isMessageName, messageNameForms } from '../../durable/model/messages.js';
import { jsonReply, type Reply, refusedReply } from '../app/answer.js';
import type { ApiCall, Endpoints } from './api-endpoints.js';
import { parametersOf, readIdempotencyKey } from './read-query.js';
import { badField, badQuery, keyWithOtherBody, malformedKey, runOfOthers, unknownRun, wrongState } from './refusals.js';
import { isOfSender } from './run-router.js';

const MESSAGES = '/messages/';

export function addMessageRoute(router: Router, { add }: Endpoints, store: DurableEngine): void {
  // Not captured: Express would refuse a name that can't be decoded in its own words.
  add(router, /^\/messages\/[^/]+$/, 'callers', {
    POST: (call) => replyToMessage(store, call, decoded(call.exchange.path.slice(MESSAGES.length))),
  });
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return '';
  }
}

/** @param name from the address, decoded */
async function replyToMessage(store: DurableEngine, { exchange, body, sender, actor }: ApiCall, name: string): Promise<Reply> {
  if (!isMessageName(name)) return refusedReply(badField('The name of the message is not valid.', messageNameForms));
  const header = exchange.request.headers['webhook-id'] === undefined ? 'Idempotency-Key' : 'Webhook-Id';
  const given = readIdempotencyKey(exchange.request, header.toLowerCase());
  if (!given.ok) return refusedReply(malformedKey(header));
  const parameters = parametersOf(exchange.target);
  const other = [...parameters.keys()].find((key) => key !== 'run');
  if (other !== undefined) return refusedReply(badQuery(other, 'left out: this address takes run'));
  if (!body.ok) return refusedReply(body.refusal);
  const run = parameters.get('run') ?? undefined;
  const state = run === undefined || sender.workflows === undefined ? undefined : await store.state(run);
  if (state !== undefined && !isOfSender(state, sender)) return refusedReply(runOfOthers);
  const to = run === undefined ? {} : { run };
  const sent = await store.send(
    { name, body: body.record, ...to, ...(given.key === undefined ? {} : { key: given.key }) },
    actor,
  );
  switch (sent.kind) {
    case 'other body':
      return refusedReply(keyWithOtherBody(header));
    case 'unknown run':
      return refusedReply(unknownRun(run ?? ''));
    case 'run finished':
      return refusedReply(wrongState('The run has ended and takes no more messages.'));
    case 'sent':
      return jsonReply(202, {
        delivered: sent.delivered,
        ...(sent.keptUntil === undefined ? {} : { keptUntil: sent.keptUntil }),
      });
  }
}
