// Shows a run: its head with state, actions, request and result; its effects to scale; its text with what happened on each line; and what
// people and programs have changed.
import type { CallInDoubt } from '../../../durable/durable-engine.js';
import type { ChangeAction, ChangeView } from '../../../durable/model/changes.js';
import { isFinished, type RunDetail, type WaitingFor } from '../../../durable/model/run-views.js';
import { type FailedCall, failedCall } from '../../../durable/views/failed-runs.js';
import { type Effect, isShown, type LineHistory, openWaits, type RunHistory } from '../../../durable/views/run-history.js';
import { fingerprint } from '../../code/code-lines.js';
import type { TextView } from '../../code/text-view.js';
import { formField, type Html, type HtmlPart, html, nothing } from '../../html/html.js';
import { durationWords, moment } from '../../html/moment.js';
import { notice } from '../../html/notice.js';
import { stateMark, stateWord } from '../../html/state-mark.js';
import { rawLinks, valueTree } from '../../html/value-tree.js';
import type { ConsoleRequest } from '../../http/console-request.js';
import { wholeNumberIn } from '../../http/query.js';
import type { ConsolePage, GoTo, PageContext, PagePart } from '../console-page.js';
import { drawingCard, runDrawing } from '../drawing-page.js';
import { answerBeside, describe, waitingWords } from './effect-summary.js';
import { endsEarly, whereItEnded } from './rerun-page.js';
import { readRounds, runAddress } from './rounds-address.js';
import { answerAddress, messageForms, skipLink } from './run-actions.js';
import { runCodeLines } from './run-code.js';

export async function runPage(
  request: ConsoleRequest,
  { store, history, traceOf, textOf, workflows }: PageContext,
): Promise<ConsolePage | PagePart | undefined> {
  const id = request.segments[2] ?? '';
  const run = await store.get(id);
  if (run === undefined) return undefined;
  const rounds = readRounds(request.query);
  const [version, past, trace] = await Promise.all([store.text(run.textHash), history(id), traceOf(run, rounds)]);
  if (past === undefined || trace === undefined) return undefined;
  const { traced, values } = trace;
  past.place(traced);
  if (run.finishedAt !== undefined) past.closeAt(Date.parse(run.finishedAt));
  const waits = isFinished(run.status) ? [] : openWaits(run, past.effects.filter(isShown));
  const failure = await failedCall(run, past.effects, store);
  const inDoubt = endsEarly(run) ? await store.inDoubt(id) : [];
  const from = wholeNumberIn(request.query, 'from');
  const lines = runCodeLines({
    run,
    view: textOf(version?.text ?? ''),
    history: past,
    rounds,
    traced,
    waits,
    failure,
    ...(values === undefined ? {} : { values }),
    ...(from > 0 ? { from } : {}),
    now: request.now,
  });
  if (request.isPart) return { part: html`${lines}` };
  const end = run.finishedAt === undefined ? request.now : Date.parse(run.finishedAt);
  return {
    title: `${stateWord(run.status)}: ${run.title}, ${run.about}`,
    at: 'runs',
    // A called workflow changes with the run that it belongs to.
    live: run.root ?? id,
    content: html`${notice(request)}${runHead({ run, request, waits, effects: past.effects, failure, inDoubt, lineText: textOfLine(textOf(version?.text ?? '')), isServed: workflows().some(({ name }) => name === run.workflow) })}
${runValues(run)}
<section id="text" aria-labelledby="text-name"><h2 id="text-name">${version?.file ?? 'The workflow'}</h2>
${!past.isWhole && notWhole(past.effects.length, run.effects)}
${traced.doubt !== undefined && html`<p class="said warning">${traced.doubt}</p>`}
${version === undefined ? html`<p class="empty">The text of this run is no longer in the store.</p>` : html`<div class="beside">${drawingCard(runDrawing(id, request.query))}<ol class="code run" id="code">${lines}</ol></div>`}</section>
${timeLine({ history: past, start: Date.parse(run.startedAt), end })}
${activity(run, request)}`,
  };
}

const notWhole = (read: number, all: number): Html =>
  html`<p id="partly" class="said warning" data-more-follows>The first ${read} of ${all} effects are shown so far. Reload the page for more.</p>`;

/** Horizontal units. Marks that would touch become one. */
const WIDTH = 1000;
const NARROWEST = 3;
const MOST_LANES = 14;

