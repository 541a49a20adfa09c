// `POST /messages/<name>`: a message for a run that waits for it now, or will later.
import type { DurableEngine } from '../../durable/durable-engine.js';
import { isMessageName, messageNameForms } from '../../durable/model/message-name.js';
import { type ApiReply, jsonReply, refusedReply } from '../app/answer.js';
import type { HttpExchange } from '../app/exchange.js';
import type { ReadRecord } from '../app/read-record.js';
import { parametersOf, readIdempotencyKey } from './read-query.js';
import { badField, badQuery, keyWithOtherBody, malformedKey, unknownRun, wrongState } from './refusals.js';

/** @param name from the address, decoded */
export async function replyToMessage(
  store: DurableEngine,
  exchange: HttpExchange,
  name: string,
  body: Exclude<ReadRecord, 'gone'>,
): Promise<ApiReply> {
  if (!isMessageName(name)) return refusedReply(badField('The name of the message is not valid.', messageNameForms));
  const header = exchange.request.headers['webhook-id'] === undefined ? 'Idempotency-Key' : 'Webhook-Id';
  const given = readIdempotencyKey(exchange.request, header.toLowerCase());
  if (!given.ok) return refusedReply(malformedKey(header));
  const parameters = parametersOf(exchange.request.url);
  const other = [...parameters.keys()].find((key) => key !== 'run');
  if (other !== undefined) return refusedReply(badQuery(other, 'left out: this address takes run'));
  if (!body.ok) return refusedReply(body.refusal);
  const run = parameters.get('run') ?? undefined;
  const sent = await store.send({
    name,
    body: body.record,
    ...(run === undefined ? {} : { run }),
    ...(given.key === undefined ? {} : { key: given.key }),
  });
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
