// Turns an emitted `main` into the `run` that its module exports. Every way that a run can end becomes data here.
import { inTurns } from './in-turns.js';
import type { acceptRequest } from './inputs/accept-request.js';
import { RequestError } from './inputs/request-error.js';
import { refusedOf, suspensionOf } from './run/durable-run.js';
import { Run } from './run/run.js';
import type { RunLog } from './run/run-log.js';
import { nextTurn } from './run/yield-queue.js';
import { type RunStop, runStops } from './services/call-errors.js';
import type {
  MessagePlace,
  Outcome,
  OwnAnswer,
  Redactor,
  RunDetails,
  RunError,
  RunFunction,
  RunOptions,
  ServiceSpec,
  Value,
  WfRecord,
  WorkflowInfo,
} from './types.js';
import { atLine, locatedAt, RunEnded, WfError } from './values/errors.js';
import { assertPlain } from './values/fields.js';
import { rememberJson } from './values/long-json.js';
import { longOutput, shortOutputs } from './values/output.js';
import { record } from './values/record.js';
import { plain, show, textToPutOut } from './values/values.js';
import { postponed } from './workload.js';

export type Main = (run: Run, request: WfRecord) => Promise<Completion | undefined>;

/**
 * Creates the `run` of an emitted module. Whatever a workflow, its input or a service causes is an outcome. It rejects only if the journal
 * releases the run.
 * @param directKeys names of fields that the module reads without the runtime
 * @param accept validates the request against the inputs, if the module declares any
 * @param services the services of the module: credentials in their headers stay out of the log from the start
 * @param once the value of `once for each`
 * @param early the messages for which a run has a place from the start
 */
export function defineWorkflow(
  workflow: WorkflowInfo,
  directKeys: readonly string[],
  main: Main,
  services: readonly ServiceSpec[] = [],
  accept?: typeof acceptRequest,
  once?: (run: Run, request: WfRecord) => Promise<Value>,
  early?: readonly EarlyMessage[],
): RunFunction {
  const execute: RunFunction = async (request, options = {}) => {
    const run = new Run(workflow, options, services);
    let outcome: Outcome;
    let cause: unknown;
    try {
      guard(directKeys);
      run.check();
      let ending =
        (await main(run, accept === undefined ? requestOf(request, options) : acceptedOf(request, run, accept))) ?? completed([]);
      if (ending.status === 'completed' && ending.longAt !== undefined) ending = await written(run, ending, ending.longAt);
      run.finish();
      // Not a spread or Object.assign: either takes longer than the rest of a small run.
      outcome = ending as Outcome; // with the next line it is one
      outcome.log = run.journal.entries;
    } catch (error) {
      if (options.durable !== undefined && suspensionOf(error) !== undefined) {
        run.letGo();
        throw error;
      }
      run.finish();
      outcome = errorOutcome(error, run);
      if (outcome.error?.code === 'WF699') cause = error;
    }
    if (run.journal.dropped > 0) outcome.dropped = run.journal.dropped;
    options.onEnd?.(new Details(run, cause));
    return outcome;
  };
  if (once === undefined && early === undefined) return execute;
  const begin = (request: WfRecord, options: RunOptions): readonly [Run, WfRecord] => {
    guard(directKeys);
    return [new Run(workflow, options, services), requestOf(request, options)];
  };
  return Object.assign(execute, {
    ...(once === undefined ? {} : { onceFor: async (request: WfRecord, options = {}) => once(...begin(request, options)) }),
    ...(early === undefined
      ? {}
      : { placesFor: async (request: WfRecord, options = {}) => placesOf(early, ...begin(request, options)) }),
  });
}

type EarlyMessage = readonly [
  name: string,
  pairs: (run: Run, request: WfRecord) => Promise<readonly (readonly [string, Value])[]>,
];

/** The places that a request has. What can't be computed, or is empty, is an error only where the run waits. */
async function placesOf(early: readonly EarlyMessage[], run: Run, request: WfRecord): Promise<MessagePlace[]> {
  const places: MessagePlace[] = [];
  for (const [name, pairsFor] of early) {
    const pairs = await pairsFor(run, request).catch(() => []);
    if (pairs.length > 0 && pairs.every(([, value]) => value !== null && value !== undefined)) places.push({ name, pairs });
  }
  return places;
}

/** Creates the redactor only if someone asks. A class, because V8 gives each object literal with a getter its own hidden class. */
class Details implements RunDetails {
  readonly cause: unknown;
  readonly #journal: RunLog;

