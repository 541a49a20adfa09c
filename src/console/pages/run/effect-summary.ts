// Summarizes one effect of a run, and says what a run waits for.
import type { JournalEntry, RunSummary, WaitingFor } from '../../../durable/model/run-views.js';
import { type CallUnderWay, type Effect, isShown } from '../../../durable/views/run-history.js';
import { type Html, type HtmlPart, html, nothing, shortened } from '../../html/html.js';
import { durationWords, moment, timeLeft, timeSince } from '../../html/moment.js';
import { shape } from '../../html/state-mark.js';

export const effectAddress = (run: string, position: number): string => `/console/runs/${run}/effects/${position}`;

/** Folded. The script loads the content when it is opened; without a script, it is a link. A called workflow has a page of its own. */
export function effectSummary(run: Pick<RunSummary, 'run' | 'startedAt'>, effect: Effect, now: number): Html {
  const state = stateOf(effect);
  const beside = html`${effect.startedAt < Date.parse(run.startedAt) && html`<span class="hint">kept from the run before</span>`}${facts(effect, now)}`;
  if (effect.run !== undefined)
    return html`<p class="effect call ${state}" id="e${effect.position}">${mark(state)}<a class="what" href="/console/runs/${effect.run}"><bdi>${named(effect)}</bdi></a>${beside}</p>`;
  const address = effectAddress(run.run, effect.position);
  return html`<details class="effect ${state}" id="e${effect.position}" data-part="${address}"><summary>${mark(state)}${describe(effect)}${beside}</summary>
<p><a href="${address}">Show what was sent and received</a></p></details>`;
}

/** A call of a running run that has no record yet. */
export const callUnderWay = ({ title, since }: CallUnderWay, now: number): Html =>
  html`<p class="effect call open">${mark('open')}<span class="what"><bdi>${title}</bdi></span><span class="facts">${timeSince(since, now)}</span></p>`;

type EffectState = 'ok' | 'failed' | 'open' | 'due' | 'cut';

function stateOf({ kind, ok, finishedAt, due, isCutOff }: Effect): EffectState {
  if (isCutOff) return 'cut';
  if (finishedAt === undefined) return due === undefined && (kind === 'call' || kind === 'workflow') ? 'open' : 'due';
  return ok === false ? 'failed' : 'ok';
}

const SHAPES = { ok: 'completed', failed: 'error', open: 'running', due: 'waiting', cut: 'cancelled' } as const;
const WORDS = { ok: 'Done', failed: 'Failed', open: 'In progress', due: 'Waiting', cut: 'Broken off' } as const;

const mark = (state: EffectState): Html => html`${shape(SHAPES[state])}<span class="hush">${WORDS[state]}: </span>`;

/** The request of the effect: `GET https://…`, a wait, a question. */
export function describe(effect: Effect): Html {
  const { kind, method, url, phrase, service } = effect;
  if (kind === 'wait') return html`<span class="what">Wait</span>`;
  if (kind === 'message') return html`<span class="what">Message ${phrase ?? service}</span>`;
  if (kind === 'person') return html`<span class="what">Question to ${service}</span>`;
  if (kind === 'call' && url !== undefined)
    return html`<span class="what"><span class="method">${method}</span> <bdi>${url}</bdi></span>`;
  return html`<span class="what"><bdi>${named(effect)}</bdi></span>`;
}

const named = ({ service, phrase, message }: Effect): string | undefined =>
  [service, phrase].filter((part) => part !== undefined).join(': ') || message;

/** Fields of an effect that the page of a run shows beside its line, in the words for it, or by its mark. */
type Elsewhere =
  | 'position'
  | 'line'
  | 'branch'
  | 'rounds'
  | 'workflow'
  | 'calledLine'
  | 'run'
  | 'service'
  | 'phrase'
  | 'method'
  | 'url'
  | 'message'
  | 'failedAttempts'
  | 'isCutOff'
  | 'counted';

function facts(effect: Omit<Effect, Elsewhere>, now: number): Html {
  const { kind, ok, status, attempts, startedAt, finishedAt, due, error, ...unshown } = effect;
  unshown satisfies Record<string, never>; // `tsc` asks for the place of a new field
  const parts: HtmlPart[] = [];
  if (status !== undefined) parts.push(html`<b>${status}</b>`);
  parts.push(finishedAt === undefined ? timeSince(startedAt, now) : durationWords(finishedAt - startedAt));
  if (attempts > 1) parts.push(`${attempts} attempts`);
  if (finishedAt === undefined && due !== undefined)
    parts.push(kind === 'call' ? html`next attempt ${timeLeft(due, now)}` : html`until ${moment(due)}`);
  parts.push(moment(new Date(startedAt).toISOString()));
  const cause = error !== undefined && error !== '' && ok !== true ? html`<bdi class="cause">${error}</bdi>` : undefined;
  return html`<span class="facts">${parts.map((part, index) => [index > 0 && ' · ', part])}</span>${cause}`;
}

/** The headers of a failing answer that say what to do next. */
export function adviceList(headers: JournalEntry['headers']): Html {
  const list = Object.entries(headers ?? {});
  if (list.length === 0) return nothing;
  return html`<p class="label">Headers</p><ul class="tree">${list.map(([name, value]) => html`<li><bdi class="k">${name}</bdi> <bdi class="s">${value}</bdi></li>`)}</ul>`;
}

/** The effects shown next to a line: the first ones, failed ones, and the latest. */
export function shownEffects(effects: readonly Effect[]): Effect[] {
  const outside = effects.filter(isShown);
  if (outside.length <= MOST_SHOWN) return outside;
  const failed = outside.filter(({ ok }) => ok === false).slice(-1);
  const open = outside.filter(({ finishedAt }) => finishedAt === undefined).slice(0, 1);
  const wanted = new Set([...outside.slice(0, 1), ...failed, ...open, ...outside.slice(-1)]);
  return outside.filter((effect) => wanted.has(effect));
}

const MOST_SHOWN = 3;

/** `Waits for the message payment; gives up in 2 days`, without a full stop. */
export function waitingWords({ kind, until, name, service }: WaitingFor, now: number): Html {
  const left = until === undefined ? undefined : timeLeft(until, now);
  if (kind === 'message') return html`Waits for the message ${name}${left !== undefined && html`; gives up ${left}`}`;
  if (kind === 'person')
    return html`Waits for ${service ?? 'a person'} to answer${left !== undefined && html`; gives up ${left}`}`;
  if (kind === 'retry') return html`Calls ${service ?? 'the service'} again${left !== undefined && html` ${left}`}`;
  return html`Waits${left !== undefined && html`; continues ${left}`}`;
}

/** Characters of an answer beside an outcome. */
const MOST_OF_AN_ANSWER = 300;

/** The answer of the service whose call ended the run, unless the outcome says it: a sentence that follows the outcome. */
export function answerBeside(outcome: string | undefined, said: string | undefined): Html {
  if (said === undefined || outcome?.includes(said) === true) return nothing;
  const stop = /[\w)"]$/.test(outcome ?? '') && '.';
  return html`${stop} The service answered: <bdi>${shortened(said, MOST_OF_AN_ANSWER)}</bdi>`;
}
