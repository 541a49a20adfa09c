// The server's messages to its operator: log lines of runs, errors and, with `--verbose`, one line per request. Every entry is
// a single line without control characters, so that data can't forge lines or control a terminal.
import { redactorFor } from '../../runtime/run/redaction.js';
import type { LogEntry } from '../../runtime/types.js';
import { oneLine } from '../../runtime/values/one-line.js';
import { type RunResult, stackOf } from '../engine/engine.js';
import { isOutOfFiles } from '../engine/files/file-fault.js';
import type { LineFields, Printer } from '../engine/records/printer.js';
import { tracePlaceOf } from '../engine/tracing.js';
import type { Reply } from './app/answer.js';
import type { HttpExchange } from './app/exchange.js';

export interface ServerLog {
  /** A `log` statement of a run. */
  logged(origin: LineOrigin, entry: LogEntry): void;
  /** A run that ended as `error`. Its message is already redacted. */
  failed(origin: LineOrigin, result: Pick<RunResult, 'outcome' | 'cause'>, file: string): void;
  /** An internal error, or a lack of files. */
  fault(exchange: HttpExchange, cause: unknown): void;
  answered(exchange: HttpExchange, reply: Reply, gone: boolean): void;
  /** A request that broke off before it was complete. */
  brokenOff(exchange: HttpExchange): void;
}

/** Where a line comes from: a request, or a run that outlived its request. */
interface LineOrigin {
  /** The start of each line of text. */
  readonly id: string;
  /** The other fields are those of JSON. */
  readonly requestId?: string | undefined;
  readonly workflow?: string;
  readonly run?: string;
}

/** The origin of the lines of a run while its request waits for it. @param run known only with a store */
export const originOfRequest = ({ id }: Pick<HttpExchange, 'id'>, workflow: string, run?: string): LineOrigin => ({
  id,
  requestId: id,
  workflow,
  ...(run === undefined ? {} : { run }),
});

/** The origin of the lines of a stored run whose request has been answered. */
export const originOfRun = (workflow: string, run: string): LineOrigin => ({
  id: `${workflow} ${run}`,
  workflow,
  run,
});

interface ServerLogOptions {
  readonly out: Printer;
  readonly err: Printer;
  readonly verbose: boolean;
  /** Print stacks of internal errors (`WF_DEBUG=1`). */
  readonly debug: boolean;
  /** The server's own secrets, redacted in every line. */
  readonly secrets: readonly string[];
  /** Whether runs are kept encrypted: then errors are printed as callers see them, without values. The store has the whole message. */
  readonly isSealed: boolean;
  /** The name of the token that a request carries. */
  readonly callerOf?: ((request: HttpExchange['request']) => string | undefined) | undefined;
}

/** Milliseconds between lines about a lack of files, which may strike every request. */
const QUIET_MS = 60_000;

type WriteLine = (printer: Printer, time: string, origin: LineOrigin, text: string, fields: () => LineFields) => void;

/** Writes lines about requests and runs, as text or with their fields. */
const linesOf =
  (redact: (text: string) => string): WriteLine =>
  (printer, time, origin, text, fields) =>
    printer.line(redact(oneLine(`${timeOfLine(time)} ${origin.id} ${text}`)), () => {
      const { requestId: request, workflow, run } = origin;
      const all = Object.entries({ request, workflow, run, time, ...fields() });
      return Object.fromEntries(
        all.map(([name, value]) => [name, typeof value === 'string' ? redact(value) : value]),
      ) as LineFields; // the same names
    });

const request = ({ request, path }: HttpExchange): string => `${request.method} ${path}`;
const of = ({ id }: HttpExchange): LineOrigin => ({ id, requestId: id });
const about = ({ request, path, started }: HttpExchange) => ({
  method: request.method,
  path,
  durationMs: Math.round(performance.now() - started),
});

export function createServerLog({ out, err, verbose, debug, secrets, isSealed, callerOf }: ServerLogOptions): ServerLog {
  const { text: redact } = redactorFor(secrets);
  const line = linesOf(redact);
  let quietUntil = 0;
  return {
    logged(origin, entry) {
      const { time, message = '' } = entry;
      line(out, time, origin, `log: ${message}`, () => ({ message, ...traceFields(entry) }));
    },
    failed(origin, { outcome, cause }, file) {
      const { message, line: at, code } = saidOf(outcome, isSealed);
      const place = at === undefined ? file : `${file}, line ${at}`;
      const fields = (): LineFields => ({
        level: 'error',
        message,
        code,
        file,
        ...(at === undefined ? {} : { line: at }),
        ...traceFields(outcome),
      });
      line(err, now(), origin, `error in ${place} (${code}): ${message}`, fields);
      if (debug && cause !== undefined) err.line(redact(stackOf(cause)));
    },
    fault(exchange, cause) {
      if (isOutOfFiles(cause)) {
        if (performance.now() < quietUntil) return;
        quietUntil = performance.now() + QUIET_MS;
        const advice = 'Raise the limit (ulimit -n, or LimitNOFILE= of systemd), or lower --max-concurrent.';
        const message = `too many files are open: some requests are answered with 503. ${advice}`;
        line(err, now(), of(exchange), message, () => ({ message }));
        return;
      }
      const message = `internal error at ${request(exchange)}: ${cause instanceof Error ? cause.message : String(cause)}`;
      line(err, now(), of(exchange), message, () => ({ message }));
      if (debug) err.line(redact(stackOf(cause)));
    },
    answered(exchange, { status, outcome, headers = [] }, gone) {
      // Report the end of a run even without --verbose if its client has gone, because the answer reached no one.
      if (!verbose && !(gone && outcome !== undefined)) return;
      const asked = about(exchange);
      const caller = callerOf?.(exchange.request);
      const from = caller === undefined ? undefined : `from ${caller}`;
      const end = [request(exchange), status, `${asked.durationMs}ms`, outcome, from, gone ? '(client disconnected)' : undefined];
      line(out, now(), of(exchange), end.filter((part) => part !== undefined).join(' '), () => ({
        message: gone ? 'The client disconnected.' : 'answered',
        ...asked,
        status,
        outcome,
        caller,
        run: runOf(headers),
      }));
    },
    brokenOff(exchange) {
      if (!verbose) return;
      const asked = about(exchange);
      const message = 'aborted by the client';
      line(out, now(), of(exchange), `${request(exchange)} - ${asked.durationMs}ms ${message}`, () => ({ message, ...asked }));
    },
  };
}

interface SaidError {
  readonly message: string;
  readonly line: number | undefined;
  readonly code: string;
}

function saidOf({ error, message: ended = '' }: RunResult['outcome'], isSealed: boolean): SaidError {
  const { message = ended, publicMessage = message, line, code = 'error' } = error ?? {};
  return { message: isSealed ? publicMessage : message, line, code };
}

/** As OpenTelemetry names them in logs that are not its own. */
function traceFields(of: object): Partial<LineFields> {
  const place = tracePlaceOf(of);
  return place === undefined ? {} : { trace_id: place.traceId, span_id: place.spanId };
}

/** A sentence of the server itself. */
export const say = (printer: Printer, sentence: string): void =>
  printer.line(`${timeOfLine()} ${oneLine(sentence)}`, () => ({ message: oneLine(sentence) }));

const now = (): string => new Date().toISOString();

/** Separates date and time by a space, as RFC 3339 allows for readers. */
const timeOfLine = (time: string = now()): string => time.replace('T', ' ');

/** @param headers alternating names and values */
function runOf(headers: readonly string[]): string | undefined {
  const at = headers.indexOf('X-Run-Id');
  return at === -1 ? undefined : headers[at + 1];
}
