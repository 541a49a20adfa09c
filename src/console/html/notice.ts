// The message after a change, or the reason why a form changed nothing. The query of the address carries it, because the browser is
// redirected after sending a form: reloading sends nothing again.
import { createHmac } from 'node:crypto';
import type { ManyAction } from '../../durable/engine/many-runs.js';
import type { ConsoleRequest } from '../http/console-request.js';
import { wholeNumberIn } from '../http/query.js';
import type { ConsolePage, GoTo } from '../pages/console-page.js';
import { type Html, html, nothing } from './html.js';

const NOTICES: Readonly<Record<string, (done: number, of: number) => string>> = {
  cancel: (done, of) => (of === 0 ? 'The run is cancelled.' : `${done} of ${runs(of)} cancelled.`),
  erase: (done, of) => (of === 0 ? 'The data of this run is erased.' : `The data of ${done} of ${runs(of)} is erased.`),
  // The process that has the run is suspended.
  'cancel-later': () => 'The run will be cancelled as soon as its process answers.',
  resume: (done, of) => (of === 0 ? 'The run tries again.' : `${done} of ${runs(of)} resumed.`),
  'stuck-again': () => 'The run tried again and is stuck again.',
  skip: () => 'The wait is over, and the run goes on.',
  retry: (done, of) =>
    of === 0 ? 'The run tries its call again now.' : `${done} of ${runs(of)} ${of === 1 ? 'tries' : 'try'} again now.`,
  rerun: (done, of) => `${done} of ${runs(of)} started again.`,
  assign: () => 'It is on record who has this question.',
  answer: () => 'Thank you. Your answer is recorded.',
  start: () => 'The run has started.',
  message: () => 'The message is delivered.',
  'message-kept': () => 'The message is kept until the run wants it.',
  view: () => 'The view is saved, for everyone.',
  'view-removed': () => 'The view is removed.',
  'none-cancel': (_, of) => noneCan('cancel', of),
  'none-resume': (_, of) => noneCan('resume', of),
  'none-retry': (_, of) => noneCan('retry', of),
  'none-rerun': (_, of) => noneCan('rerun', of),
  'none-erase': (_, of) => noneCan('erase', of),
  'none-rerun-before': (_, of) =>
    `${of === 0 ? 'All that the filter finds' : of === 1 ? 'The selected run' : `All ${of} selected runs`} ${of === 1 ? 'has' : 'have'} been rerun already. To rerun one once more, use its own page.`,
  two: () => 'Select two runs to compare them.',
  comment: () => 'Your comment is on record.',
  nothing: () => 'Select at least one run first.',
};

const runs = (count: number): string => `${count} run${count === 1 ? '' : 's'}`;

const FIT: Readonly<Record<ManyAction, readonly [done: string, which: string]>> = {
  cancel: ['cancelled', 'a run that is not over'],
  resume: ['resumed', 'a run that is stuck'],
  retry: ['retried', 'a run that waits to try a call again'],
  rerun: ['rerun', 'a run that is over'],
  erase: ['erased', 'a run that is over and was not erased before'],
};

/** Which runs an action fits. */
export const whichFit = (action: ManyAction): string =>
  `only ${FIT[action][1]} can be ${FIT[action][0]}. A run that another one has called changes with that one.`;

const noneCan = (action: ManyAction, of: number): string =>
  `${of === 0 ? 'No run that the filter finds' : of === 1 ? 'The selected run' : `None of the ${of} selected runs`} can${of === 1 ? 'not' : ''} be ${FIT[action][0]}: ${whichFit(action)}`;

/** The address of a page that says why nothing was changed. @param address may have a query and a fragment */
export function saying(address: string, why: string, formToken: string): string {
  const [, path = '', fragment = ''] = /^([^#]*)(.*)$/s.exec(address) ?? [];
  const query = new URLSearchParams({ why, mark: markOf(why, formToken) });
  return `${path}${path.includes('?') ? '&' : '?'}${query.toString()}${fragment}`;
}

/** Only the session that was refused can show the words: nobody else can make an address that says something. */
const markOf = (why: string, formToken: string): string => createHmac('sha256', formToken).update(why).digest('base64url');

/** Of the query, only numbers, the words of this file, and those that this session has marked are shown. */
export function notice({ query, formToken }: Pick<ConsoleRequest, 'query' | 'formToken'>): Html {
  const given = query.get('why') ?? '';
  const why = given !== '' && formToken !== '' && query.get('mark') === markOf(given, formToken) ? given : undefined;
  const number = (name: string): number => wholeNumberIn(query, name);
  const did = query.get('did') ?? '';
  const words = Object.hasOwn(NOTICES, did) ? NOTICES[did]?.(number('done'), number('of')) : undefined;
  if (words === undefined && why !== undefined) return html`<p class="notice refused" role="alert" tabindex="-1">${why}</p>`;
  if (words === undefined) return nothing;
  const isNone = did.startsWith('none-');
  const missed = isNone ? 0 : number('of') - number('done');
  return html`<p class="notice${isNone && ' refused'}" role="status" tabindex="-1">${words}${missed > 0 && ` ${missed} could not: ${why ?? 'their state does not allow it.'}`}</p>`;
}

/** @param address of the page to go to. A program, which has no session, gets the status instead */
export function refused(
  problem: string,
  address: string,
  { session, formToken }: Pick<ConsoleRequest, 'session' | 'formToken'>,
  status = 409,
): ConsolePage | GoTo {
  if (session !== undefined) return { goTo: saying(address, problem, formToken) };
  return {
    status,
    title: 'This is not possible',
    at: 'runs',
    content: html`<h1>This is not possible</h1><p class="said error">${problem}</p><p><a href="${address}">Back</a></p>`,
  };
}
