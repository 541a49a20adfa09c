// Reports errors that nobody handled in one line each, instead of a stack trace and the end of the process: those of plugins, or of wf itself
// if no plugin can have left them.
import { redactorFor, secretsOf } from '../../runtime/run/redaction.js';
import { oneLine } from '../../runtime/values/one-line.js';
import type { Io } from '../engine/io.js';
import { hasPlugins } from '../engine/prepare/load-plugin.js';
import type { Prepared } from '../engine/prepare/prepared.js';

interface Watched {
  /** The workflows that run, read for each report: their secrets are kept out of it. */
  readonly workflows: () => readonly Prepared[];
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
export function watchUnhandledErrors(io: Io, { workflows, secrets = [], stop }: Watched): () => void {
  const report = (cause: unknown, ofPlugin: string): string => {
    const running = workflows().map(({ workflow }) => workflow);
    const hidden = running.flatMap((workflow) => secretsOf(workflow, io.env));
    const { text: redact } = redactorFor([...new Set([...hidden, ...secrets])]);
    const message = cause instanceof Error ? cause.message : String(cause);
    const sentence = oneLine(redact(`${running.some(hasPlugins) ? ofPlugin : 'Internal error'}: ${message}`));
    if (io.env.WF_DEBUG !== '1' || !(cause instanceof Error)) return sentence;
    return `${sentence}\n${redact(cause.stack ?? '')}`;
  };
  const say = (line: string): void => void io.stderr.write(`${line}\n`);
  const onRejection = (cause: unknown): void => say(report(cause, 'A plugin left an error unhandled'));
  const onException = (cause: unknown): void => {
    const message = report(cause, 'A plugin failed outside of its call');
    if (stop === undefined) say(message);
    else stop.abort(new Error(message));
  };
  process.on('unhandledRejection', onRejection).on('uncaughtException', onException);
  return () => {
    process.off('unhandledRejection', onRejection).off('uncaughtException', onException);
  };
}
