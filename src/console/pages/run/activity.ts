// What people and programs have changed of a run: a list on its page.
import type { ChangeAction, ChangeView } from '../../../durable/model/changes.js';
import type { RunDetail } from '../../../durable/model/run-views.js';
import { type Html, html, nothing } from '../../html/html.js';
import { moment } from '../../html/moment.js';
import { runAddress } from './rounds-address.js';

const WORDS: Readonly<Record<ChangeAction, string>> = {
  cancel: 'cancelled',
  resume: 'resumed',
  retry: 'retried',
  rerun: 'rerun',
  answer: 'answered',
  message: 'message',
  bulk: 'changed with others',
  erase: 'erased',
  'give-up': 'given up',
  rekey: 'encrypted again',
  prune: 'pruned',
  import: 'imported',
  token: 'token made',
};

export function activity({ run, activity: changes = [] }: RunDetail): Html {
  if (changes.length === 0) return nothing;
  return html`<section id="activity" aria-labelledby="activity-name"><h2 id="activity-name">Activity</h2>
<table><thead><tr><th>When</th><th>What</th><th>Who</th><th>Way in</th></tr></thead><tbody>${changes.map(
    (change) =>
      html`<tr><td class="when">${moment(change.time)}</td><td>${what(change, run)}</td><td>${who(change)}</td><td>${change.way}</td></tr>`,
  )}</tbody></table></section>`;
}

function what({ action, about }: ChangeView, run: string): Html {
  if (about === undefined) return html`${WORDS[action]}`;
  if (action !== 'rerun') return html`${WORDS[action]}: <bdi>${about}</bdi>`;
  if (about === run) return html`started as a rerun`;
  return html`rerun as <a href="${runAddress(about)}"><code class="id">${about}</code></a>`;
}

const who = ({ name, role }: ChangeView): Html =>
  name === undefined
    ? html`${role ?? 'unknown'}`
    : html`<bdi>${name}</bdi>${role !== undefined && html` <span class="hint">${role}</span>`}`;
