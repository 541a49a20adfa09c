// Says why a form changed nothing, unless its own page says so next to what was typed: on the page that it came from, so that nothing is lost
// and reloading sends nothing again.
import { html } from '../html/html.js';
import { refusedAt } from '../html/notice.js';
import type { ConsoleRequest } from '../http/console-request.js';
import type { ConsolePage, GoTo } from './console-page.js';

/** @param address of the page to go to. A program, which has no session, gets the status instead */
export function refused(
  problem: string,
  address: string,
  { session, formToken }: Pick<ConsoleRequest, 'session' | 'formToken'>,
  status = 409,
): ConsolePage | GoTo {
  if (session !== undefined) return { goTo: refusedAt(address, problem, formToken) };
  return {
    ...{ status, title: 'This is not possible', at: 'runs' },
    content: html`<h1>This is not possible</h1><p class="said error">${problem}</p><p><a href="${address}">Back</a></p>`,
  };
}
