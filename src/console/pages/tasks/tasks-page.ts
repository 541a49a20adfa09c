// `/console/tasks`: questions for people, the most urgent first, and below them those already answered.
import type { TaskPage } from '../../../durable/durable-engine.js';
import type { TaskView } from '../../../durable/model/run-views.js';
import { isAddressedTo } from '../../../durable/model/tasks.js';
import { fingerprint } from '../../code/code-lines.js';
import type { ServedWorkflow } from '../../console-options.js';
import { copyable, fittingRows, formField, type Html, html, nothing } from '../../html/html.js';
import { timeLeft } from '../../html/moment.js';
import { notice } from '../../html/notice.js';
import type { ConsoleRequest } from '../../http/console-request.js';
import type { ConsolePage, PageContext } from '../console-page.js';
import { runAddress } from '../run/rounds-address.js';
import { answeredWords, filterOf, taskForm } from './answer-task.js';

const MOST_SHOWN = 50;
/** Characters of a question that is cut to three lines until someone opens it. */
const LONG = 150;

const isOpen = ({ status }: TaskView): boolean => status === 'open';

export async function tasksPage(request: ConsoleRequest, { store, workflows }: PageContext): Promise<ConsolePage> {
  const cursor = request.query.get('cursor');
  const person = request.query.get('for')?.trim() ?? '';
  const workflow = request.query.get('workflow')?.trim() ?? '';
  const run = request.query.get('run')?.trim() ?? '';
  const query = {
    closed: true,
    limit: MOST_SHOWN,
    ...(cursor === null ? {} : { cursor }),
    ...(person === '' ? {} : { for: person }),
    ...(workflow === '' ? {} : { workflow }),
    ...(run === '' ? {} : { run }),
  };
  const parts = async ({ tasks }: Pick<TaskPage, 'tasks'>): Promise<{ open: Html[]; closed: Html[] }> => ({
    open: openTasks(tasks.filter(isOpen), workflows(), request),
    closed: await Promise.all(tasks.filter((task) => !isOpen(task)).map((task) => closedTask(task, store))),
  });
  const found = await store.tasks(query);
  const all = await parts(found);
  const fitting = fittingRows([...all.open, ...all.closed], 1);
  const isWhole = fitting >= found.tasks.length;
  const page = isWhole ? found : await store.tasks({ ...query, limit: fitting });
  const { open, closed } = isWhole ? all : await parts(page);
  const { next } = page;
  return {
    title: open.length === 0 ? 'Tasks' : `Tasks (${open.length}${closed.length === 0 && next !== undefined ? '+' : ''})`,
    at: 'tasks',
    live: 'tasks',
    content: html`<h1>Tasks</h1>${notice(request)}${run === '' ? filter(person, workflow, workflows(), request.actor.name) : ofOneRun(run)}
<div id="tasks">${open.length === 0 && cursor === null ? noTasks(closed.length > 0 || filterOf(request) !== '') : open}</div>
<div id="answered">${closed.length > 0 && html`<h2>Answered, or over</h2><ul class="closed">${closed}</ul>`}</div>
${next === undefined ? nothing : html`<nav class="pages" aria-label="Pages"><a href="/console/tasks${filterOf(request, { cursor: next })}">More</a></nav>`}`,
  };
}

const ofOneRun = (run: string): Html =>
  html`<p class="hint">Only the questions of <a href="${runAddress(encodeURIComponent(run))}">one run</a>. <a href="/console/tasks">Show all</a></p>`;

const filter = (person: string, workflow: string, served: readonly ServedWorkflow[], user: string | undefined): Html =>
  html`<form class="filter" action="/console/tasks" role="search"><label>Workflow <select name="workflow"><option value="">All</option>${workflowChoices(workflow, served)}</select></label> <label>For <input type="search" name="for" value="${person}" maxlength="1000"></label> <button>Filter</button>${(person !== '' || workflow !== '') && html` <a class="quiet" href="/console/tasks">Clear</a>`}${user !== undefined && person !== user && html` <a class="quiet" href="/console/tasks?for=${encodeURIComponent(user)}">For me</a>`}</form>`;

