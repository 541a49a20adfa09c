// The server's messages to its operator: log lines of runs, errors and, with `--verbose`, one line per request. Every entry is
// a single line without control characters, so that data can't forge lines or control a terminal.

import { redactorFor } from '../../runtime/run/redaction.js';
import type { LogEntry } from '../../runtime/types.js';
import { oneLine } from '../../runtime/values/one-line.js';
import type { RunResult } from '../engine/engine.js';
import { isOutOfFiles } from '../engine/files/file-fault.js';
import type { Printer } from '../engine/records/printer.js';
import type { Reply } from './app/answer.js';
import type { HttpExchange } from './app/exchange.js';

export interface ServerLog {
  /** A `log` statement of a run. */
  logged(exchange: HttpExchange, entry: LogEntry): void;
  /** A run that ended as `error`. Its message is already redacted. */
  failed(exchange: HttpExchange, result: Pick<RunResult, 'outcome' | 'cause'>, file: string): void;
  /** An internal error, or a lack of files. */
  fault(exchange: HttpExchange, cause: unknown): void;
  answered(exchange: HttpExchange, reply: Reply, gone: boolean): void;
  /** A request that broke off before it was complete. */
  brokenOff(exchange: HttpExchange): void;
}

export interface ServerLogOptions {
  readonly out: Printer;
  readonly err: Printer;
  readonly verbose: boolean;
  /** Print stacks of internal errors (`WF_DEBUG=1`). */
  readonly debug: boolean;
  /** The server's own secrets, redacted in every line. */
  readonly secrets: readonly string[];
}

/** Milliseconds between lines about a lack of files, which may strike every request. */
const QUIET_MS = 60_000;

export function createServerLog({ out, err, verbose, debug, secrets }: ServerLogOptions): ServerLog {
  const { text: redact } = redactorFor(secrets);
  const line = (printer: Printer, time: string, exchange: HttpExchange, text: string): void =>
    printer.line(redact(oneLine(`${time} ${exchange.id} ${text}`)));
  const request = ({ request, path }: HttpExchange): string => `${request.method} ${path}`;

  let quietUntil = 0;
  return {
    logged: (exchange, entry) => line(out, entry.time, exchange, `log: ${entry.message ?? ''}`),
    failed(exchange, { outcome, cause }, file) {
      const { message, line: at, code } = outcome.error ?? { message: outcome.message ?? '', line: undefined, code: 'error' };
      const place = at === undefined ? file : `${file}, line ${at}`;
      line(err, now(), exchange, `error in ${place} (${code}): ${message}`);
      if (debug && cause !== undefined) err.line(redact(stackOf(cause)));
    },
    fault(exchange, cause) {
      if (isOutOfFiles(cause)) {
        if (performance.now() < quietUntil) return;
        quietUntil = performance.now() + QUIET_MS;
        const advice = 'Raise the limit (ulimit -n, or LimitNOFILE= of systemd), or lower --max-concurrent.';
        line(err, now(), exchange, `too many files are open: some requests are answered with 503. ${advice}`);
        return;
      }
      line(
        err,
        now(),
        exchange,
        `internal error at ${request(exchange)}: ${cause instanceof Error ? cause.message : String(cause)}`,
      );
      if (debug) err.line(redact(stackOf(cause)));
    },
    answered(exchange, { status, outcome }, gone) {
      // Report the end of a run even without --verbose if its client has gone, because the answer reached no one.
      if (!verbose && !(gone && outcome !== undefined)) return;
      const duration = `${Math.round(performance.now() - exchange.started)}ms`;
      const end = [request(exchange), status, duration, outcome, gone ? '(client disconnected)' : undefined];
      line(out, now(), exchange, end.filter((part) => part !== undefined).join(' '));
    },
    brokenOff(exchange) {
      if (verbose)
        line(
          out,
          now(),
          exchange,
          `${request(exchange)} - ${Math.round(performance.now() - exchange.started)}ms aborted by the client`,
        );
    },
  };
}

const now = (): string => new Date().toISOString();

const stackOf = (cause: unknown): string => (cause instanceof Error ? (cause.stack ?? cause.message) : String(cause));
