// Makes the value of `received` for a run that a request over HTTP starts.
import { isCredentialHeader, receivedBy } from '../../../runtime/run/received.js';
import type { Value, WfRecord } from '../../../runtime/types.js';
import type { Roles } from '../../access/roles.js';
import type { Prepared } from '../../engine/prepare/prepared.js';
import type { HttpExchange } from '../app/exchange.js';

/** `undefined` for a workflow that does not read it. */
export type ReceivedOf = (exchange: HttpExchange, prepared: Prepared) => WfRecord | undefined;

export const createReceived =
  ({ of }: Pick<Roles, 'of'>): ReceivedOf =>
  (exchange, { workflow }) =>
    workflow.received === true
      ? receivedBy('http', {
          headers: headersOf(exchange),
          query: queryOf(exchange),
          id: exchange.id,
          caller: of(exchange.request).name,
        })
      : undefined;

/** Without credentials. Names are in lower case, as HTTP/2 sends them. */
const headersOf = ({ request: { headers } }: HttpExchange): WfRecord =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]): [string, string][] =>
      value === undefined || isCredentialHeader(name) ? [] : [[name, [value].flat().join(', ')]],
    ),
  );

/** A parameter that occurs several times has a list. */
function queryOf({ target }: HttpExchange): WfRecord {
  const at = target.indexOf('?');
  const found = new Map<string, Value>();
  for (const [name, value] of new URLSearchParams(at === -1 ? '' : target.slice(at + 1))) {
    const known = found.get(name);
    found.set(name, known === undefined ? value : [...(Array.isArray(known) ? known : [known]), value]);
  }
  return Object.fromEntries(found);
}
