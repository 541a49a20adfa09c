// What a case expects and how its run ended → the lines that say where they differ; none where the case has passed.
import { oneLine } from '../../runtime/one-line.js';
import type { Outcome, Redactor } from '../../runtime/types.js';
import { callDifferences } from './match-calls.js';
import { difference, differences, shown } from './match-value.js';
import type { Expectation, ExpectedText, MadeCall } from './test-case.js';

/** What a run of a case left behind. */
export interface Observed {
  readonly outcome: Outcome;
  /** Every `log` line of the author's, as logs show it: secrets are redacted. */
  readonly logs: readonly string[];
  readonly calls: readonly MadeCall[];
  readonly redactor: Redactor;
}

/** Where the run ended in another way than expected, that alone is told: the rest follows from it. */
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

/** The run's own texts may be redacted already: the expected one is compared as it would be. */
function textDifference(expected: ExpectedText, got: string | undefined, path: string, redactor: Redactor): string[] {
  const text = redactor.text(got ?? '');
  if (typeof expected === 'string') return redactor.text(expected) === text ? [] : [difference(path, expected, got)];
  return text.includes(redactor.text(expected.contains))
    ? []
    : [`${path}: expected a text that contains ${shown(expected.contains)}, got ${shown(got)}`];
}

function logDifferences(expected: readonly ExpectedText[], got: readonly string[], redactor: Redactor): string[] {
  const shared = expected
    .slice(0, got.length)
    .flatMap((line, index) => textDifference(line, got[index], `logs.${index}`, redactor));
  const missing = expected.slice(got.length).map((line, index) => {
    const text = typeof line === 'string' ? shown(line) : `a text that contains ${shown(line.contains)}`;
    return `logs.${got.length + index}: expected ${text}, got no such line`;
  });
  const extra = got
    .slice(expected.length)
    .map((line, index) => `logs.${expected.length + index}: expected no further line, got ${shown(line)}`);
  return [...shared, ...missing, ...extra];
}