interface TimeLineOptions {
  readonly history: RunHistory;
  /** Milliseconds since 1970. */
  readonly start: number;
  readonly end: number;
}

function timeLine({ history, start, end }: TimeLineOptions): Html {
  const lines = [...history.byLine([], end)]
    .map(([line, { effects }]) => ({ line, effects: effects.filter(isShown) }))
    .filter(({ effects }) => effects.length > 0)
    .sort((one, other) => one.line - other.line);
  const span = end - start;
  if (lines.length === 0 || !(span > 0)) return nothing;
  const shown = lines.slice(0, MOST_LANES);
  const rest = lines.length - shown.length;
  return html`<section id="times" class="times" aria-labelledby="times-name" data-v="${history.next}.${span}"><h2 id="times-name">Time</h2>
<ol>${shown.map(({ line, effects }) => lane(line, effects, start, span))}</ol>
${rest > 0 && html`<p class="hint">and ${rest} more lines</p>`}<p class="scale hint"><span>0</span><span>${durationWords(span / 2)}</span><span>${durationWords(span)}</span></p></section>`;
}

function lane(line: number, effects: LineHistory['effects'], start: number, span: number): Html {
  const [first] = effects;
  const total = effects.reduce((sum, effect) => sum + (effect.finishedAt ?? start + span) - effect.startedAt, 0);
  const words = effects.length === 1 ? durationWords(total) : `${effects.length}×, ${durationWords(total)}`;
  const good = marks(
    effects.filter(({ ok, finishedAt }) => ok !== false && finishedAt !== undefined),
    start,
    span,
  );
  const bad = marks(
    effects.filter(({ ok }) => ok === false),
    start,
    span,
    5,
  );
  const open = marks(
    effects.filter(({ finishedAt }) => finishedAt === undefined),
    start,
    span,
  );
  return html`<li><a href="#L${line}">${line}</a> <span class="name">${first !== undefined && describe(first)}</span>
<svg viewBox="0 0 ${WIDTH} 10" preserveAspectRatio="none" aria-hidden="true"><path class="ok" d="${good}"/><path class="bad" d="${bad}"/><path class="open" d="${open}"/></svg> <span class="hint">${words}</span></li>`;
}

/** Rectangles as one path; touching ones are merged. Failures are half as high, so that successes at the same time remain visible. */
function marks(effects: readonly Effect[], start: number, span: number, top = 0): string {
  const scale = (at: number): number => Math.round(((at - start) / span) * WIDTH);
  const ranges = effects
    .map(({ startedAt, finishedAt }) => {
      const from = Math.min(Math.max(scale(startedAt), 0), WIDTH - NARROWEST);
      return { from, to: Math.min(Math.max(scale(finishedAt ?? start + span), from + NARROWEST), WIDTH) };
    })
    .sort((one, other) => one.from - other.from);
  const merged: { from: number; to: number }[] = [];
  for (const range of ranges) {
    const last = merged.at(-1);
    if (last !== undefined && range.from <= last.to) last.to = Math.max(last.to, range.to);
    else merged.push({ ...range });
  }
  return merged.map(({ from, to }) => `M${from} ${top}h${to - from}V10h-${to - from}z`).join('');
}

interface RunHead {
  readonly run: RunDetail;
  /** Its workflow is served, so that it can be started with another request. */
  readonly isServed: boolean;
  readonly request: ConsoleRequest;
  readonly waits: readonly WaitingFor[];
  readonly effects: readonly Effect[];
  readonly failure: FailedCall | undefined;
  readonly lineText: (line: number | undefined) => Html;
  readonly inDoubt: readonly CallInDoubt[];
}

