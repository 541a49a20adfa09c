// Lists on the page of a run what people and programs have changed.
import type { ChangeAction, ChangeView } from '../../../durable/model/changes.js';
import type { RunDetail } from '../../../durable/model/run-views.js';
import { formField, type Html, html } from '../../html/html.js';
import { moment } from '../../html/moment.js';
import type { ConsoleRequest } from '../../http/console-request.js';
import type { GoTo, PageContext } from '../console-page.js';
import { runAddress } from './rounds-address.js';

const WORDS: Readonly<Record<ChangeAction, string>> = {
  cancel: 'cancelled',
  resume: 'resumed',
  retry: 'retried',
  skip: 'wait skipped',
  rerun: 'rerun',
  answer: 'answered',
  assign: 'question assigned',
  message: 'message',
  comment: 'comment',
  bulk: 'changed with others',
  erase: 'erased',
  'give-up': 'given up',
  rekey: 'encrypted again',
  prune: 'pruned',
  import: 'imported',
  token: 'token made',
};

const LONGEST_COMMENT = 2_000;

/** `POST /console/runs/<id>/comment` */
export async function commentRun({ segments, form, actor }: ConsoleRequest, { store }: PageContext): Promise<GoTo | undefined> {
  const id = segments[2] ?? '';
  const about = (form.get('comment') ?? '').trim().slice(0, LONGEST_COMMENT);
  if ((await store.get(id)) === undefined) return undefined;
  if (about === '') return { goTo: runAddress(id) };
  await store.changes.during(
    { action: 'comment', by: actor, run: id, about },
    async () => undefined,
    () => true,
  );
  return { goTo: `${runAddress(id)}?did=comment#activity` };
}

export function activity({ run, activity: changes = [] }: RunDetail, request: ConsoleRequest): Html {
  return html`<section id="activity" aria-labelledby="activity-name" data-v="${changes.length}"><h2 id="activity-name">Activity</h2>
${changes.length > 0 && changeTable(changes, run)}
<form method="post" action="${runAddress(run)}/comment" class="comment">${formField(request)}<label><span class="hush">Comment</span><input name="comment" maxlength="${LONGEST_COMMENT}" placeholder="A comment for others" required></label> <button>Comment</button></form></section>`;
}

const changeTable = (changes: readonly ChangeView[], run: string): Html =>
  html`<table><thead><tr><th>When</th><th>What</th><th>Who</th><th>Way in</th></tr></thead><tbody>${changes.map(
    (change) =>
      html`<tr><td class="when">${moment(change.time)}</td><td>${what(change, run)}</td><td>${who(change)}</td><td>${change.way}</td></tr>`,
  )}</tbody></table>`;

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
