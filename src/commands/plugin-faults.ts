// Reports errors that plugins leave unhandled in one line each, instead of a stack trace and the end of the process. Loaded only if a
// workflow has plugins.
import { redactorFor, secretsOf } from '../../runtime/run/redaction.js';
import { oneLine } from '../../runtime/values/one-line.js';
import type { Io } from '../engine/io.js';
import type { Prepared } from '../engine/prepare/prepared.js';

interface Watched {
  /** The single workflow that runs. Its secrets are kept out of the report. */
  readonly prepared?: Prepared;
  /** Several workflows instead, read for each report. */
  readonly workflows?: () => readonly Prepared[];
  /** Further text to keep out of reports: a server's token. */
  readonly secrets?: readonly string[];
  readonly stop?: AbortController;
}

/**
 * Reports unhandled rejections and lets the run continue. An exception from a timer or a socket ends the run through `stop`, because it may
 * have broken anything. Servers and schedules pass no `stop`: the exception is only reported, because no one can tell which run caused it,
 * and the others must continue.
 * @returns a function that stops watching
 */
export function watchPlugins(io: Io, { prepared, workflows, secrets = [], stop }: Watched = {}): () => void {
  const messageOf = (cause: unknown): string => {
    const running = workflows?.() ?? (prepared === undefined ? [] : [prepared]);
    const hidden = running.flatMap(({ workflow }) => secretsOf(workflow, io.env));
    return oneLine(
      redactorFor([...new Set([...hidden, ...secrets])]).text(cause instanceof Error ? cause.message : String(cause)),
    );
  };
  const say = (line: string): void => void io.stderr.write(`${line}\n`);
  const onRejection = (cause: unknown): void => say(`A plugin left an error unhandled: ${messageOf(cause)}`);
  const onException = (cause: unknown): void => {
    const message = `A plugin failed outside of its call: ${messageOf(cause)}`;
    if (stop === undefined) say(message);
    else stop.abort(new Error(message));
  };
  process.on('unhandledRejection', onRejection).on('uncaughtException', onException);
  return () => {
    process.off('unhandledRejection', onRejection).off('uncaughtException', onException);
  };
}