function runHead({ run, request, waits, effects, failure, inDoubt, lineText, isServed }: RunHead): Html {
  const crumb =
    run.parent === undefined
      ? html`<a href="/console?workflow=${encodeURIComponent(run.workflow)}">${run.title}</a>`
      : html`<a href="/console/runs/${run.parent}">The run that called it</a> / ${run.title}`;
  const content = html`<p class="crumbs"><a href="/console">Runs</a> / ${crumb}</p>
<div class="title"><h1>${run.title} <a class="hint" href="/console/workflows/${encodeURIComponent(run.workflow)}/versions/${encodeURIComponent(run.textHash)}">v${run.version}</a></h1><p class="lead" id="state">${stateMark(run.status)}</p>${actions(run, request, isServed)}</div>
${waits.map((wait) => html`<p class="said waiting">${waitingWords(wait, request.now)}${failedBefore(effects, wait)}${wait.line !== undefined && html` · <a href="#L${wait.line}">Line ${wait.line}</a>${lineText(wait.line)}`}${wait.kind === 'person' && html` <a class="button end-wait" href="${answerAddress(run)}">Answer…</a>`}${skipLink(run, wait)}</p>`)}
${showsMessage(run) && html`<p class="said ${run.status}"><bdi>${run.message}</bdi>${answerBeside(run.message, failure?.said)}${run.error?.line !== undefined && html` <a href="#L${run.error.line}">Line ${run.error.line}</a>${lineText(run.error.line)}`}</p>`}
${cancelledBy(run)}
${inDoubt.map(({ line, reason }) => html`<p class="said warning">Nobody knows whether the call in <a href="#L${line}">line ${line}</a> was received: <bdi>${reason}</bdi>. A rerun from ${whereItEnded(run)} asks whether to send it again.</p>`)}
${messageForms(run, waits, request)}
<dl class="facts-list">${facts(run, effects)}</dl>`;
  return html`<div id="head" data-v="${fingerprint(content.toString())}">${content}</div>`;
}

/** The reason why a call is made again. */
function failedBefore(effects: readonly Effect[], { kind, line }: WaitingFor): Html {
  const isIt = (effect: Effect): boolean => effect.line === line && effect.due !== undefined && effect.finishedAt === undefined;
  const call = kind === 'retry' ? effects.findLast(isIt) : undefined;
  if (call === undefined) return nothing;
  const { failedAttempts, status, error = status } = call;
  const failed = failedAttempts > 1 ? `${failedAttempts} attempts failed, the last one` : 'the first attempt failed';
  return html`; ${failed}${error !== undefined && html`: <bdi>${error}</bdi>`}`;
}

const WAYS = { http: 'over HTTP', console: 'in the console', 'command line': 'on the command line' } as const;

/** Who cancelled it, and when, as its activity says. */
function cancelledBy({ status, activity: changes = [] }: RunDetail): Html {
  const change = status === 'cancelled' ? changes.findLast(({ action }) => action === 'cancel') : undefined;
  if (change === undefined) return nothing;
  const who = change.name ?? change.role;
  return html`<p class="hint">Cancelled ${who !== undefined && html`by <b><bdi>${who}</bdi></b> `}${WAYS[change.way]}, ${moment(change.time)}</p>`;
}

/** The text of a line: on a phone, the line itself is far below. */
const textOfLine =
  ({ lines }: TextView) =>
  (line: number | undefined): Html => {
    const text = (lines[(line ?? 0) - 1] ?? []).map((piece) => piece.text).join('');
    return text.trim() === '' ? nothing : html` <code>${text.trim()}</code>`;
  };

const showsMessage = ({ message, status }: RunDetail): boolean =>
  message !== undefined && message !== '' && status !== 'completed';

/** @param effects as far as they are read: on a long run's first page, not all */
function facts(run: RunDetail, effects: readonly Effect[]): Html[] {
  const shown = effects.filter(isShown);
  const open = shown.filter(({ finishedAt }) => finishedAt === undefined).length;
  const fact = (name: string, value: HtmlPart): Html => html`<div><dt>${name}</dt><dd>${value}</dd></div>`;
  return [
    fact('Run', html`<code class="id" data-copy>${run.run}</code>`),
    fact('Started', moment(run.startedAt)),
    ...(run.finishedAt === undefined ? [] : [fact('Ended', moment(run.finishedAt))]),
    fact(run.finishedAt === undefined ? 'Running for' : 'Took', durationWords(run.durationMs)),
    fact('Calls and waits', html`${Math.max(run.effects, shown.length)}${open > 0 && html`, ${open} of them open`}`),
    ...(run.parent === undefined ? [] : [fact('Called by', runLink(run.parent))]),
    ...(run.rerunOf === undefined ? [] : [fact('Rerun of', runLink(run.rerunOf))]),
    ...(run.decisions ?? []).map(({ line, decision, by = 'an operator', at }) =>
      fact(
        'Decided',
        html`${decision === 'again' ? 'to send again' : 'the result of'} the call in doubt of line ${line}, by <bdi>${by}</bdi>, ${moment(at)}`,
      ),
    ),
    ...(run.madeGoodBy === undefined ? [] : [fact('Made good by', runLink(run.madeGoodBy))]),
    ...(run.reruns.length === 0
      ? []
      : [
          fact(
            'Reruns',
            run.reruns.slice(0, 5).map((id) => html`${runLink(id)} `),
          ),
        ]),
  ];
}

