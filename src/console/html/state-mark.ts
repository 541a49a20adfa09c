// Shows the state of a run as a shape and a word, never by colour alone.
import type { DurableStatus } from '../../durable/model/run-views.js';
import { Html, html } from './html.js';

export const allStatuses: readonly DurableStatus[] = [
  'running',
  'waiting',
  'completed',
  'rejected',
  'error',
  'cancelled',
  'stuck',
];

export const isStatus = (text: string): text is DurableStatus => (allStatuses as readonly string[]).includes(text);

const WORDS: Readonly<Record<DurableStatus, string>> = {
  running: 'Running',
  waiting: 'Waiting',
  completed: 'Completed',
  rejected: 'Rejected',
  error: 'Failed',
  cancelled: 'Cancelled',
  stuck: 'Stuck',
};

export const stateWord = (status: DurableStatus): string => WORDS[status];

export const stateMark = (status: DurableStatus): Html =>
  html`<span class="state ${status}">${shape(status)}${WORDS[status]}</span>`;

/** Only the shape, next to text that names the state. */
export const shape = (name: DurableStatus): Html => html`<svg aria-hidden="true"><use href="#${name}"/></svg>`;

const SHAPES: Readonly<Record<DurableStatus, string>> = {
  running: '<path d="M8 1.8a6.2 6.2 0 1 1-6.2 6.2" fill="none" stroke="currentColor" stroke-width="2.2" stroke-linecap="round"/>',
  waiting:
    '<circle cx="8" cy="8" r="6.2" fill="none" stroke="currentColor" stroke-width="1.8"/><path d="M8 4.4V8l2.6 1.7" fill="none" stroke="currentColor" stroke-width="1.8" stroke-linecap="round"/>',
  completed: '<circle cx="8" cy="8" r="7"/><path class="cut" d="m4.8 8.3 2.2 2.2 4.2-4.6"/>',
  rejected: '<path d="M8 .9 15.1 8 8 15.1.9 8z"/><path class="cut" d="M5 8h6"/>',
  error: '<circle cx="8" cy="8" r="7"/><path class="cut" d="m5.4 5.4 5.2 5.2m0-5.2-5.2 5.2"/>',
  cancelled:
    '<rect x="2" y="2" width="12" height="12" rx="2.5" fill="none" stroke="currentColor" stroke-width="1.8"/><path d="M5 8h6" stroke="currentColor" stroke-width="1.8"/>',
  stuck: '<path d="M8 1.2 15.4 14.4H.6z"/><path class="cut" d="M8 6v4m0 1.6v1"/>',
};

/** Every shape, once per page. Marks refer to them. */
export const shapes: Html = Html.ofTrusted(
  `<svg hidden>${allStatuses.map((status) => `<symbol id="${status}" viewBox="0 0 16 16">${SHAPES[status]}</symbol>`).join('')}</svg>`,
);
