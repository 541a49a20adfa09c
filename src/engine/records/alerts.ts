// Tells a webhook (`--alert`) of runs that failed or are stuck: the first of a workflow at once, then one message a minute at most.
import { redactorFor } from '../../../runtime/run/redaction.js';
import type { Environment } from '../../../runtime/types.js';
import { counted } from '../../compiler/diagnostics/render-text.js';
import { createTransport } from '../transport/transport.js';
import type { ReportedRun } from './run-record.js';

export interface Alerts {
  /** Ignores runs that completed or were rejected. Never waits for the webhook. */
  ended(record: ReportedRun): void;
  /** Sends what has been held back, for up to five seconds. */
  close(): Promise<void>;
}

interface AlertsOptions {
  /** Address of the webhook. Whoever knows it can write there, so no message shows it. */
  readonly url: string;
  readonly env: Environment;
  /** Where people find a run; `undefined` if there is no such page. */
  readonly linkOf: (run: string) => string | undefined;
  /** Receives a sentence if the webhook can't be reached. */
  readonly onProblem: (sentence: string) => void;
  /** Milliseconds between two messages about a workflow. */
  readonly intervalMs?: number;
}

const MINUTE_MS = 60_000;
const SEND_MS = 10_000;
const CLOSE_MS = 5_000;
const MOST_CHARACTERS = 2_000;

/** What has happened since the last message about a workflow. */
interface Held {
  count: number;
  last: ReportedRun | undefined;
  timer: NodeJS.Timeout;
}

export function createAlerts({ url, env, linkOf, onProblem, intervalMs = MINUTE_MS }: AlertsOptions): Alerts {
  const { transport, close } = createTransport({ env });
  // With a path, which the transport needs.
  const address = new URL(url).href;
  const held = new Map<string, Held>();
  const sending = new Set<Promise<void>>();

  const post = async (body: string): Promise<void> => {
    const signal = AbortSignal.timeout(SEND_MS);
    const onAbort = (callback: () => void): void => signal.addEventListener('abort', callback);
    const headers = { 'content-type': 'application/json', 'user-agent': `wf/${WF_VERSION}` };
    try {
      const { status } = await transport({ method: 'POST', url: address, headers, body, signal, onAbort, maxBytes: 1024 });
      if (status >= 300) onProblem(`An alert was not accepted: the webhook answered ${status}.`);
    } catch (error) {
      const reason = error instanceof Error ? redactorFor([url, address]).text(error.message) : 'no answer';
      onProblem(`An alert could not be sent: ${reason}`);
    }
  };
  const send = (record: ReportedRun, count: number): void => {
    const sent = post(JSON.stringify(alertOf(record, count, linkOf)));
    sending.add(sent);
    void sent.finally(() => sending.delete(sent));
  };
  const wait = (workflow: string): NodeJS.Timeout => setTimeout(flush, intervalMs, workflow).unref();
  const flush = (workflow: string): void => {
    const group = held.get(workflow);
    if (group?.last === undefined) return void held.delete(workflow);
    send(group.last, group.count);
    held.set(workflow, { count: 0, last: undefined, timer: wait(workflow) });
  };

  return {
    ended(record) {
      if (record.unfinished === undefined ? record.outcome.status !== 'error' : record.unfinished !== 'stuck') return;
      const workflow = record.prepared.file;
      const group = held.get(workflow);
      if (group === undefined) {
        held.set(workflow, { count: 0, last: undefined, timer: wait(workflow) });
        return send(record, 1);
      }
      group.count++;
      group.last = record;
    },
    async close() {
      for (const [workflow, { timer }] of held) {
        clearTimeout(timer);
        flush(workflow);
        clearTimeout(held.get(workflow)?.timer);
      }
      const late = new Promise<void>((resolve) => setTimeout(resolve, CLOSE_MS).unref());
      await Promise.race([Promise.all(sending), late]);
      await close();
    },
  };
}

/** `text` is what Slack, Teams and Mattermost show. Contains no values of the run. */
function alertOf(
  { prepared, outcome, unfinished, runId, redactor }: ReportedRun,
  count: number,
  linkOf: AlertsOptions['linkOf'],
): object {
  const { name } = prepared.workflow;
  const { line, code, publicMessage = outcome.message ?? '' } = outcome.error ?? {};
  const message = redactor.text(publicMessage).slice(0, MOST_CHARACTERS);
  const status = unfinished ?? outcome.status;
  const what = status === 'stuck' ? (count === 1 ? 'is stuck' : 'are stuck') : 'failed';
  const place = line === undefined ? prepared.file : `${prepared.file}, line ${line}`;
  const begin = count === 1 ? `A run of "${name}" ${what}` : `${counted(count, 'run')} of "${name}" ${what}, the last one`;
  const link = linkOf(runId);
  return {
    text: `${begin} in ${place}: ${message}${link === undefined ? '' : ` ${link}`}`,
    ...{ workflow: name, file: prepared.file, status, message, count },
    ...(line === undefined ? {} : { line }),
    ...(code === undefined ? {} : { code }),
    ...(link === undefined ? {} : { run: runId, link }),
  };
}