  constructor({ journal }: Run, cause: unknown) {
    this.#journal = journal;
    this.cause = cause;
  }

  get redactor(): Redactor {
    return this.#journal.redactor;
  }
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

/** The request without undeclared fields. @throws RequestError with all its problems */
function acceptedOf(request: unknown, { workflow, options }: Run, accept: typeof acceptRequest): WfRecord {
  const given = requestOf(request, options);
  if (options.requestIsAccepted === true || workflow.inputs === undefined) return given;
  const { request: accepted, problems } = accept(workflow.inputs, given, { timezone: workflow.timezone ?? options.timezone });
  if (problems.length > 0) throw new RequestError(problems);
  return accepted;
}

const asWfError = ({ code, message }: RunStop): WfError => new WfError(code, message);

function errorOutcome(thrown: unknown, run: Run): Outcome {
  const error = runError(thrown, run);
  const { redactor } = run.journal;
  error.message = redactor.text(error.message);
  if (error.publicMessage !== undefined) error.publicMessage = redactor.text(error.publicMessage);
  return { status: 'error', message: error.message, error, log: run.journal.entries };
}

function runError(thrown: unknown, run: Run): RunError {
  if (thrown instanceof WfError) {
    const { message, publicMessage, location, code } = thrown;
    const problems = thrown instanceof RequestError ? { problems: thrown.problems } : {};
    return { message, ...(publicMessage === message ? {} : { publicMessage }), ...position(location), code, ...problems };
  }
  if (thrown instanceof RunEnded) return { ...(run.stop ?? runStops.interrupted(thrown.message)) };
  const refused = refusedOf(thrown);
  if (refused !== undefined) return { ...refused };
  // Limits of the JavaScript engine: only deeply nested data exhausts its stack; otherwise the data is too large.
  if (thrown instanceof RangeError)
    return { ...(thrown.message.includes('call stack') ? runStops.tooDeep() : runStops.tooLarge()) };
  return { ...runStops.unexpected() };
}

function position(location: WfError['location']): Pick<RunError, 'line' | 'column' | 'length'> {
  if (location === undefined) return {};
  const [line, column, length] = location;
  return column === undefined || length === undefined ? { line } : { line, column, length };
}

interface Completed {
  readonly status: 'completed';
  readonly outputs: WfRecord;
  readonly answer?: OwnAnswer;
  /** The line of long outputs, which are not yet what they will be as JSON. */
  readonly longAt?: number;
}

export type Completion = Completed | { readonly status: 'rejected'; readonly message: string };

type OutputPairs = readonly (readonly [key: string, value: Value])[];
type GivenAnswer = { readonly status?: number; readonly text?: Value };

/** `complete with …`: the outputs, in the order of the file. A module of an earlier build does not say its line. */
export function completed(pairs: OutputPairs, own?: GivenAnswer, line = 0): Completion {
  const put = atLine(line, () => shortOutputs(pairs.map(([, value]) => value)));
  if (put === postponed) return { ...completion(record(pairs), own, line), longAt: line };
  return completion(record(pairs.map(([key], index) => [key, put[index]] as const)), own, line);
}

/** Writes long outputs in turns, and when it is the turn of this run to do so. @throws RunEnded if it must end */
async function written(run: Run, { longAt: _, ...completion }: Completed, line: number): Promise<Completed> {
  const { turnToEnd } = run.options;
  // The attempt has taken its time, and so does the next step: each names all keys of a record.
  await nextTurn();
  if (turnToEnd !== undefined) await run.within(Number.POSITIVE_INFINITY, turnToEnd);
  try {
    const { put, json } = await inTurns(run, longOutput(completion.outputs));
    return { ...completion, outputs: rememberJson(put as WfRecord, json) }; // as what it was
  } catch (error) {
    throw locatedAt(error, [line]);
  }
}

function completion(values: WfRecord, own: GivenAnswer | undefined, line: number): Completed {
  if (own === undefined) return { status: 'completed', outputs: values };
  const text = own.text === undefined ? {} : { text: putOut(own.text, line) };
  return {
    status: 'completed',
    outputs: values,
    answer: { ...(own.status === undefined ? {} : { status: own.status }), ...text },
  };
}

/** `reject with …`: the message as text. */
export const rejected = (message: Value, line = 0): Completion => ({ status: 'rejected', message: putOut(message, line) });

const putOut = (value: Value, line: number): string => atLine(line, () => textToPutOut(show(value)));
