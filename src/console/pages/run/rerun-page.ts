// `/console/runs/<id>/rerun`: reruns from the start or from the failure, with the recorded text or the current one. Shows their difference, and
// asks what to do with calls in doubt. Works without the script: each question is a form of its own, and takes the decisions before it along.
import { structuredPatch } from 'diff';
import { parseJson } from '../../../../runtime/values/json.js';
import type { CallInDoubt, RerunRequest } from '../../../durable/durable-engine.js';
import type { RunDetail } from '../../../durable/model/run-views.js';
import { formField, type Html, html } from '../../html/html.js';
import { moment } from '../../html/moment.js';
import { refused } from '../../html/notice.js';
import type { ConsoleRequest } from '../../http/console-request.js';
import type { ConsolePage, GoTo, PageContext } from '../console-page.js';
import { runAddress } from './rounds-address.js';
import { choiceOf, choices } from './run-actions.js';

export async function rerunPage(request: ConsoleRequest, { store, workflows }: PageContext): Promise<ConsolePage | undefined> {
  const run = await store.get(request.segments[2] ?? '');
  if (run === undefined) return undefined;
  const recorded = await store.text(run.textHash);
  const current = workflows().find(({ name }) => name === run.workflow)?.prepared;
  const from = request.query.get('from') === 'failure' && endsEarly(run) ? 'failure' : 'start';
  const address = runAddress(run.run);
  const [call] = from === 'failure' ? await store.inDoubt(run.run) : [];
  const isChanged = current !== undefined && recorded !== undefined && current.source !== recorded.text;
  const again = run.reruns.length > 0 && onceMore;
  return {
    title: 'Rerun',
    at: 'runs',
    content: html`<p class="crumbs"><a href="/console">Runs</a> / <a href="${address}">${run.title}</a></p><h1>Rerun from ${from === 'failure' ? whereItEnded(run) : 'the start'}?</h1>
<p>${explanation(run, from)}</p>
${run.reruns.length > 0 && html`<p class="said warning">This run has been rerun already: ${run.reruns.slice(-3).map((id) => html`<a href="${runAddress(id)}"><code class="id">${id}</code></a> `)}</p>`}
${
  call === undefined
    ? html`<form method="post" action="${address}/rerun" class="sure">${formField(request)}<input type="hidden" name="from" value="${from}">${again}
${isChanged && texts}
<div class="actions"><button class="main">Rerun</button> <a class="quiet" href="${address}">Do nothing</a></div></form>`
    : inDoubtQuestion(call, run.run, request, { fields: [] }, html`${again}${isChanged && texts}`)
}
${textNews(recorded?.text, current?.source)}`,
  };
}

/** The page with this field says that the run has been rerun already. */
const onceMore = html`<input type="hidden" name="again" value="1">`;

const texts = choices('workflow', [
  ['recorded', 'With the text that the run used'],
  ['current', 'With the text that is served now'],
]);

function explanation({ about, status }: RunDetail, from: 'start' | 'failure'): Html {
  if (from === 'start')
    return html`A new run with the same request (<bdi>${about}</bdi>) does everything once more, calls included.`;
  return status === 'cancelled'
    ? html`A new run takes over the recorded results and continues where this run was cancelled.`
    : html`A new run takes over the recorded results before the failure and continues with the line that failed.`;
}

/** Whether a run ended before its workflow did, so that a rerun can do the rest. */
export const endsEarly = ({ status }: RunDetail): boolean => status === 'error' || status === 'cancelled';

/** From where a rerun does the rest. */
export const whereItEnded = ({ status }: RunDetail): string =>
  status === 'cancelled' ? 'where it was cancelled' : 'the failure';

export function textNews(recorded: string | undefined, current: string | undefined): Html {
  if (current === undefined) return html`<p class="hint">The workflow is no longer served; the run uses the recorded text.</p>`;
  if (recorded === undefined || recorded === current) return html`<p class="hint">The text has not changed since that run.</p>`;
  const options = { context: 3, maxEditLength: MOST_EDITS, stripTrailingCr: true };
  const patch = structuredPatch('', '', recorded, current, '', '', options);
  if (patch === undefined)
    return html`<p class="said warning">The text has changed in more than ${MOST_EDITS} lines since that run.</p>`;
  return html`<section aria-labelledby="diff-name"><h2 id="diff-name">Changes in the text since that run</h2>
<pre class="diff" tabindex="0">${patch.hunks.map(({ lines, oldStart }) => [
    oldStart > 1 &&
      html`<span class="gap">…
</span>`,
    lines.map(
      (
        line,
      ) => html`<span class="${line.startsWith('-') ? 'old' : line.startsWith('+') ? 'new' : 'same'}">${line.slice(0, 1)} ${line.slice(1)}
</span>`,
    ),
  ])}</pre></section>`;
}

