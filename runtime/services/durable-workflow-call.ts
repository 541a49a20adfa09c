// A call of another workflow from a run with a journal: its effects belong to a branch of the caller's journal, and so does its end.
import { Cancellation } from '../run/cancellation.js';
import { longestTimer } from '../run/clock.js';
import {
  type CalledEnd,
  type CalledRun,
  type DurableBranch,
  type DurableFork,
  type EffectSite,
  suspend,
} from '../run/durable-run.js';
import type { Run } from '../run/run.js';
import { toOutcome } from '../run/to-outcome.js';
import type { CallRequest, Outcome, TraceSpan } from '../types.js';
import type { AttemptResult } from './attempt.js';
import { noAnswerInTime } from './call-errors.js';
import { calledRequest, calledResult, callingWorkflow, runWorkflow } from './workflow-call.js';

interface KeptWorkflow {
  readonly result: AttemptResult;
  /** It had ended in an earlier process. */
  readonly replayed: boolean;
}

interface KeptAttempt {
  readonly site: EffectSite;
  /** From 1. */
  readonly attempt: number;
  /** Of this attempt, if the run is traced. */
  readonly trace: TraceSpan | undefined;
}

/** @throws a suspension if the journal releases the run */
export async function keptWorkflow(
  run: Run,
  durable: DurableBranch,
  request: CallRequest,
  { site, attempt, trace }: KeptAttempt,
): Promise<KeptWorkflow> {
  const { called, folder = '', timeoutMs = Number.POSITIVE_INFINITY } = request.service;
  // Without its module, no one can say what it did. Such a run is only shown, never continued.
  if (called === undefined) throw suspend('lost');
  const { name: title, version, file, trigger, timeoutMs: ofFile = Number.POSITIVE_INFINITY } = called.workflow;
  const { timezone = run.options.timezone } = run.workflow;
  const withinMs = Math.min(timeoutMs, ofFile);
  const asked: CalledRun = {
    title,
    version,
    file: `${folder}${file}`,
    trigger,
    request: calledRequest(request),
    attempt,
    ...(timezone === undefined ? {} : { timezone }),
    ...(withinMs === Number.POSITIVE_INFINITY ? {} : { withinMs }),
  };
  const fork = await durable.fork({ ...site, kind: 'fork' }, asked);
  const past = fork.ended?.called;
  // The clock that ended it would end it elsewhere today.
  if (past !== undefined && wasOverTime(past)) {
    fork.end({ begun: 1, called: past });
    return {
      result: past.isLate === true ? noAnswerInTime(timeoutMs) : calledResult(toOutcome(past), called),
      replayed: true,
    };
  }
  const branch = fork.branch(0);
  await branch.ready();
  const { startedAt = branch.now } = fork;
  const id = run.options.durable?.id ?? '';
  const main = inCaller(branch, site, file);
  // If its end is recorded, it was in time.
  const isReplay = fork.ended !== undefined || run.options.durable?.isReplay === true;
  const limit = new CallLimit(isReplay ? Number.POSITIVE_INFINITY : timeoutMs - (Date.now() - startedAt));
  const outcome = await callingWorkflow(run, request, () =>
    run.within(Number.POSITIVE_INFINITY, (cancellation) =>
      runWorkflow(run, request, called, {
        cancellation: limit.within(cancellation),
        trace,
        durable: { protocol: 1, id, startedAt, isReplay, main },
      }),
    ),
  ).finally(() => limit.end());
  // It may have ended in the same moment.
  const isLate = limit.isOver && outcome.error?.code === 'WF691';
  const result = isLate ? noAnswerInTime(timeoutMs) : calledResult(outcome, called);
  const end = isLate ? lateEnd(timeoutMs) : endOf(run, outcome, result);
  if (!wasOverTime(end)) branch.complete();
  branch.close();
  fork.end({ begun: 1, called: end });
  return { result, replayed: fork.ended !== undefined };
}

/** Whether the clock ended it, either its own time limit or that of its caller. */
const wasOverTime = ({ isLate, error }: CalledEnd): boolean => isLate === true || error?.code === 'WF690';

function lateEnd(ms: number): CalledEnd {
  const { cause } = noAnswerInTime(ms);
  return { status: 'error', message: `The caller got ${cause}.`, cause, isLate: true };
}

function endOf(run: Run, { status, outputs, message, error }: Outcome, result: AttemptResult): CalledEnd {
  return {
    status,
    ...(outputs === undefined ? {} : { outputs }),
    ...(message === undefined ? {} : { message }),
    ...(error === undefined ? {} : { error }),
    ...(result.ok ? {} : { cause: run.journal.redactor.text(result.cause) }),
  };
}

const insideOf = ({ line, title, identity }: EffectSite, file: string): NonNullable<EffectSite['inside']> =>
  identity === undefined ? { file, line, title } : { file, line, title, identity };

/**
 * A branch whose effects are shown at the line of the call, because their own lines belong to another file.
 * @param file base name of the called workflow
 */
function inCaller(
  branch: DurableBranch,
  { line, service = '' }: Pick<EffectSite, 'line' | 'service'>,
  file: string,
): DurableBranch {
  const shown = (own: EffectSite): EffectSite =>
    own.inside === undefined
      ? { ...own, line, title: `${file} › ${own.title}`, identity: `${file} ${own.identity}`, inside: insideOf(own, file) }
      : { ...own, line };
  const within = (of: DurableBranch): DurableBranch => inCaller(of, { line, service }, file);
  return {
    get now() {
      return branch.now;
    },
    call: (own) => branch.call(shown(own)),
    pause: (own, ms, sleep, begin) => branch.pause(shown(own), ms, sleep, begin),
    receive: (own, wanted, sleep) => branch.receive(shown(own), wanted, sleep),
    ask: (own, question, notify, ...how) =>
      branch.ask(shown(own), question, (task, reminder, of, answered) => notify(task, reminder, within(of), answered), ...how),
    fork: async (own, called): Promise<DurableFork> => {
      const fork = await branch.fork(shown(own), called);
      return {
        ended: fork.ended,
        begun: fork.begun,
        branch: (index) => within(fork.branch(index)),
        end: (how) => fork.end(how),
      };
    },
    ready: () => branch.ready(),
    complete: () => branch.complete(),
    // The line in the file that it comes from, however many calls are around it.
    log: (entry) => branch.log({ ...entry, line, workflow: service, calledLine: entry.calledLine ?? entry.line }),
    close: () => branch.close(),
  };
}

class CallLimit {
  readonly #cancellation = new Cancellation();
  readonly #timer: ReturnType<typeof setTimeout> | undefined;
  #isOver = false;

  /** @param ms milliseconds from now; Infinity for no limit */
  constructor(ms: number) {
    // The journal wakes a run that waits for longer.
    if (ms > longestTimer) return;
    this.#timer = setTimeout(() => {
      this.#isOver = true;
      this.#cancellation.abort();
    }, ms);
  }

  /** The time is over. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** The signal that ends the called workflow: this limit, or whatever ends its caller. */
  within(cancellation: Cancellation): Cancellation {
    cancellation.onAbort(() => this.#cancellation.abort());
    return this.#cancellation;
  }

  end(): void {
    clearTimeout(this.#timer);
  }
}
