// The head of a run's page: its workflow and state, the actions available, its request and its result.
import { isFinished, type RunDetail } from '../../../durable/run-views.js';
import { fingerprint } from '../../code/code-lines.js';
import { formField } from '../../html/form-field.js';
import { type Html, type HtmlPart, html, nothing } from '../../html/html.js';
import { durationWords, moment } from '../../html/moment.js';
import { stateMark } from '../../html/state-mark.js';
import { valueTree } from '../../html/value-tree.js';
import type { ConsoleRequest } from '../../http/console-request.js';
import { endsEarly, whereItEnded } from './rerun-page.js';
import { waitingWords } from './waiting-words.js';

export function runHead(run: RunDetail, request: ConsoleRequest): Html {
  const crumb =
    run.parent === undefined
      ? html`<a href="/console?workflow=${encodeURIComponent(run.workflow)}">${run.title}</a>`
      : html`<a href="/console/runs/${run.parent}">The run that called it</a> / ${run.title}`;
  const content = html`<p class="crumbs"><a href="/console">Runs</a> / ${crumb}</p>
<div class="title"><h1>${run.title} <span class="hint">v${run.version}</span></h1><p class="lead">${stateMark(run.status)}</p>${actions(run, request)}</div>
${run.waitingFor !== undefined && html`<p class="said waiting">${waitingWords(run.waitingFor, request.now)}${run.waitingFor.line !== undefined && html` · <a href="#L${run.waitingFor.line}">Line ${run.waitingFor.line}</a>`}</p>`}
${showsMessage(run) && html`<p class="said ${run.status}"><bdi>${run.message}</bdi>${run.error?.line !== undefined && html` <a href="#L${run.error.line}">Line ${run.error.line}</a>`}</p>`}
<dl class="facts-list">${facts(run)}</dl>`;
  return html`<div id="head" data-v="${fingerprint(content.toString())}">${content}</div>`;
}

const showsMessage = ({ message, status }: RunDetail): boolean =>
  message !== undefined && message !== '' && status !== 'completed';

function facts(run: RunDetail): Html[] {
  const fact = (name: string, value: HtmlPart): Html => html`<div><dt>${name}</dt><dd>${value}</dd></div>`;
  return [
    fact('Run', html`<code class="id">${run.run}</code>`),
    fact('Started', moment(run.startedAt)),
    ...(run.finishedAt === undefined ? [] : [fact('Ended', moment(run.finishedAt))]),
    fact(run.finishedAt === undefined ? 'Running for' : 'Took', durationWords(run.durationMs)),
    fact('Effects', run.effects),
    ...(run.parent === undefined ? [] : [fact('Called by', runLink(run.parent))]),
    ...(run.rerunOf === undefined ? [] : [fact('Rerun of', runLink(run.rerunOf))]),
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
function actions(run: RunDetail, request: ConsoleRequest): Html {
  if (run.root !== undefined) return nothing;
  const address = `/console/runs/${run.run}`;
  const post = (what: string, words: string): Html =>
    html`<form method="post" action="${address}/${what}">${formField(request)}<button>${words}</button></form>`;
  const isOver = isFinished(run.status);
  return html`<div class="actions" role="group" aria-label="Actions">${!isOver && html`<form method="get" action="${address}/cancel"><button>Cancel…</button></form>`}${run.status === 'stuck' && post('resume', 'Resume')}${
    isOver &&
    html`<form action="${address}/rerun"><input type="hidden" name="from" value="start"><button>Rerun from the start…</button></form>`
  }${endsEarly(run) && html`<form action="${address}/rerun"><input type="hidden" name="from" value="failure"><button>Rerun from ${whereItEnded(run)}…</button></form>`}</div>`;
}

/** The request and the outcome. */
export function runValues(run: RunDetail): Html {
  const source = (what: string): string => `/console/runs/${run.run}/values/${what}`;
  return html`<div class="values">
<details id="request" class="card" open><summary><h2>Request</h2></summary>${valueTree(run.request, source('request'))}</details>
${run.outputs === undefined ? nothing : html`<details id="outcome" class="card" open><summary><h2>Outcome</h2></summary>${valueTree(run.outputs, source('outputs'))}</details>`}
</div>`;
}