/** Lines that may differ. More are no comparison that helps. */
const MOST_EDITS = 600;

/** `POST /console/runs/<id>/rerun` */
export async function rerunRun(request: ConsoleRequest, { store }: PageContext): Promise<ConsolePage | GoTo | undefined> {
  const { segments, form } = request;
  const id = segments[2] ?? '';
  const decisions = decisionsIn(form);
  const choice = choiceOf(form);
  const isAgain = form.get('again') !== null;
  const rerun =
    decisions.problem === undefined
      ? await store.rerun(id, { ...choice, ...decisions.how, onlyFirst: !isAgain }, request.actor)
      : ({ kind: 'in doubt', calls: await store.inDoubt(id) } as const);
  if (rerun.kind === 'unknown') return undefined;
  if (rerun.kind === 'in doubt') {
    const line = Number(form.get('line'));
    const asked = decisions.problem === undefined ? undefined : rerun.calls.find((call) => call.line === line);
    const call = asked ?? rerun.calls[0];
    if (call === undefined) return refused('No call of this run is in doubt.', runAddress(id), request);
    const text = html`<input type="hidden" name="workflow" value="${choice.workflow}">${isAgain && onceMore}`;
    return {
      title: 'Rerun',
      at: 'runs',
      content: html`<h1>Rerun from the failure?</h1>${inDoubtQuestion(call, id, request, decisions, text)}`,
    };
  }
  return rerun.kind !== 'not possible' ? { goTo: runAddress(rerun.run) } : refused(rerun.problem, runAddress(id), request);
}

/** A decision in a hidden field: `14 again`, or `14 done {"id":7}`. */
const DECISION = /^([1-9]\d{0,6}) (again|done)(?: ([\s\S]+))?$/;

interface FormDecisions {
  readonly how: Pick<RerunRequest, 'again' | 'done'>;
  /** The hidden fields that take them along. */
  readonly fields: readonly string[];
  /** The reason why the last one cannot be taken. */
  readonly problem?: string;
  /** A result that is no JSON. */
  readonly typed?: string;
}

/** The decisions in a form: those made before, and the one of its button. */
function decisionsIn(form: URLSearchParams): FormDecisions {
  const button = form.get('decide');
  const result = form.get('result')?.trim() ?? '';
  const last = button === null ? [] : [`${form.get('line') ?? ''} ${button}${button === 'done' ? ` ${result}` : ''}`];
  const fields: string[] = [];
  const again: number[] = [];
  const done: NonNullable<RerunRequest['done']>[number][] = [];
  for (const field of [...form.getAll('decided'), ...last]) {
    const [, line = '', decision, text = ''] = DECISION.exec(field.trim()) ?? [];
    const parsed = decision === 'done' ? parseJson(text) : undefined;
    if (decision === undefined || parsed?.ok === false)
      return {
        how: {},
        fields,
        problem: 'The result is not JSON. An object looks like {"id": 7}, a text like "paid".',
        typed: form.get('result') ?? '',
      };
    fields.push(field);
    if (parsed === undefined) again.push(Number(line));
    else done.push({ line: Number(line), result: parsed.value });
  }
  return { how: { ...(again.length === 0 ? {} : { again }), ...(done.length === 0 ? {} : { done }) }, fields };
}

function inDoubtQuestion(
  { line, workflow, calledLine, phrase, service, sentAt, reason }: CallInDoubt,
  run: string,
  request: Pick<ConsoleRequest, 'formToken'>,
  { fields, problem, typed = '' }: Omit<FormDecisions, 'how'>,
  more: Html,
): Html {
  const inside = workflow !== undefined && html` (<bdi>${workflow}</bdi>, line ${calledLine})`;
  return html`<section aria-labelledby="doubt-name"><h2 id="doubt-name">Was the call in line ${line}${inside} received?</h2>
<p class="said warning"><bdi>${phrase ?? 'It'}</bdi>${service !== undefined && html` using <bdi>${service}</bdi>`} was sent ${moment(sentAt)}, and <bdi>${reason}</bdi>. Ask the service, then decide. Who decides what is recorded.</p>
${problem !== undefined && html`<p class="said error" role="alert">${problem}</p>`}
<form method="post" action="${runAddress(run)}/rerun" class="sure">${formField(request)}<input type="hidden" name="from" value="failure"><input type="hidden" name="line" value="${line}">${fields.map((field) => html`<input type="hidden" name="decided" value="${field}">`)}${more}
<div class="actions"><button class="main" name="decide" value="again">It was not: send it again</button></div>
<label for="result">If it was, its result as JSON</label><textarea id="result" name="result" rows="4" placeholder='{"id": 7}'>
${typed}</textarea>
<div class="actions"><button name="decide" value="done">It was: take this as its result</button> <a class="quiet" href="${runAddress(run)}">Do nothing</a></div></form></section>`;
}
