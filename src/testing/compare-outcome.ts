// Compares the outcome of a run with the expectation of its case. Returns a line for each difference, none if the case passed.

import type { Outcome, Redactor } from '../../runtime/types.js';
import { oneLine } from '../../runtime/values/one-line.js';
import { callDifferences } from './match-calls.js';
import { difference, differences, shown } from './match-value.js';
import type { Expectation, ExpectedText, ObservedCall } from './test-case.js';

/** What a run produced. */
export interface Observed {
  readonly outcome: Outcome;
  /** Every line of a `log` statement, redacted as in logs. */
  readonly logs: readonly string[];
  readonly calls: readonly ObservedCall[];
  readonly redactor: Redactor;
}

/** If the status differs, reports only that: everything else follows from it. */
export function compareOutcome(expected: Expectation, observed: Observed): string[] {
  const { outcome, redactor } = observed;
  const found =
    outcome.status !== expected.status
      ? statusDifference(expected, outcome)
      : [
          ...(expected.outputs === undefined ? [] : differences(expected.outputs, outcome.outputs ?? null, 'outputs')),
          ...(expected.message === undefined ? [] : textDifference(expected.message, outcome.message, 'message', redactor)),
          ...(expected.logs === undefined ? [] : logDifferences(expected.logs, observed.logs, redactor)),
          ...(expected.calls === undefined ? [] : callDifferences(expected.calls, observed.calls)),
        ];
  return found.map((line) => oneLine(redactor.text(line)));
}

function statusDifference({ status }: Expectation, { status: got, message, error, outputs }: Outcome): string[] {
  const place = error?.line === undefined ? '' : `line ${error.line}: `;
  const more = got === 'completed' ? `with ${shown(outputs ?? {})}` : `${place}${message ?? ''}`;
  return [`status: expected ${status}, got ${got}`, `    ${more}`];
}

/** The run's own text may be redacted already, so redact the expected text, too. */
function textDifference(expected: ExpectedText, got: string | undefined, path: string, redactor: Redactor): string[] {
  const text = redactor.text(got ?? '');
  if (typeof expected === 'string') return redactor.text(expected) === text ? [] : [difference(path, expected, got)];
  return text.includes(redactor.text(expected.contains))
    ? []
    : [`${path}: expected text containing ${shown(expected.contains)}, got ${shown(got)}`];
}

function logDifferences(expected: readonly ExpectedText[], got: readonly string[], redactor: Redactor): string[] {
  const shared = expected
    .slice(0, got.length)
    .flatMap((line, index) => textDifference(line, got[index], `logs.${index}`, redactor));
  const missing = expected.slice(got.length).map((line, index) => {
    const text = typeof line === 'string' ? shown(line) : `text containing ${shown(line.contains)}`;
    return `logs.${got.length + index}: expected ${text}, got no line`;
  });
  const extra = got
    .slice(expected.length)
    .map((line, index) => `logs.${expected.length + index}: expected no more lines, got ${shown(line)}`);
  return [...shared, ...missing, ...extra];
}
