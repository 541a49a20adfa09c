// Says what a run waits for.
import type { WaitingFor } from '../../../durable/run-views.js';
import { type Html, html } from '../../html/html.js';
import { timeLeft } from '../../html/moment.js';

/** `Waits for the message payment; gives up in 2 days`, without a full stop. */
export function waitingWords({ kind, until, name, service }: WaitingFor, now: number): Html {
  const left = until === undefined ? undefined : timeLeft(until, now);
  if (kind === 'message') return html`Waits for the message ${name}${left !== undefined && html`; gives up ${left}`}`;
  if (kind === 'person')
    return html`Waits for ${service ?? 'a person'} to answer${left !== undefined && html`; gives up ${left}`}`;
  if (kind === 'retry') return html`Calls ${service ?? 'the service'} again${left !== undefined && html` ${left}`}`;
  return html`Waits${left !== undefined && html`; continues ${left}`}`;
}
