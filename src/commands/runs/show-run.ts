// `wf runs show <id>`: prints the text that the run used, with what happened below each line.
import { durationText } from '../../../runtime/dates/date-unit.js';
import type { Value } from '../../../runtime/types.js';
import { oneLine } from '../../../runtime/values/one-line.js';
import { show } from '../../../runtime/values/values.js';
import { type Colour, paint } from '../../compiler/diagnostics/render-text.js';
import type { DurableEngine } from '../../durable/durable-engine.js';
import type { DoubtDecision, Erased, JournalEntry, Retraced, RunDetail } from '../../durable/model/run-views.js';
import { type Effect, isOutside, RunHistory } from '../../durable/views/run-history.js';
import { momentInUtc, waitingText } from '../../durable/views/show-run.js';
import type { Io } from '../../engine/io.js';
import type { Values } from '../command-spec.js';
import { callWords } from './change-runs.js';
import { statusColour } from './list-runs.js';
import { storeHint, unknownRunError } from './open-command-store.js';

/** Maximum entries below one line of the workflow; a loop may have thousands. */
const MOST_BELOW = 10;
const LONGEST_JSON = 2_000;

/** After what was going on then. */
const WHEN_ENDED = ' when the run ended';

/** @throws UsageError for an unknown id */
export async function showRunCommand(store: DurableEngine, id: string, values: Values, io: Io): Promise<number> {
  const run = await store.get(id);
  if (run === undefined) throw unknownRunError(id);
  const entries = await allEntries(store, id);
  const given = await answerGiven(store, run);
  if (values.json === true) {
    const answered = given === undefined ? {} : { answered: given };
    io.stdout.write(`${JSON.stringify({ ...run, ...answered, log: await store.log(id), journal: entries })}\n`);
    return 0;
  }
  const [version, retraced, inDoubt] = await Promise.all([store.text(run.textHash), store.retrace(id), store.inDoubt(id)]);
  // A run that can't be executed again, such as one of an older version: no line is known not to have run.
  const traced = retraced === undefined || retraced.reached.size === 0 ? undefined : retraced;
  const colour = io.colour.stdout;
  const lines = [
    ...head(run, given, storeHint(values, io), colour),
    ...inDoubt.map((call) => `In doubt  line ${call.line}${callWords(call)} ${call.reason}`),
    ...(traced?.doubt === undefined ? [] : ['', paint(traced.doubt, 'yellow', colour)]),
    '',
    ...body({ text: version?.text ?? '', run, entries, traced, given }, colour),
  ];
  io.stdout.write(`${lines.join('\n')}\n`);
  return 0;
}

async function allEntries(store: DurableEngine, id: string): Promise<JournalEntry[]> {
  const entries: JournalEntry[] = [];
  let from: number | undefined = 0;
  while (from !== undefined) {
    const page: Awaited<ReturnType<DurableEngine['journal']>> = await store.journal(id, { from });
    entries.push(...(page?.entries ?? []));
    from = page?.next;
  }
  return entries;
}

/** The answer of a person, if no process has continued the run since. */
async function answerGiven(store: DurableEngine, { waitingFor }: RunDetail): Promise<string | undefined> {
  const task = waitingFor?.task === undefined ? undefined : await store.task(waitingFor.task);
  return task?.status === 'answered' ? task.answer : undefined;
}

