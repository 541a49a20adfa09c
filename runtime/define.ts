// An emitted `main` → the `run` that its module exports. Its own file, because here every way in which a run can end becomes data.
import { type RunStop, runStops } from './call-errors.js';
import { completed, type Ending } from './ending.js';
import { RunEnded, WfError } from './errors.js';
import { assertPlain } from './fields.js';
import { Run } from './run.js';
import type { Outcome, Place, RunError, RunFunction, RunOptions, ServiceSpec, Value, WfRecord, WorkflowInfo } from './types.js';
import { plain } from './values.js';

export type Main = (run: Run, request: WfRecord) => Promise<Ending | undefined>;

/**
 * Makes the `run` of an emitted module. It never rejects: whatever a workflow, its input or a service causes is an outcome.
 * @param directKeys names of fields that the module reads without the help of the runtime.
 * @param services the services of the module: credentials that stand in their headers stay out of the log from the start.
 */
export function defineWorkflow(
  workflow: WorkflowInfo,
  directKeys: readonly string[],
  main: Main,
  services: readonly ServiceSpec[] = [],
): RunFunction {
  return async (request, options = {}) => {
    const run = new Run(workflow, options, services);
    let outcome: Outcome;
    try {
      guard(directKeys);
      run.check();
      const ending = (await main(run, requestOf(request, options))) ?? completed([]);
      run.finish();
      // Not a spread, and not Object.assign: either takes longer than the rest of a small run.
      outcome = ending as Outcome; // with the next line it is one
      outcome.log = run.journal.entries;
    } catch (error) {
      run.finish();
      outcome = errorOutcome(error, run);
    }
    if (run.journal.dropped > 0) outcome.dropped = run.journal.dropped;
    // Whoever keeps the log writes it down, with the request and the outputs beside it; nobody else pays for this.
    if (run.journal.keeps) Object.defineProperty(outcome, 'redactor', { get: () => run.journal.redactor });
    return outcome;
  };
}

function guard(directKeys: readonly string[]): void {
  try {
    assertPlain(directKeys);
  } catch (error) {
    throw asWfError(
      runStops.cannotStart(error instanceof Error ? error.message : 'The data of this process is not safe to read.'),
    );
  }
}

function requestOf(request: unknown, options: RunOptions): WfRecord {
  if (options.requestIsPlain) return request as WfRecord; // The host has promised it.
  const value: Value = plain(request ?? {});
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  throw asWfError(runStops.cannotStart('The request must be a record of fields, such as { "id": 7 }.'));
}

const asWfError = ({ code, message }: RunStop): WfError => new WfError(code, message);

function errorOutcome(thrown: unknown, run: Run): Outcome {
  const error = runError(thrown, run);
  error.message = run.journal.redactor.text(error.message);
  const outcome: Outcome = { status: 'error', message: error.message, error, log: run.journal.entries };
  if (error.code === 'WF699') Object.defineProperty(outcome, 'cause', { value: thrown });
  return outcome;
}

function runError(thrown: unknown, run: Run): RunError {
  if (thrown instanceof WfError) return { message: thrown.message, ...position(thrown.place), code: thrown.code };
  if (thrown instanceof RunEnded) return { ...(run.stop ?? runStops.interrupted(thrown.message)) };
  // The engine's own limits: its stack is used up only by data that is nested too deep, the rest by data that is too large.
  if (thrown instanceof RangeError)
    return { ...(thrown.message.includes('call stack') ? runStops.tooDeep() : runStops.tooLarge()) };
  return { ...runStops.unexpected() };
}

function position(place: Place | undefined): Pick<RunError, 'line' | 'column' | 'length'> {
  return place === undefined ? {} : { line: place[0], column: place[1], length: place[2] };
}
