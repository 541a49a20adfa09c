// The main part of a run's page: its workflow, with what happened beside each line.
import { isFinished, type Retraced, type RunDetail, type WaitingFor } from '../../../durable/model/run-views.js';
import type { FailedCall } from '../../../durable/views/failed-runs.js';
import type { CallUnderWay, LineHistory, Round, RunHistory } from '../../../durable/views/run-history.js';
import { isShown } from '../../../durable/views/run-history.js';
import { AT_A_TIME, type CodeLine, codeLines, type Fold, firstRanges, lineFacts, type Range } from '../../code/code-lines.js';
import type { TextView } from '../../code/text-view.js';
import type { ValuesBeside } from '../../history/read-cache.js';
import { type Html, type HtmlPart, html } from '../../html/html.js';
import { moment } from '../../html/moment.js';
import { valueTree } from '../../html/value-tree.js';
import { adviceList, callUnderWay, effectAddress, effectSummary, shownEffects, waitingWords } from './effect-summary.js';
import { roundsQuery, runAddress } from './rounds-address.js';
import { answerAddress } from './run-actions.js';

interface RunCodeOptions {
  readonly run: RunDetail;
  readonly view: TextView;
  readonly history: RunHistory;
  /** The chosen rounds. */
  readonly rounds: readonly Round[];
  /** The lines it reached in the chosen rounds. */
  readonly traced: Retraced;
  /** The waits of its branches. */
  readonly waits: readonly WaitingFor[];
  /** Where the call that ended the run is, and the answer of the service. */
  readonly failure: FailedCall | undefined;
  /** Facts of each line. */
  readonly values?: ValuesBeside;
  /** First line; if absent, shows the start and what matters. */
  readonly from?: number;
  readonly now: number;
}

interface LineOptions extends RunCodeOptions {
  readonly underWay: readonly CallUnderWay[];
}

/** The items of the list of lines. */
export function runCodeLines(options: RunCodeOptions): Html[] {
  const { run, view, history, rounds, from, now } = options;
  const byLine = history.byLine(rounds, now, Date.parse(run.startedAt));
  const ofLines = { ...options, underWay: history.callsUnderWay(run, options.traced) };
  const focus = options.waits.find(({ line: at }) => at !== undefined)?.line ?? run.error?.line;
  const count = view.lines.length;
  const endLine = run.status === 'completed' || run.status === 'rejected' ? endOf(view, options.traced) : undefined;
  const itemsIn = (ranges: readonly Range[]): Html[] =>
    codeLines({
      lines: view.lines,
      ranges,
      folds: from === undefined ? headOf(view) : [],
      foldsIdle: from === undefined && isFinished(run.status),
      lineOf: (line) => codeLine(line, byLine, ofLines, endLine),
      moreFrom: (line) => `${runAddress(run.run)}${roundsQuery(rounds, { from: String(line) })}#L${line}`,
    });
  if (from !== undefined) return itemsIn([{ first: from, last: Math.min(count, from + AT_A_TIME - 1) }]);
  const items = itemsIn(firstRanges(count, focus));
  const bytes = items.reduce((sum, item) => sum + Buffer.byteLength(item.toString()), 0);
  if (bytes <= MOST_AT_FIRST) return items;
  // Few lines: those where something happened, if nothing matters more.
  const first = Math.min(...[...byLine].flatMap(([line, { effects }]) => (effects.length > 0 ? [line] : [])));
  return itemsIn(firstRanges(count, focus ?? (Number.isFinite(first) ? first : undefined), MOST_AT_FIRST / bytes));
}

/** Bytes of the lines that a page begins with. */
const MOST_AT_FIRST = 17_000;

/** Everything before `workflow:`, which is written once and rarely looked at. */
function headOf({ lines }: TextView): Fold[] {
  const texts = lines.map((pieces) => pieces.map(({ text }) => text).join(''));
  const last = texts.findIndex((text) => text.startsWith('workflow:'));
  if (last < LEAST_HEAD) return [];
  const names = texts.slice(0, last).flatMap((text) => /^([a-z]+):/.exec(text)?.[1] ?? []);
  return [{ first: 1, last, words: `Lines 1 to ${last}: ${names.join(', ')}` }];
}

const LEAST_HEAD = 6;

