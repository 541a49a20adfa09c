// Tells a webhook (`--alert`) of runs that failed or are stuck, and of schedules that are late: the first of a workflow at once, then one
// message a minute at most.
import { redactorFor } from '../../../runtime/run/redaction.js';
import { counted } from '../../../runtime/texts/words.js';
import type { Environment } from '../../../runtime/types.js';
import { createTransport } from '../transport/transport.js';
import type { ReportedRun } from './run-record.js';

export interface Alerts {
  /** Ignores runs that completed or were rejected. Never waits for the webhook. */
  ended(record: ReportedRun): void;
  /** A schedule whose due times passed before anyone noticed. */
  late(schedule: LateSchedule): void;
  /** Sends what has been held back, for up to five seconds. */
  close(): Promise<void>;
}

export interface LateSchedule {
  readonly prepared: ReportedRun['prepared'] & { readonly basename: string };
  /** The number of due times. */
  readonly count: number;
  /** The first of them, in words. */
  readonly first: string;
}

interface AlertsOptions {
  /** Address of the webhook. Whoever knows it can write there, so no message shows it. */
  readonly url: string;
  readonly env: Environment;
  /** Where people find a run; `undefined` if there is no such page. */
  readonly linkOf: (run: string) => string | undefined;
  /** Where people find a workflow; absent if there is no such page. */
  readonly linkOfWorkflow?: ((basename: string) => string | undefined) | undefined;
  /** Receives a sentence if the webhook can't be reached. */
  readonly onProblem: (sentence: string) => void;
  /** Milliseconds between two messages about a workflow. */
  readonly intervalMs?: number;
}

const MINUTE_MS = 60_000;
const SEND_MS = 10_000;
const CLOSE_MS = 5_000;
const MOST_CHARACTERS = 2_000;

/** The message about the last of several. */
type MessageOf = (count: number) => object;

/** Events since the last message about the runs, or the schedule, of a workflow. */
interface Held {
  count: number;
  last: MessageOf | undefined;
  timer: NodeJS.Timeout;
}

export function createAlerts(options: AlertsOptions): Alerts {
  const { url, env, linkOf, linkOfWorkflow, onProblem, intervalMs = MINUTE_MS } = options;
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
  const send = (message: object): void => {
    const sent = post(JSON.stringify(message));
    sending.add(sent);
    void sent.finally(() => sending.delete(sent));
  };
  const wait = (about: string): NodeJS.Timeout => setTimeout(flush, intervalMs, about).unref();
  const flush = (about: string): void => {
    const group = held.get(about);
    if (group?.last === undefined) return void held.delete(about);
    send(group.last(group.count));
    held.set(about, { count: 0, last: undefined, timer: wait(about) });
  };
  const tell = (about: string, message: MessageOf, count = 1): void => {
    const group = held.get(about);
    if (group === undefined) {
      held.set(about, { count: 0, last: undefined, timer: wait(about) });
      send(message(count));
    } else {
      group.count += count;
      group.last = message;
    }
  };

  return {
    ended(record) {
      if (record.unfinished === undefined ? record.outcome.status !== 'error' : record.unfinished !== 'stuck') return;
      tell(`run ${record.prepared.file}`, (count) => alertOf(record, count, linkOf));
    },
    late(schedule) {
      const link = linkOfWorkflow?.(schedule.prepared.basename);
      tell(`schedule ${schedule.prepared.file}`, (count) => lateAlertOf(schedule, count, link), schedule.count);
    },
    async close() {
      for (const [about, { timer }] of held) {
        clearTimeout(timer);
        flush(about);
        clearTimeout(held.get(about)?.timer);
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
    workflow: name,
    file: prepared.file,
    status,
    message,
    count,
    ...(line === undefined ? {} : { line }),
    ...(code === undefined ? {} : { code }),
    ...(link === undefined ? {} : { run: runId, link }),
  };
}

function lateAlertOf({ prepared: { file, workflow }, first }: LateSchedule, count: number, link: string | undefined): object {
  const message =
    count === 1
      ? `the due time ${first} passed unnoticed.`
      : `${counted(count, 'due time')} passed unnoticed, the last ones since ${first}.`;
  return {
    text: `The schedule of "${workflow.name}" (${file}) is late: ${message}${link === undefined ? '' : ` ${link}`}`,
    workflow: workflow.name,
    file,
    status: 'late',
    message,
    count,
    ...(link === undefined ? {} : { link }),
  };
}
