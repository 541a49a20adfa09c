// The error of a run whose request does not fit the declared inputs.
import { privatePart, WfError } from '../values/errors.js';
import type { InputProblem } from './input-types.js';

/** Maximum number of problems in one sentence. */
const mostShown = 10;

export class RequestError extends WfError {
  /** All of them. */
  readonly problems: readonly InputProblem[];

  constructor(problems: readonly InputProblem[]) {
    super('WF642', requestSentence(problems));
    this.problems = problems;
  }
}

/** `The request does not fit the inputs: amount must be a number, and is "x".` Only people who run the workflow see the values. */
function requestSentence(problems: readonly InputProblem[]): string {
  const shown = problems.slice(0, mostShown).map(({ field, problem }) => {
    // The first occurrence: a value may contain these words.
    const at = problem.indexOf(', and ');
    return `${field} ${problem.slice(0, at)}${privatePart(problem.slice(at))}`;
  });
  const more = problems.length > mostShown ? `; and ${problems.length - mostShown} more` : '';
  return `The request does not fit the inputs: ${shown.join('; ')}${more}.`;
}