function codeLine(
  line: number,
  byLine: ReadonlyMap<number, LineHistory>,
  options: LineOptions,
  endLine: number | undefined,
): CodeLine {
  const { run, view, rounds, now, traced, waits, failure, values, underWay } = options;
  const history = byLine.get(line);
  const all = lineFacts(view.outline, line, (at) => traced.reached.get(at) ?? 0, history);
  // A run of an older version may not be retraced. A line without calls may have run all the same.
  const facts = all.state === 'idle' && traced.reached.size === 0 ? { state: 'aside' as const, note: '' } : all;
  const outside = history?.effects.filter(isShown) ?? [];
  const waitsHere = waits.filter((wait) => wait.line === line);
  const callsHere = underWay.filter((call) => call.line === line);
  const isWrong = run.error?.line === line && run.status !== 'completed';
  const isCancelledHere =
    run.status === 'cancelled' && outside.some(({ isCutOff, error }) => (error === undefined ? isCutOff : error === run.message));
  const mark =
    waitsHere.length > 0
      ? 'waiting'
      : isWrong
        ? 'error'
        : outside.some(({ finishedAt }) => finishedAt === undefined) || callsHere.length > 0
          ? 'current'
          : line === endLine || isCancelledHere
            ? 'end'
            : undefined;
  const [first] = outside;
  const below: HtmlPart[] = [];
  const roundCount = traced.loops.get(line) ?? 0;
  if (roundCount > 1) below.push(roundForm(run.run, line, rounds, roundCount));
  // A wait sends nothing: its line and note say everything.
  const shown = outside.filter(({ kind }) => kind !== 'wait');
  if (shown.length > 0) below.push(effectList(run, line, shown, rounds, now));
  below.push(...callLines(callsHere, now), ...logLines(history));
  const progress = branchProgress(line, options, byLine);
  if (progress !== undefined) below.push(html`<p class="said">${progress}</p>`);
  below.push(
    ...waitsHere.map(
      (wait) =>
        html`<p class="said waiting">${waitingWords(wait, now)}${wait.kind === 'person' && html` · <a href="${answerAddress(run)}">Answer</a>`}</p>`,
    ),
  );
  if (isCancelledHere) below.push(html`<p class="said">The run was cancelled here.</p>`);
  if (isWrong && run.error !== undefined)
    below.push(
      html`<div class="said error"><bdi>${run.error.message}</bdi>${failure !== undefined && answerOfFailure(failure, effectAddress(run.run, failure.position))}</div>`,
    );
  const had = values?.get(line);
  return {
    facts,
    ...(had === undefined ? {} : { values: had }),
    ...(mark === undefined ? {} : { mark }),
    ...(first === undefined ? {} : { aside: moment(new Date(first.startedAt).toISOString()) }),
    ...(below.length === 0 ? {} : { below }),
  };
}

const MOST_UNDER_WAY = 3;

const callLines = (calls: readonly CallUnderWay[], now: number): Html[] => [
  ...calls.slice(0, MOST_UNDER_WAY).map((call) => callUnderWay(call, now)),
  ...(calls.length > MOST_UNDER_WAY ? [html`<p class="said hint">and ${calls.length - MOST_UNDER_WAY} more calls</p>`] : []),
];

/** Says how many branches of `at the same time:` are done while it is in progress; `undefined` for all other lines. */
function branchProgress(line: number, options: LineOptions, byLine: ReadonlyMap<number, LineHistory>): string | undefined {
  const { run, rounds } = options;
  const { outline } = options.view;
  const block = outline.get(line);
  if (block?.kind !== 'at the same time' || isFinished(run.status) || rounds.length > 0) return undefined;
  const branches = [...outline.values()].filter(
    ({ line: at, depth, kind }) => at > line && at <= block.last && depth === block.depth + 1 && kind !== undefined,
  );
  const open = branches.filter((branch) => {
    for (let at = branch.line; at <= branch.last; at++)
      if (byLine.get(at)?.effects.some((effect) => isShown(effect) && effect.finishedAt === undefined) === true) return true;
    return options.underWay.some(({ line: at }) => at >= branch.line && at <= branch.last);
  });
  if (open.length === 0) return undefined;
  return `${branches.length - open.length} of ${branches.length} branches are done.`;
}

const answerOfFailure = ({ answer, headers }: FailedCall, address: string): Html =>
  html`${answer !== undefined && html`<p class="label">Answer</p>${valueTree(answer, `${address}/answer`)}`}${adviceList(headers)}`;

const MOST_LOGGED = 3;

/** Output of `log`, and warnings. */
function logLines(history: LineHistory | undefined): Html[] {
  const said =
    history?.effects.filter(
      ({ kind, message }) => (kind === 'log' || kind === 'warning') && message !== undefined && message !== '',
    ) ?? [];
  const shown = said.length <= MOST_LOGGED ? said : [...said.slice(0, 1), ...said.slice(-1)];
  const rest = said.length - shown.length;
  return [
    ...shown.map(({ kind, message }) => html`<p class="said ${kind}"><bdi>${(message ?? '').slice(0, 2_000)}</bdi></p>`),
    ...(rest > 0 ? [html`<p class="said hint">and ${rest} more</p>`] : []),
  ];
}

function effectList(run: RunDetail, line: number, outside: LineHistory['effects'], rounds: readonly Round[], now: number): Html {
  const shown = shownEffects(outside);
  const all = `/console/runs/${run.run}/lines/${line}${roundsQuery(rounds)}`;
  return html`<div class="effects">${shown.map((effect) => effectSummary(run, effect, now))}${shown.length < outside.length && html`<p><a href="${all}">All ${outside.length} of this line</a></p>`}</div>`;
}

/** The line that ended the run: it was reached, and nothing continues after it. */
function endOf({ outline }: TextView, { reached }: Retraced): number | undefined {
  for (const { line, kind } of outline.values()) {
    if ((kind === 'complete' || kind === 'reject') && (reached.get(line) ?? 0) > 0) return line;
  }
  return undefined;
}

function roundForm(run: string, line: number, rounds: readonly Round[], count: number): Html {
  const chosen = rounds.find((round) => round.line === line)?.round;
  const others = rounds.filter((round) => round.line !== line);
  const to = (round: number, words: string): Html =>
    html`<a href="${runAddress(run, [...others, { line, round }])}#L${line}">${words}</a>`;
  const isLast = chosen !== undefined && chosen >= count;
  return html`<form class="round" action="/console/runs/${run}#L${line}">${others.map((other) => html`<input type="hidden" name="r${other.line}" value="${other.round}">`)}
<label>Round <input type="number" name="r${line}" min="1" max="${count}" value="${chosen ?? 1}" required></label> <span class="hint">of ${count}</span>
<button>Show</button>${chosen !== undefined && html` ${chosen > 1 && to(chosen - 1, 'Previous')} ${!isLast && to(chosen + 1, 'Next')} <a href="${runAddress(run, others)}#L${line}">All rounds</a>`}</form>`;
}
