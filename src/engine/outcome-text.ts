// The record of a run goes in, the lines that tell a person how it ended come out (`behaviour.md` 3). A completed or rejected run
// belongs on standard output, an error on standard error.

import { oneLine } from '../../runtime/one-line.js';
import type { Value } from '../../runtime/types.js';
import { show } from '../../runtime/values.js';
import { createLineMap } from '../compiler/diagnostics/locate.js';
import { paint } from '../compiler/diagnostics/paint.js';
import { type Fault, renderText } from '../compiler/diagnostics/render-text.js';
import type { RunRecord } from './run-record.js';

/** No line end after the last line. Secrets are redacted, control characters escaped. */
export function outcomeText(
  record: Pick<RunRecord, 'outcome' | 'prepared' | 'redactor'>,
  options: { readonly colour: boolean },
): string {
  const { outcome, redactor } = record;
  if (outcome.status === 'error') return renderText([runTimeFault(record)], options);
  if (outcome.status === 'rejected') {
    return `${paint('Workflow rejected:', 'yellow', options.colour)} ${oneLine(redactor.text(outcome.message ?? ''))}`;
  }
  const outputs = Object.entries(outcome.outputs ?? {});
  const lines = outputs.map(([key, value]) => `${oneLine(redactor.text(key))}: ${shown(redactor.value(value))}`);
  return [paint('Workflow completed.', 'green', options.colour), ...lines].join('\n');
}

/** `empty` shows as nothing inside a text; alone behind its key it would look like a fault. */
const shown = (value: Value): string => (value === null || value === undefined ? 'empty' : oneLine(show(value)));

/** A run-time error in the form of a diagnostic; its line is shown where the source is at hand. */
function runTimeFault({ outcome, prepared, redactor }: Pick<RunRecord, 'outcome' | 'prepared' | 'redactor'>): Fault {
  const error = outcome.error ?? { message: outcome.message ?? 'The run ended without a reason.', code: 'WF699' };
  const fault: Fault = {
    code: error.code,
    severity: 'error',
    file: prepared.file,
    message: oneLine(redactor.text(error.message)),
  };
  if (error.line === undefined) return fault;
  // The lines of a built module are those of the workflow that it was made of.
  const file = prepared.file.endsWith('.mjs') ? prepared.workflow.file : prepared.file;
  const place = { ...fault, file, line: error.line, column: error.column ?? 1, length: error.length ?? 1 };
  const sourceLine = createLineMap(prepared.source ?? '').textOf(error.line);
  // Credentials may stand in the file itself; a line that holds some is not shown, since carets would no longer fit it.
  return redactor.text(sourceLine) === sourceLine ? { ...place, sourceLine } : place;
}