function workflowChoices(current: string, served: readonly ServedWorkflow[]): Html {
  const titles = new Map(served.map(({ name, prepared }) => [name, prepared.workflow.name]));
  if (current !== '' && !titles.has(current)) titles.set(current, current);
  return html`${[...titles].map(([name, title]) => html`<option value="${name}"${name === current && html` selected`}>${title}</option>`)}`;
}

/** The first one that nobody else has taken is open. */
function openTasks(tasks: readonly TaskView[], served: readonly ServedWorkflow[], request: ConsoleRequest): Html[] {
  const isFree = ({ assignee }: TaskView): boolean => assignee === undefined || isAddressedTo(assignee, request.actor.name ?? '');
  const first = tasks.find(isFree) ?? tasks[0];
  const titles = new Map(served.map(({ name, prepared }) => [name, prepared.workflow.name]));
  return tasks.map((task) => openTask(task, titles.get(task.workflow) ?? task.workflow, task === first, request));
}

/** Takes, assigns or gives back a question. Without a name from a token or a proxy, people say who they are. */
function assignForm({ task, assignee }: TaskView, request: ConsoleRequest): Html {
  const { formToken, actor } = request;
  const form = (content: Html): Html =>
    html`<form method="post" action="/console/tasks/${encodeURIComponent(task)}/assign${filterOf(request)}" class="assign">${formField({ formToken })}${content}</form>`;
  const me = actor.name;
  const isMine = me !== undefined && isAddressedTo(assignee, me);
  return html`<div class="assigned">${assignee !== undefined && html`<span class="hint">${isMine ? 'You have this question.' : html`<bdi>${assignee}</bdi> has this question.`}</span>`}
${assignee !== undefined && form(html`<input type="hidden" name="to" value=""><button>Give it back</button>`)}
${me !== undefined && assignee === undefined && form(html`<input type="hidden" name="to" value="${me}"><button name="take" value="1">Take it</button>`)}
${form(html`<label><span class="hush">Name or mail address</span><input name="to" maxlength="200" required placeholder="Name or mail address" autocomplete="name"></label> <button>Assign</button>`)}</div>`;
}

function openTask(task: TaskView, title: string, isFirst: boolean, request: ConsoleRequest): Html {
  const form = taskForm({
    task,
    title,
    address: `/console/tasks/${encodeURIComponent(task.task)}${filterOf(request)}`,
    hidden: formField(request),
    pairsAddress: `/console/tasks/${encodeURIComponent(task.task)}/pairs`,
    user: request.user,
    now: request.now,
  });
  return html`<details class="card task" id="t${task.task}" data-v="${fingerprint(`${task.status}${task.due ?? ''} ${task.assignee ?? ''}`)}"${isFirst && html` open`}><summary><h2${task.question.length > LONG && html` class="long"`}><bdi>${task.question}</bdi></h2>${task.assignee !== undefined && html`<span class="hint">taken by <bdi>${task.assignee}</bdi>${task.due !== undefined && ' · '}</span>`}${task.due !== undefined && html`<span class="hint">due ${timeLeft(task.due, request.now)}</span>`}</summary>
${form}${assignForm(task, request)}<p><a href="/console/runs/${task.run}">The run that asks</a></p></details>`;
}

const closedTask = async (task: TaskView, store: PageContext['store']): Promise<Html> =>
  html`<li id="t${task.task}" data-v="c"><a href="/console/runs/${task.run}"><bdi>${task.question}</bdi></a><p>${await answeredWords(task, store, true)}</p></li>`;

const noTasks = (wereSome: boolean): Html =>
  wereSome
    ? html`<div class="empty"><p>No open questions.</p></div>`
    : html`<div class="empty"><p>No questions yet. A workflow asks people with these lines:</p>
${copyable('services:\n    Finance is a person\n\nworkflow:\n    ask Finance to approve a refund of {request.amount}\n        choose from "approve", "decline"\n        save the result as decision')}</div>`;
