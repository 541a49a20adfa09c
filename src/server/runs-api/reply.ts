// The result of a handler of the runs API. Converts the API's refusals to the same form.
import type { Reply } from '../answer.js';
import { type Refusal, refusalText } from '../refusal.js';

export type ApiReply = Reply;

export const refusedReply = (refusal: Refusal): ApiReply => ({
  status: refusal.status,
  text: refusalText(refusal),
  headers: refusal.headers ?? [],
});

export const jsonReply = (status: number, body: object, headers: readonly string[] = []): ApiReply => ({
  status,
  text: JSON.stringify(body),
  // The answer changes over time.
  headers: ['Cache-Control', 'no-store', ...headers],
});
