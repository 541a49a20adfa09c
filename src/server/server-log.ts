// What the server tells its operator while it runs: log lines of runs, errors, and with `--verbose` one line a request. Its own file, so
// that one rule holds for all of them: one entry, one line, nothing in it that a terminal obeys (`security.md` 27).
import { oneLine } from '../../runtime/one-line.js';
import { redactorFor } from '../../runtime/redaction.js';
import type { LogEntry, Outcome } from '../../runtime/types.js';
import type { Printer } from '../engine/printer.js';
import type { Reply } from './answer.js';
import type { Exchange } from './exchange.js';

export interface ServerLog {
  /** A `log` statement of a run. */
  logged(exchange: Exchange, entry: LogEntry): void;
  /** A run that ended as `error`; its message holds no secrets any more. */
  failed(exchange: Exchange, outcome: Outcome, file: string): void;
  /** A fault of our own: what was thrown. */
  fault(exchange: Exchange, cause: unknown): void;
  answered(exchange: Exchange, reply: Reply, gone: boolean): void;
  /** A request that broke off before it was whole. */
  brokenOff(exchange: Exchange): void;
}

export interface ServerLogOptions {
  readonly out: Printer;
  readonly err: Printer;
  readonly verbose: boolean;
  /** Shows stacks of faults: `WF_DEBUG=1`. */
  readonly debug: boolean;
  /** The server's own, hidden in every line. */
  readonly secrets: readonly string[];
}

export function createServerLog({ out, err, verbose, debug, secrets }: ServerLogOptions): ServerLog {
  const { text: redact } = redactorFor(secrets);
  const line = (printer: Printer, time: string, exchange: Exchange, text: string): void =>
    printer.line(redact(oneLine(`${time} ${exchange.id} ${text}`)));
  const request = ({ request, path }: Exchange): string => `${request.method} ${path}`;

  return {
    logged: (exchange, entry) => line(out, entry.time, exchange, `log: ${entry.message ?? ''}`),
    failed(exchange, outcome, file) {
      const { message, line: at, code } = outcome.error ?? { message: outcome.message ?? '', line: undefined, code: 'error' };
      const place = at === undefined ? file : `${file}, line ${at}`;
      line(err, now(), exchange, `error in ${place} (${code}): ${message}`);
      if (debug && outcome.cause !== undefined) err.line(redact(stackOf(outcome.cause)));
    },
    fault(exchange, cause) {
      line(err, now(), exchange, `fault at ${request(exchange)}: ${cause instanceof Error ? cause.message : String(cause)}`);
      if (debug) err.line(redact(stackOf(cause)));
    },
    answered(exchange, { status, outcome }, gone) {
      // The end of a run that nobody waits for any more is told in any case (`security.md` 25).
      if (!verbose && !(gone && outcome !== undefined)) return;
      const duration = `${Math.round(performance.now() - exchange.started)}ms`;
      const end = [request(exchange), status, duration, outcome, gone ? '(the client has left)' : undefined];
      line(out, now(), exchange, end.filter((part) => part !== undefined).join(' '));
    },
    brokenOff(exchange) {
      if (verbose)
        line(
          out,
          now(),
          exchange,
          `${request(exchange)} - ${Math.round(performance.now() - exchange.started)}ms broken off by the client`,
        );
    },
  };
}

const now = (): string => new Date().toISOString();

const stackOf = (cause: unknown): string => (cause instanceof Error ? (cause.stack ?? cause.message) : String(cause));
