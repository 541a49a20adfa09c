// `wf runs show <id>`: prints the text that the run used, with what happened below each line.
import { durationText } from '../../../runtime/duration-text.js';
import { oneLine } from '../../../runtime/one-line.js';
import type { Value } from '../../../runtime/types.js';
import { show } from '../../../runtime/values.js';
import { type Colour, paint } from '../../compiler/diagnostics/paint.js';
import type { DurableEngine, JournalEntry } from '../../durable/durable-engine.js';
import type { RunDetail } from '../../durable/run-views.js';
import { momentInUtc, waitingText } from '../../durable/waiting-text.js';
import type { Io } from '../../engine/io.js';
import type { Values } from '../command-table.js';
import { unknownRunError } from './open-command-store.js';
import { statusColour } from './run-words.js';

/** Maximum entries below one line of the workflow; a loop may have thousands. */
const MOST_BELOW = 10;
const LONGEST_JSON = 2_000;

/** @throws UsageError for an unknown id */
export async function showRunCommand(store: DurableEngine, id: string, values: Values, io: Io): Promise<number> {
  const run = await store.get(id);
  if (run === undefined) throw unknownRunError(id);
  const entries = await allEntries(store, id);
  if (values.json === true) {
    io.stdout.write(`${JSON.stringify({ ...run, journal: entries })}\n`);
    return 0;
  }
  const version = await store.text(run.textHash);
  const colour = io.colour.stdout;
  const lines = [...head(run, colour), '', ...body(version?.text ?? '', run, entries, colour)];
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

function head(run: RunDetail, colour: boolean): string[] {
  const rows: [string, string][] = [
    ['Run', run.run],
    ['Workflow', `${run.title} v${run.version} (${run.workflow})`],
    [
      'Status',
      paint(run.status, statusColour[run.status], colour) +
        (run.waitingFor === undefined ? '' : ` ${waitingText(run.waitingFor)}`),
    ],
    ['Started', momentInUtc(run.startedAt)],
    ...(run.finishedAt === undefined
      ? []
      : [['Ended', `${momentInUtc(run.finishedAt)}, after ${durationText(run.durationMs)}`] as [string, string]]),
    ...(run.rerunOf === undefined ? [] : [['Rerun of', run.rerunOf] as [string, string]]),
    ['Request', json(run.request)],
    ...(run.outputs === undefined ? [] : [['Outputs', json(run.outputs)] as [string, string]]),
    ...(run.message === undefined ? [] : [['Message', oneLine(run.message)] as [string, string]]),
  ];
  return rows.map(([name, text]) => `${name.padEnd(9)} ${text}`);
}

function body(text: string, run: RunDetail, entries: readonly JournalEntry[], colour: boolean): string[] {
  const byLine = new Map<number, JournalEntry[]>();
  for (const entry of entries) {
    // The lines of its branches tell what happened.
    if (entry.kind === 'fork') continue;
    const below = byLine.get(entry.line ?? 0) ?? [];
    below.push(entry);
    byLine.set(entry.line ?? 0, below);
  }
  const lines = text.split(/\r?\n/);
  const width = String(lines.length).length;
  const shown = lines.flatMap((line, index) => {
    const number = index + 1;
    const times = run.reached[number] ?? 0;
    const mark = times > 0 ? (run.error?.line === number ? '✗' : '✓') : ' ';
    const row = `${mark} ${String(number).padStart(width)}  ${oneLine(line)}${times > 1 ? `   (${times} times)` : ''}`;
    const indent = ' '.repeat(width + 4 + (/^ */.exec(line)?.[0].length ?? 0));
    return [times > 0 ? row : paint(row, 'grey', colour), ...below(byLine.get(number) ?? [], indent, colour)];
  });
  return [...shown, ...below(byLine.get(0) ?? [], '  ', colour)];
}

function below(entries: readonly JournalEntry[], indent: string, colour: boolean): string[] {
  const shown = entries.slice(0, MOST_BELOW).map((entry) => `${indent}· ${paint(entryText(entry), colourOf(entry), colour)}`);
  const rest = entries.length - shown.length;
  return rest > 0 ? [...shown, `${indent}· and ${rest} more; --json shows all`] : shown;
}

const colourOf = ({ ok, kind }: JournalEntry): Colour => (ok === false ? 'red' : kind === 'log' ? 'green' : 'grey');

function entryText(entry: JournalEntry): string {
  const at = entry.startedAt.slice(11, 19);
  const took =
    entry.finishedAt === undefined ? '' : `, ${durationText(Date.parse(entry.finishedAt) - Date.parse(entry.startedAt))}`;
  const due = entry.due === undefined ? '' : `, due ${momentInUtc(entry.due)}`;
  switch (entry.kind) {
    case 'call': {
      const target = entry.url === undefined ? (entry.phrase ?? '') : `${entry.method ?? ''} ${entry.url}`;
      const result = entry.ok === undefined ? 'under way' : (entry.status ?? (entry.ok ? 'ok' : 'no answer'));
      return oneLine(
        `${at} ${entry.service ?? ''} ${target}: ${result}${took}${(entry.attempt ?? 1) > 1 ? `, attempt ${entry.attempt}` : ''}${entry.error === undefined ? '' : ` (${entry.error})`}`,
      );
    }
    case 'retry':
      return oneLine(`${at} tried again${due}`);
    case 'wait':
      return `${at} waited${took}${due}`;
    case 'message':
    case 'person':
      return oneLine(
        `${at} ${entry.finishedAt === undefined ? 'waiting' : (entry.answer ?? null) === null ? 'nothing came' : `got ${json(entry.answer as Value)}`}${took}${due}`,
      );
    default:
      return oneLine(`${at} ${entry.kind === 'log' ? '' : `${entry.kind} `}${entry.message ?? ''}`);
  }
}

function json(value: Value): string {
  const text = JSON.stringify(value) ?? show(value);
  return oneLine(text.length > LONGEST_JSON ? `${text.slice(0, LONGEST_JSON)}…` : text);
}