function head(run: RunDetail, given: string | undefined, hint: string, colour: boolean): string[] {
  const waiting = run.waitingFor === undefined ? '' : ` ${waitingText(run.waitingFor)}`;
  const answered =
    given === undefined
      ? waiting
      : `: ${run.waitingFor?.service ?? 'someone'} answered ${json(given)}; it continues with a server, or with "wf runs resume ${run.run}${hint}"`;
  const rows: (readonly [string, string])[] = [
    ['Run', run.run],
    ['Workflow', `${run.title} v${run.version} (${run.workflow})`],
    ['Status', `${paint(run.status, statusColour[run.status], colour)}${answered}`],
    ['Started', momentInUtc(run.startedAt)],
    ...(run.finishedAt === undefined
      ? []
      : [['Ended', `${momentInUtc(run.finishedAt)}, after ${durationText(run.durationMs)}`] as const]),
    ...(run.parent === undefined ? [] : [['Called by', run.parent] as const]),
    ...(run.rerunOf === undefined ? [] : [['Rerun of', run.rerunOf] as const]),
    ...(run.decisions ?? []).map((one) => ['Decided', decisionText(one)] as const),
    ...(run.madeGoodBy === undefined ? [] : [['Made good', `by ${run.madeGoodBy}`] as const]),
    ...(run.erased === undefined ? [['Request', json(run.request)] as const] : [['Erased', erasedText(run.erased)] as const]),
    ...(run.outputs === undefined ? [] : [['Outputs', json(run.outputs)] as const]),
    ...(run.message === undefined ? [] : [['Message', oneLine(run.message)] as const]),
  ];
  return rows.map(([name, text]) => `${name.padEnd(9)} ${text}`);
}

const erasedText = ({ at, by = 'someone' }: Erased): string => `all of its data, by ${oneLine(by)}, ${momentInUtc(at)}`;

const decisionText = ({ line, decision, by = 'an operator', at }: DoubtDecision): string =>
  `${decision === 'again' ? `to send the call in doubt of line ${line} again` : `the result of the call in doubt of line ${line}`}, by ${oneLine(by)}, ${momentInUtc(at)}`;

interface ShownRun {
  /** Of the file that it runs. */
  readonly text: string;
  readonly run: RunDetail;
  readonly entries: readonly JournalEntry[];
  readonly traced: Retraced | undefined;
  /** What was answered since the last entry. */
  readonly given: string | undefined;
}

function body({ text, run, entries, traced, given }: ShownRun, colour: boolean): string[] {
  const history = new RunHistory();
  history.feed(entries);
  const parts = new Map<Effect, JournalEntry[]>();
  for (const entry of entries) {
    const effect = isOutside(entry) ? history.at(entry.position) : undefined;
    if (effect === undefined) continue;
    const known = parts.get(effect);
    if (known === undefined) parts.set(effect, [entry]);
    else known.push(entry);
  }
  const byLine = new Map<number, string[]>();
  for (const effect of history.effects) {
    // The lines inside tell what happened in a block of parallel work, or in a step.
    if (effect.kind === 'fork' || effect.kind === 'step') continue;
    const below = byLine.get(effect.line ?? 0) ?? [];
    const answered = effect.line === run.waitingFor?.line ? given : undefined;
    const inside = effect.workflow === undefined ? '' : `${effect.workflow}, line ${effect.calledLine}: `;
    const text = effectText(effect, parts.get(effect) ?? [], answered, run.finishedAt !== undefined);
    below.push(paint(`· ${oneLine(inside)}${text}`, colourOf(effect), colour));
    byLine.set(effect.line ?? 0, below);
  }
  for (const { line, title, since } of traced === undefined ? [] : history.callsUnderWay(run, traced)) {
    const at = new Date(since).toISOString().slice(11, 19);
    byLine.set(line, [...(byLine.get(line) ?? []), paint(`· ${at} ${oneLine(title)}: in progress`, 'grey', colour)]);
  }
  const lines = text.split(/\r?\n/);
  if (lines.at(-1) === '') lines.pop();
  const width = String(lines.length).length;
  const shown = lines.flatMap((line, index) => {
    const number = index + 1;
    const times = traced?.reached.get(number) ?? 0;
    const mark = run.error?.line === number ? '✗' : times > 0 ? '✓' : ' ';
    const row = `${mark} ${String(number).padStart(width)}  ${oneLine(line)}${times > 1 ? `   (${times} times)` : ''}`;
    const indent = ' '.repeat(width + 4 + (/^ */.exec(line)?.[0].length ?? 0));
    return [
      mark === ' ' && traced !== undefined ? paint(row.trimEnd(), 'grey', colour) : row.trimEnd(),
      ...below(byLine.get(number), indent),
    ];
  });
  return [...shown, ...below(byLine.get(0), '  ')];
}

