// Shows parts of a run on pages of their own: one effect, everything that one line did, and parts of large values.
import { isFinished, type JournalEntry, type RunDetail } from '../../../durable/model/run-views.js';
import {
  continues,
  type Effect,
  effectOf,
  isOutside,
  isShown,
  mergeEntry,
  type OnItsPage,
} from '../../../durable/views/run-history.js';
import type { ConsoleReply } from '../../console-options.js';
import { type Html, type HtmlPart, html, nothing } from '../../html/html.js';
import { durationWords, moment, timeLeft } from '../../html/moment.js';
import { rawLinks, valuePart, valueTree } from '../../html/value-tree.js';
import { rawReply } from '../../http/console-reply.js';
import type { ConsoleRequest } from '../../http/console-request.js';
import { wholeNumberIn } from '../../http/query.js';
import type { ConsolePage, PageContext, PagePart } from '../console-page.js';
import { adviceList, describe, effectAddress, effectSummary } from './effect-summary.js';
import { readRounds, roundsQuery, runAddress } from './rounds-address.js';

/** Maximum attempts of a call read at a time. */
const MOST_ENTRIES = 200;

export async function effectPage(request: ConsoleRequest, { store }: PageContext): Promise<ConsolePage | PagePart | undefined> {
  const [, , id = '', , position = ''] = request.segments;
  const journal = /^\d{1,9}$/.test(position)
    ? await store.journal(id, { from: Number(position), limit: MOST_ENTRIES })
    : undefined;
  const [first, ...others] = journal?.entries ?? [];
  if (first === undefined || first.position !== Number(position)) return undefined;
  const { effect, entries } = oneEffect(first, others);
  const run = await store.get(id);
  if (run === undefined) return undefined;
  const content = effectDetails(run, entries, request.now);
  if (request.isPart) return { part: content };
  return {
    title: `Effect ${position} of ${run.title}`,
    at: 'runs',
    content: html`<p class="crumbs"><a href="/console">Runs</a> / <a href="${runAddress(id)}${first.line !== undefined && `#L${first.line}`}">${run.title}</a></p>
<h1>${describe(effect)}</h1>${first.line !== undefined && html`<p class="lead hint">Line ${first.line}</p>`}
${content}`,
  };
}

/** The entries of the effect that this one begins: a loop may come to its line again. */
function oneEffect(first: JournalEntry, others: readonly JournalEntry[]): { effect: Effect; entries: readonly JournalEntry[] } {
  const effect = effectOf(first);
  const entries = [first];
  for (const entry of others) {
    if (continues(effect, entry)) {
      mergeEntry(effect, entry);
      entries.push(entry);
    } else if (entry.branch === first.branch && isOutside(entry)) break;
  }
  return { effect, entries };
}

interface ShownEffect {
  readonly run: RunDetail;
  readonly entries: readonly JournalEntry[];
  /** The entry of its last attempt. */
  readonly last: JournalEntry | undefined;
  readonly now: number;
}

/** What only the page of an effect shows, from top to bottom. `tsc` asks for the place of a new field. */
const ownFields: { readonly [F in OnItsPage]: (effect: ShownEffect) => HtmlPart } = {
  attempt: attemptList,
  sent: ({ run, entries }) => {
    const first = entries.find(({ sent }) => sent !== undefined);
    return first !== undefined && labelled('Sent', first.sent, valueAddress(run, 'sent', first));
  },
  answer: ({ run, last }) =>
    last?.answer !== undefined &&
    labelled(last.ok === false ? 'Answer of the failed attempt' : 'Answer', last.answer, valueAddress(run, 'answer', last)),
  headers: ({ last }) => adviceList(last?.headers),
  // A number that leads to the place of the call: its line says more.
  site: () => nothing,
};

function effectDetails(run: RunDetail, entries: readonly JournalEntry[], now: number): Html {
  const [first] = entries;
  const last = entries.findLast(({ kind }) => kind !== 'retry') ?? first;
  const address = first?.url;
  const isEmpty = last?.answer === undefined && entries.every(({ sent }) => sent === undefined);
  return html`<div class="opened">${address !== undefined && html`<p><span class="method">${first?.method}</span> <bdi class="url" data-copy>${address}</bdi></p>`}
${Object.values(ownFields).map((part) => part({ run, entries, last, now }))}
${isEmpty && html`<p class="hint">Nothing was sent or received.</p>`}</div>`;
}

const valueAddress = ({ run }: RunDetail, what: 'sent' | 'answer', { position }: JournalEntry): string =>
  `${effectAddress(run, position)}/${what}`;

const labelled = (label: string, value: unknown, address: string): Html =>
  html`<p class="label">${label} ${rawLinks(address)}</p>${valueTree(value, address)}`;

/** Each attempt, with its own answer; that of the last one is below. Nothing of a call that succeeded at once. */
function attemptList({ run, entries, last, now }: ShownEffect): HtmlPart {
  const words = waitWords(entries[0]?.kind);
  if (words !== undefined) return waitList(words, entries, isFinished(run.status));
  const attempts = entries.filter(({ kind }) => kind !== 'retry').length;
  const answerOf = (entry: JournalEntry): HtmlPart =>
    (entry.answer !== undefined || entry.headers !== undefined) &&
    html`<li class="answer">${entry.answer !== undefined && valueTree(entry.answer, valueAddress(run, 'answer', entry))}${adviceList(entry.headers)}</li>`;
  return (
    (attempts > 1 || last?.ok === false || last?.finishedAt === undefined) &&
    html`<ol class="attempts">${entries.map((entry, index) => [attempt(entry, entries[index + 1], now, isFinished(run.status)), entry !== last && answerOf(entry)])}</ol>`
  );
}

interface WaitWords {
  readonly begun: string;
  readonly met: string;
  readonly unmet: string;
}

/** What becomes of a wait, which makes no attempts. */
function waitWords(kind: JournalEntry['kind'] | undefined): WaitWords | undefined {
  if (kind === 'person') return { begun: 'Asked', met: 'Answered', unmet: 'Nobody answered' };
  if (kind === 'message') return { begun: 'Waits since', met: 'The message arrived', unmet: 'No message arrived' };
  return undefined;
}

function waitList({ begun, met, unmet }: WaitWords, entries: readonly JournalEntry[], isOver: boolean): Html {
  const end = entries.find(({ finishedAt }) => finishedAt !== undefined);
  const [first] = entries;
  const began = first !== undefined && first.finishedAt === undefined;
  return html`<ol class="attempts">${began && html`<li>${begun} · ${moment(first.startedAt)}</li>`}${end?.finishedAt !== undefined && html`<li>${end.answer === undefined ? unmet : met} · ${moment(end.finishedAt)}</li>`}${end === undefined && isOver && html`<li>The run ended first</li>`}</ol>`;
}

/** @param next the entry after it. The wait before an attempt has no end of its own. */
function attempt(entry: JournalEntry, next: JournalEntry | undefined, now: number, isOver: boolean): Html {
  const { kind, attempt: number, ok, status, error, startedAt, due } = entry;
  const finishedAt = kind === 'retry' ? next?.startedAt : entry.finishedAt;
  const duration = finishedAt === undefined ? undefined : Date.parse(finishedAt) - Date.parse(startedAt);
  if (kind === 'retry')
    return html`<li class="hint">${duration === undefined ? (isOver ? 'The run ended before the next attempt' : html`The next attempt is due ${due !== undefined && timeLeft(due, now)}`) : html`Waited ${durationWords(duration)}`}</li>`;
  const parts: HtmlPart[] = [
    ...(number === undefined || kind !== 'call' ? [] : [number === 0 ? 'Not sent' : `Attempt ${number}`]),
    ...(status === undefined ? [] : [html`<b>${status}</b>`]),
    duration === undefined ? (isOver ? 'ended with the run' : 'under way') : durationWords(duration),
    moment(startedAt),
  ];
  return html`<li class="${ok === false ? 'failed' : 'ok'}">${parts.map((part, index) => [index > 0 && ' · ', part])}${error !== undefined && html`<bdi class="cause">${error}</bdi>`}</li>`;
}

const PAGE_SIZE = 30;

export async function linePage(
  request: ConsoleRequest,
  { store, history, textOf }: PageContext,
): Promise<ConsolePage | undefined> {
  const [, , id = '', , text = ''] = request.segments;
  const line = Number(text);
  const [run, past, traced] = await Promise.all([store.get(id), history(id), store.retrace(id)]);
  if (run === undefined || past === undefined || !Number.isInteger(line) || line < 1) return undefined;
  if (traced !== undefined) past.place(traced);
  const rounds = readRounds(request.query);
  const onlyFailed = request.query.get('failed') !== null;
  const all = (past.byLine(rounds, request.now).get(line)?.effects ?? []).filter(isShown);
  const failures = all.filter(({ ok }) => ok === false);
  const effects = onlyFailed ? failures : all;
  const first = wholeNumberIn(request.query, 'from');
  const shown = effects.slice(first, first + PAGE_SIZE);
  const view = textOf((await store.text(run.textHash))?.text ?? '');
  const source = (view.lines[line - 1] ?? [])
    .map((piece) => piece.text)
    .join('')
    .trim();
  const page = (from: number, words: string) =>
    html`<a href="/console/runs/${id}/lines/${line}${roundsQuery(rounds, { from: String(from), ...(onlyFailed ? { failed: '1' } : {}) })}">${words}</a>`;
  return {
    title: `Line ${line} of ${run.title}`,
    at: 'runs',
    content: html`<p class="crumbs"><a href="/console">Runs</a> / <a href="${runAddress(id, rounds)}#L${line}">${run.title}</a></p>
<h1>Line ${line}</h1><p class="lead"><code>${source}</code></p>
<p>${all.length} in all${failures.length > 0 && html`, <a href="/console/runs/${id}/lines/${line}${onlyFailed ? '' : '?failed=1'}">${onlyFailed ? 'show all' : `${failures.length} failed`}</a>`}${!past.isWhole && ' so far; reload for more'}</p>
<div class="effects">${shown.map((effect) => effectSummary(run, effect, request.now))}</div>
<nav class="pages" aria-label="Pages">${first > 0 && page(Math.max(0, first - PAGE_SIZE), 'Earlier')} ${first + PAGE_SIZE < effects.length && page(first + PAGE_SIZE, 'Later')}</nav>`,
  };
}

export async function valuePage(
  request: ConsoleRequest,
  { store }: PageContext,
): Promise<ConsolePage | PagePart | ConsoleReply | undefined> {
  const [, , id = '', kind = ''] = request.segments;
  const isRaw = request.segments.at(-1)?.endsWith(RAW) === true;
  const value = kind === 'values' ? await valueOfRun(request, store) : await valueOfEffect(request, store);
  if (value === undefined) return undefined;
  if (isRaw) return rawReply(value);
  const tree = valuePart(value, request.query, `/${request.segments.map(encodeURIComponent).join('/')}`);
  if (tree === undefined) return undefined;
  const at = request.query.get('at') ?? '';
  if (request.isPart) return { part: tree };
  return {
    title: at === '' ? 'A value' : `Value ${at}`,
    at: 'runs',
    content: html`<p class="crumbs"><a href="/console">Runs</a> / <a href="${runAddress(id)}">${id}</a></p><h1>${at === '' ? request.segments.at(-1) : at}</h1><div class="card">${tree}</div>`,
  };
}

/** At the end of the address of a value: as JSON, not as a page. */
const RAW = '.json';
const withoutRaw = (name = ''): string => (name.endsWith(RAW) ? name.slice(0, -RAW.length) : name);

async function valueOfRun({ segments }: ConsoleRequest, store: PageContext['store']): Promise<unknown> {
  const run = await store.get(segments[2] ?? '');
  const name = withoutRaw(segments[4]);
  return name === 'request' ? run?.request : name === 'outputs' ? run?.outputs : undefined;
}

async function valueOfEffect({ segments }: ConsoleRequest, store: PageContext['store']): Promise<unknown> {
  const from = Number(segments[4]);
  if (!Number.isInteger(from)) return undefined;
  const entry = (await store.journal(segments[2] ?? '', { from, limit: 1 }))?.entries[0];
  if (entry?.position !== from) return undefined;
  const name = withoutRaw(segments[5]);
  return name === 'sent' ? entry.sent : name === 'answer' ? entry.answer : undefined;
}
