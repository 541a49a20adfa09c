// One question to a person: its text, its details, and the form that answers it. Used for operators and for the link of a task.
import type { DurableEngine } from '../../../durable/durable-engine.js';
import type { RunState, TaskView } from '../../../durable/model/run-views.js';
import { type Html, html, nothing } from '../../html/html.js';
import { moment, timeLeft } from '../../html/moment.js';
import { valueTree } from '../../html/value-tree.js';

export interface TaskFormOptions {
  readonly task: TaskView;
  /** Name of its workflow, for people. */
  readonly title: string;
  /** Address of the form. */
  readonly address: string;
  /** Hidden fields. */
  readonly hidden: Html;
  /** Address of the parts of large details. */
  readonly pairsAddress: string;
  /** A proxy identifies the user, so no one has to type a name. */
  readonly user: string | undefined;
  readonly now: number;
  /** A form that was refused: what was typed is still there. */
  readonly typed?: URLSearchParams;
}

export function taskForm({ task, title, address, hidden, pairsAddress, user, now, typed }: TaskFormOptions): Html {
  const { choices, pairs, due } = task;
  const given = (name: string): string => typed?.get(name) ?? '';
  return html`<p class="hint">For ${task.service}${task.addressee !== undefined && html` (<bdi>${task.addressee}</bdi>)`}, asked by <bdi>${title}</bdi> · ${moment(task.askedAt)}${due !== undefined && html` · due ${timeLeft(due, now)}, ${moment(due)}`}</p>
${hasPairs(pairs) ? valueTree(pairs, pairsAddress) : nothing}
<form method="post" action="${address}" class="answer">${hidden}
${
  choices === undefined &&
  html`<label>Answer <textarea name="answer" rows="3" required>
${given('answer')}</textarea></label>`
}
<label><span>Comment <span class="hint">optional</span></span> <textarea name="comment" rows="2">
${given('comment')}</textarea></label>
${user === undefined ? html`<label><span>Your name <span class="hint">optional</span></span> <input name="by" autocomplete="name" maxlength="200"${given('by') !== '' && html` value="${given('by')}"`}></label>` : html`<p class="hint">You answer as ${user}.</p>`}
<div class="choices">${choices === undefined ? html`<button class="main">Answer</button>` : choices.map((choice) => html`<button name="answer" value="${choice}">${choice}</button>`)}</div></form>`;
}

const hasPairs = (pairs: TaskView['pairs']): boolean =>
  typeof pairs === 'object' && pairs !== null && Object.keys(pairs).length > 0;

/** Who answered and when, in one line; with `isFull`, also the answer. Of a question that nobody answered, why it is over. */
export async function answeredWords(task: TaskView, store: Pick<DurableEngine, 'state'>, isFull: boolean): Promise<Html> {
  const { status, answer, by, answeredAt, comment } = task;
  if (status === 'over') return overWords(task, await store.state(task.run));
  return html`${isFull ? html`<b><bdi>${answer}</bdi></b>, answered` : 'Answered'}${by !== undefined && by !== '' && html` by <bdi>${by}</bdi>`}${answeredAt !== undefined && html` · ${moment(answeredAt)}`}${isFull && comment !== undefined && comment !== '' && html`<br><bdi class="hint">${comment}</bdi>`}`;
}

function overWords({ due }: TaskView, { finishedAt: ended }: Partial<RunState> = {}): Html {
  if (ended !== undefined && (due === undefined || ended < due))
    return html`Nobody answered before the run ended · ${moment(ended)}`;
  if (due !== undefined && Date.parse(due) <= Date.now()) return html`Nobody answered in time: it was due ${moment(due)}`;
  return html`Nobody answered: the run went on without an answer.`;
}