function below(texts: readonly string[] = [], indent: string): string[] {
  const shown = texts.slice(0, MOST_BELOW).map((text) => `${indent}${text}`);
  const rest = texts.length - shown.length;
  return rest > 0 ? [...shown, `${indent}· and ${rest} more; --json shows all`] : shown;
}

const colourOf = ({ ok, kind }: Effect): Colour => (ok === false ? 'red' : kind === 'log' ? 'green' : 'grey');

/**
 * @param given what was answered since the last entry
 * @param isOver whether the run has ended, and with it what had no end of its own
 */
function effectText(effect: Effect, entries: readonly JournalEntry[], given: string | undefined, isOver: boolean): string {
  const { kind, startedAt, finishedAt, service, due } = effect;
  const at = new Date(startedAt).toISOString().slice(11, 19);
  const waiting = isOver ? 'was waiting' : 'waiting';
  const until = isOver ? WHEN_ENDED : due === undefined ? '' : `, until ${momentInUtc(due)}`;
  const after = finishedAt === undefined ? '' : `, after ${durationText(finishedAt - startedAt)}`;
  const answer = entries.findLast((entry) => entry.answer !== undefined)?.answer ?? null;
  switch (kind) {
    case 'call':
    case 'workflow':
      return oneLine(`${at} ${callText(effect, isOver)}${effect.run === undefined ? '' : `, run ${effect.run}`}`);
    case 'wait':
      return `${at} ${finishedAt === undefined ? `${waiting}${until}` : waitedText(startedAt, finishedAt, entries[0]?.due)}`;
    case 'message':
      if (finishedAt === undefined) return `${at} ${waiting} for this message${until}`;
      return oneLine(`${at} ${answer === null ? 'nothing came' : `got ${json(answer as Value)}`}${after}`);
    case 'person':
      if (finishedAt === undefined && given !== undefined) return `${at} answered: ${json(given)}`;
      if (finishedAt === undefined) return oneLine(`${at} ${waiting} for an answer from ${service ?? 'someone'}${until}`);
      return oneLine(`${at} ${answer === null ? 'no one answered' : `got ${json(answer as Value)}`}${after}`);
    default:
      return oneLine(`${at} ${kind === 'log' ? '' : `${kind} `}${effect.message ?? ''}`);
  }
}

/** At most what the workflow asked for: the run may have been continued later, or the clock set. */
function waitedText(startedAt: number, finishedAt: number, due: string | undefined): string {
  const ms = Math.min(finishedAt, due === undefined ? finishedAt : Date.parse(due)) - startedAt;
  return ms <= 0 ? 'waited' : `waited ${durationText(ms)}`;
}

/** Fields of an effect that are shown around the line of a call, or on its page only. The line shows all others. */
type Elsewhere =
  | 'position'
  | 'line'
  | 'branch'
  | 'rounds'
  | 'workflow'
  | 'calledLine'
  | 'run'
  | 'message'
  | 'failedAttempts'
  | 'isCutOff'
  | 'counted';

function callText(effect: Omit<Effect, Elsewhere>, isOver: boolean): string {
  const { kind, service, phrase, method, url, ok, status, startedAt, finishedAt, attempts, error, due, ...unshown } = effect;
  unshown satisfies Record<string, never>; // `tsc` asks for the place of a new field
  const target = [service, ...(url === undefined ? [phrase] : [method, url])].filter((part) => part !== undefined).join(' ');
  const result =
    ok === undefined
      ? error === undefined
        ? `in progress${isOver ? WHEN_ENDED : ''}`
        : 'given up'
      : (status ?? (ok ? 'ok' : kind === 'workflow' ? 'failed' : 'no answer'));
  const took = finishedAt === undefined ? '' : `, ${durationText(finishedAt - startedAt)}`;
  const tries = attempts > 1 ? `, ${attempts} attempts` : '';
  const next = due === undefined || isOver ? '' : `, next attempt ${momentInUtc(due)}`;
  return `${target}: ${result}${took}${tries}${error === undefined || ok === true ? '' : ` (${error})`}${next}`;
}

function json(value: Value): string {
  const text = JSON.stringify(value) ?? show(value);
  return oneLine(text.length > LONGEST_JSON ? `${text.slice(0, LONGEST_JSON)}…` : text);
}
