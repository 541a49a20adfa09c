// The message after a change. The query of the address carries the result, because the browser is redirected after sending a form.
import { type Html, html, nothing } from './html.js';

const NOTICES: Readonly<Record<string, (done: number, of: number) => string>> = {
  cancel: (done, of) => (of === 0 ? 'The run is cancelled.' : `${done} of ${runs(of)} cancelled.`),
  erase: (done, of) => (of === 0 ? 'The data of this run is erased.' : `The data of ${done} of ${runs(of)} is erased.`),
  // The process that has the run is suspended.
  'cancel-later': () => 'The run will be cancelled as soon as its process answers.',
  resume: (done, of) => (of === 0 ? 'The run tries again.' : `${done} of ${runs(of)} resumed.`),
  'stuck-again': () => 'The run tried again and is stuck again.',
  skip: () => 'The wait is over, and the run goes on.',
  retry: () => 'The run tries its call again now.',
  rerun: (done, of) => `${done} of ${runs(of)} started again.`,
  assign: () => 'It is on record who has this question.',
  answer: () => 'Your answer is recorded.',
  start: () => 'The run has started.',
  message: () => 'The message is delivered.',
  'message-kept': () => 'The message is kept until the run wants it.',
  view: () => 'The view is saved, for everyone.',
  'view-removed': () => 'The view is removed.',
  none: () => 'The filter finds no run that allows this.',
  two: () => 'Select two runs to compare them.',
  comment: () => 'Your comment is on record.',
  nothing: () => 'Select at least one run first.',
};

const runs = (count: number): string => `${count} run${count === 1 ? '' : 's'}`;

/** @param query of the address. Only numbers and the words of this file are shown */
export function notice(query: URLSearchParams): Html {
  const number = (name: string): number => Math.trunc(Number(query.get(name))) || 0;
  const did = query.get('did') ?? '';
  const words = Object.hasOwn(NOTICES, did) ? NOTICES[did]?.(number('done'), number('of')) : undefined;
  const missed = number('of') - number('done');
  return words === undefined
    ? nothing
    : html`<p class="notice" role="status">${words}${missed > 0 && ` ${missed} could not: their state does not allow it.`}</p>`;
}
