// What plugins leave unhandled → one line each, instead of a stack and the end of the process. Its own file, because every command that
// runs workflows needs it, and only those with plugins load it.
import { oneLine } from '../../runtime/one-line.js';
import { redactorFor, secretsOf } from '../../runtime/redaction.js';
import type { Prepared } from '../engine/prepared.js';
import type { Io } from './io.js';

interface Watched {
  /** The one workflow that runs: its secrets are kept out of the line. */
  readonly prepared?: Prepared;
  readonly stop?: AbortController;
}

/**
 * A promise that nobody waits for is told, and the run goes on. An exception out of a timer or a socket ends the run through `stop`,
 * where one is given: nobody knows what else it broke.
 * @returns what ends the watch
 */
export function watchPlugins(io: Io, { prepared, stop }: Watched = {}): () => void {
  const redactor = redactorFor(prepared === undefined ? [] : secretsOf(prepared.workflow, io.env));
  const messageOf = (cause: unknown): string => oneLine(redactor.text(cause instanceof Error ? cause.message : String(cause)));
  const onRejection = (cause: unknown): void => void io.stderr.write(`A plugin left an error unhandled: ${messageOf(cause)}\n`);
  const onException = (cause: unknown): void =>
    stop?.abort(new Error(`A plugin failed outside of its call: ${messageOf(cause)}`));
  process.on('unhandledRejection', onRejection);
  if (stop !== undefined) process.on('uncaughtException', onException);
  return () => {
    process.off('unhandledRejection', onRejection).off('uncaughtException', onException);
  };
}