const runLink = (id: string): Html => html`<a href="/console/runs/${id}"><code class="id">${id}</code></a>`;

/** Only what its state allows. Each action asks for confirmation. A called workflow goes the way of the run that called it. */
function actions(run: RunDetail, request: ConsoleRequest, isServed: boolean): Html {
  if (run.root !== undefined || run.erased !== undefined) return nothing;
  const address = `/console/runs/${run.run}`;
  const post = (what: string, words: string): Html =>
    html`<form method="post" action="${address}/${what}">${formField(request)}<button>${words}</button></form>`;
  const isOver = isFinished(run.status);
  return html`<div class="actions" role="group" aria-label="Actions">${!isOver && html`<form method="get" action="${address}/cancel"><button>Cancel…</button></form>`}${run.status === 'stuck' && post('resume', 'Resume')}${run.waitingFor?.kind === 'retry' && post('retry', 'Retry now')}${
    isOver &&
    html`<form action="${address}/rerun"><input type="hidden" name="from" value="start"><button>Rerun from the start…</button></form>`
  }${endsEarly(run) && html`<form action="${address}/rerun"><input type="hidden" name="from" value="failure"><button>Rerun from ${whereItEnded(run)}…</button></form>`}${isOver && isServed && html`<form action="/console/workflows/${encodeURIComponent(run.workflow)}/start"><input type="hidden" name="from" value="${run.run}"><button>Again with changes…</button></form>`}${isOver && html`<form method="get" action="${address}/erase"><button>Erase…</button></form>`}</div>`;
}

/** The request and the outcome. */
function runValues(run: RunDetail): Html {
  if (run.erased !== undefined) {
    const { at, by } = run.erased;
    return html`<p class="said">The data of this run was erased ${moment(at)}${by !== undefined && html` by ${by}`}.</p>`;
  }
  const source = (what: string): string => `/console/runs/${run.run}/values/${what}`;
  return html`<div class="values">
<details id="request" class="card" open><summary><h2>Request</h2></summary>${rawLinks(source('request'))}${valueTree(run.request, source('request'))}</details>
${run.outputs === undefined ? nothing : html`<details id="outcome" class="card" open><summary><h2>Outcome</h2></summary>${rawLinks(source('outputs'))}${valueTree(run.outputs, source('outputs'))}</details>`}
<details id="why" class="card ${run.status}" data-v="${run.status}" data-part="/console/runs/${run.run}/why"><summary><h2>Why?</h2></summary><p><a href="/console/runs/${run.run}/why">The decisions that led here</a></p></details>
</div>`;
}

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

/** `POST /console/runs/<id>/comment`. A form that is sent twice, which browsers do without the script, adds one comment. */
export async function commentRun(
  { segments, form, actor, now }: ConsoleRequest,
  { store }: PageContext,
): Promise<GoTo | undefined> {
  const id = segments[2] ?? '';
  const about = (form.get('comment') ?? '').trim().slice(0, LONGEST_COMMENT);
  if ((await store.get(id)) === undefined) return undefined;
  if (about === '') return { goTo: runAddress(id) };
  const since = Math.min(wholeNumberIn(form, 'since') || now, now);
  await store.changes.recordOnce({ action: 'comment', by: actor, run: id, about }, since);
  return { goTo: `${runAddress(id)}?did=comment#activity` };
}

function activity({ run, activity: changes = [] }: RunDetail, request: ConsoleRequest): Html {
  return html`<section id="activity" aria-labelledby="activity-name" data-v="${changes.length}"><h2 id="activity-name">Activity</h2>
${changes.length > 0 && changeTable(changes, run)}
<form method="post" action="${runAddress(run)}/comment" class="comment">${formField(request)}<input type="hidden" name="since" value="${request.now}"><label><span class="hush">Comment</span><input name="comment" maxlength="${LONGEST_COMMENT}" placeholder="A comment for others" required></label> <button>Comment</button></form></section>`;
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
