// Tells a person how a run ended. A completed or rejected run belongs on standard output, an error on standard error.
import type { Value, WorkflowInfo } from '../../../runtime/types.js';
import { oneLine } from '../../../runtime/values/one-line.js';
import { show } from '../../../runtime/values/values.js';
import { createLineMap } from '../../compiler/diagnostics/locate.js';
import { paint } from '../../compiler/diagnostics/paint.js';
import { type Fault, renderText } from '../../compiler/diagnostics/render-text.js';
import type { Prepared } from '../prepare/prepared.js';
import type { RunRecord } from './run-record.js';

/** An outcome, and the files that its error points into. */
interface OutcomeShown extends Pick<RunRecord, 'outcome' | 'redactor'> {
  readonly prepared: Pick<Prepared, 'file' | 'source'> & { readonly workflow: Pick<WorkflowInfo, 'file'> };
}

/** Has no line break at the end. Secrets are redacted and control characters escaped. */
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
  const place = { ...fault, file, line: error.line, column: error.column ?? 1, length: error.length ?? 1 };
  const sourceLine = createLineMap(prepared.source ?? '').textOf(error.line);
  // The file itself may contain credentials. A line with some is not shown, because redacting it would shift the carets.
  return redactor.text(sourceLine) === sourceLine ? { ...place, sourceLine } : place;
}
