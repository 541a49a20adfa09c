// What plugins leave unhandled → one line each, instead of a stack and the end of the process. Its own file, because every command that
// runs workflows needs it, and only those with plugins load it.
import { oneLine } from '../../runtime/one-line.js';
import { redactorFor, secretsOf } from '../../runtime/redaction.js';
import type { Prepared } from '../engine/prepared.js';
import type { Io } from './io.js';

interface Watched {
  /** The one workflow that runs: its secrets are kept out of the line. */
  readonly prepared?: Prepared;
  /** The same of many, asked at each line. */
  readonly workflows?: () => readonly Prepared[];
  /** Further texts that no line may hold: a server's token. */
  readonly secrets?: readonly string[];
  readonly stop?: AbortController;
}

/**
 * A promise that nobody waits for is told, and the run goes on. An exception out of a timer or a socket ends the run through `stop`:
 * nobody knows what else it broke. Without `stop`, for servers and schedules, it is only told: nobody knows whose run it was either, and
 * the others must not end with it.
 * @returns what ends the watch
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
