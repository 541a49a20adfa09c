// Shows a run on a terminal: its log entries (`logLine` for `log` statements, `verboseLine` for what `--verbose` adds) and how it ended. The
// run has already redacted the entries; each becomes exactly one line.
import { durationText } from '../../../runtime/dates/date-unit.js';
import { connectedKinds } from '../../../runtime/services/connector-types.js';
import type { CallLogFields, LogEntry, Value, WorkflowInfo } from '../../../runtime/types.js';
import { oneLine } from '../../../runtime/values/one-line.js';
import { show } from '../../../runtime/values/values.js';
import { createLineMap } from '../../compiler/diagnostics/locate.js';
import { type Colour, type Fault, paint, renderText } from '../../compiler/diagnostics/render-text.js';
import type { Prepared } from '../prepare/prepared.js';
import type { RunRecord } from './run-record.js';

/** The line of a `log` statement. */
export const logLine = (entry: LogEntry): string => oneLine(entry.message ?? '');

/**
 * The line that `--verbose` prints to standard error: `line 11: Api GET https://…: 200, 34 ms, attempt 1`. `undefined` for `log` entries,
 * which `logLine` shows.
 */
export function verboseLine(entry: LogEntry, options: { readonly colour: boolean }): string | undefined {
  const [text, colour] = describe(entry);
  if (text === undefined) return undefined;
  const inside = entry.workflow === undefined ? '' : `, ${show(entry.workflow)} line ${show(entry.calledLine)}`;
  const place = entry.line === undefined || entry.type === 'step' ? '' : `line ${entry.line}${inside}: `;
  return paint(oneLine(`${place}${text}`), colour, options.colour);
}

function describe(entry: LogEntry): [text: string | undefined, colour: Colour] {
  switch (entry.type) {
    case 'step':
      return [stepText(entry), 'grey'];
    case 'call':
      return [callText(entry as LogEntry & CallLogFields), entry.ok === false ? 'red' : 'grey'];
    case 'retry':
      return [retryText(entry), 'yellow'];
    case 'message':
      return [entry.received === true ? `message ${show(entry.name)}` : `no message ${show(entry.name)}`, 'grey'];
    case 'wait':
      return [`waiting ${durationText(numberOf(entry.durationMs))}`, 'grey'];
    case 'set':
      return [`${show(entry.name)} = ${valueText(entry.value)}`, 'grey'];
    case 'resumed':
      return [entry.message ?? 'resumed', 'yellow'];
    case 'warning':
      return [`warning: ${entry.message ?? ''}`, 'yellow'];
    case 'log':
      return [undefined, 'grey'];
  }
}

const stepText = ({ step, event, durationMs }: LogEntry): string =>
  event === 'end' ? `step ${step ?? ''} ended after ${numberOf(durationMs)} ms` : `step ${step ?? ''}`;

/** Service, method and address (or the words of the call), then status, duration and attempt, then why it failed. */
function callText({ ok: _, body: __, ...entry }: CallLogFields): string {
  const { service, kind, method, url, phrase, status, durationMs, attempt, error, ...unshown } = entry;
  unshown satisfies Record<string, never>; // `tsc` asks for the place of a new field
  // A method means nothing for a call that doesn't use HTTP.
  const action = Object.hasOwn(connectedKinds, show(kind)) ? phrase : method;
  const target = typeof url === 'string' ? `${show(action)} ${url}` : show(phrase);
  const reason = error === undefined ? '' : ` (${show(error)})`;
  if (attempt === 0) return `${show(service)} ${target}: not sent${reason}`;
  const end = status === undefined ? (error === undefined ? 'ok' : kind === 'workflow' ? 'failed' : 'no answer') : show(status);
  return `${show(service)} ${target}: ${end}, ${numberOf(durationMs)} ms, attempt ${numberOf(attempt)}${reason}`;
}

const retryText = ({ service, attempt, waitMs }: LogEntry): string =>
  `${show(service)}: attempt ${numberOf(attempt)} ${numberOf(waitMs) > 0 ? `in ${durationText(numberOf(waitMs))}` : 'immediately'}`;

const numberOf = (value: Value): number => (typeof value === 'number' ? value : 0);

/** Characters of text, and items of a list or record, to show. Larger values are only described. */
const LONGEST_VALUE = 500;
const MOST_ITEMS = 50;

/** Text has quotes, so that `"7"` and `7` differ. Never walks a large value, because a loop may set it thousands of times. */
function valueText(value: Value): string {
  if (value === null || value === undefined) return 'empty';
  if (typeof value === 'object') {
    const size = Array.isArray(value) ? value.length : Object.keys(value).length;
    if (size > MOST_ITEMS) return Array.isArray(value) ? `a list of ${size} items` : `a record of ${size} fields`;
  }
  const text = typeof value === 'string' ? JSON.stringify(value) : show(value);
  return text.length <= LONGEST_VALUE ? text : `${text.slice(0, LONGEST_VALUE)}… (${text.length} characters)`;
}

/** An outcome, and the files that its error points into. */
interface OutcomeShown extends Pick<RunRecord, 'outcome' | 'redactor'> {
  readonly prepared: Pick<Prepared, 'file' | 'source'> & { readonly workflow: Pick<WorkflowInfo, 'file'> };
}

/**
 * Tells a person how a run ended. A completed or rejected run belongs on standard output, an error on standard error.
 * Has no line break at the end. Secrets are redacted and control characters escaped.
 */
export function outcomeText(record: OutcomeShown, options: { readonly colour: boolean }): string {
  const { outcome, redactor } = record;
  if (outcome.status === 'error') return renderText([runTimeFault(record)], options);
  if (outcome.status === 'rejected') {
    return `${paint('Workflow rejected:', 'yellow', options.colour)} ${oneLine(redactor.text(outcome.message ?? ''))}`;
  }
  const outputs = Object.entries(outcome.outputs ?? {});
  const lines = outputs.map(([key, value]) => `${oneLine(redactor.text(key))}: ${shown(redactor.value(value))}`);
  return [paint('Workflow completed.', 'green', options.colour), ...lines].join('\n');
}

/** Inside text, `empty` shows as nothing; alone after its key, that would look like a mistake. */
const shown = (value: Value): string => (value === null || value === undefined ? 'empty' : oneLine(show(value)));

/** A run-time error as a diagnostic, with its line if the source is available. */
function runTimeFault({ outcome, prepared, redactor }: OutcomeShown): Fault {
  const error = outcome.error ?? { message: outcome.message ?? 'The run ended for no known reason.', code: 'WF699' };
  const fault: Fault = {
    code: error.code,
    severity: 'error',
    file: prepared.file,
    message: oneLine(redactor.text(error.message)),
  };
  if (error.line === undefined) return fault;
  // The lines of a built module are those of its workflow.
  const file = prepared.file.endsWith('.mjs') ? prepared.workflow.file : prepared.file;
  const sourceLine = createLineMap(prepared.source ?? '').textOf(error.line);
  // Some errors know their line only.
  const { column = sourceLine.search(/\S|$/) + 1, length = Math.max(1, sourceLine.trim().length) } = error;
  const place = { ...fault, file, line: error.line, column, length };
  // The file itself may contain credentials. A line with some is not shown, because redacting it would shift the carets.
  return redactor.text(sourceLine) === sourceLine ? { ...place, sourceLine } : place;
}
