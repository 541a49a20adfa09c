// Calls another workflow from a run in a store. Its effects are recorded in a branch of the caller's journal, so a resumed run continues
// inside the called workflow, and nothing in it happens twice.

import type { CalledEnd, CalledRun } from '../run/called-run.js';
import type { DurableBranch, DurableFork, EffectSite } from '../run/durable-run.js';
import { suspend } from '../run/durable-run.js';
import type { Run } from '../run/run.js';
import type { CallRequest, Outcome } from '../types.js';
import type { AttemptResult } from './attempt.js';
import { noAnswerInTime } from './call-errors.js';
import { CallLimit } from './call-limit.js';
import { calledRequest, calledResult, runWorkflow } from './workflow-call.js';

export interface KeptWorkflow {
  readonly result: AttemptResult;
  /** It had ended in an earlier process. */
  readonly replayed: boolean;
}

/**
 * @param attempt from 1
 * @throws a suspension if the journal releases the run
 */
export async function keptWorkflow(
  run: Run,
  durable: DurableBranch,
  request: CallRequest,
  site: EffectSite,
  attempt: number,
): Promise<KeptWorkflow> {
  const { called, folder = '', timeoutMs = Number.POSITIVE_INFINITY } = request.service;
  // Without its module, no one can say what it did. Such a run is only shown, never continued.
  if (called === undefined) throw suspend('lost');
  const { name: title, version, file, trigger, timeoutMs: ofFile = Number.POSITIVE_INFINITY } = called.workflow;
  const { timezone = run.options.timezone } = run.workflow;
  const withinMs = Math.min(timeoutMs, ofFile);
  const asked: CalledRun = {
    ...{ title, version, file: `${folder}${file}`, trigger, request: calledRequest(request), attempt },
    ...(timezone === undefined ? {} : { timezone }),
    ...(withinMs === Number.POSITIVE_INFINITY ? {} : { withinMs }),
  };
  const fork = await durable.fork({ ...site, kind: 'fork' }, asked);
  const past = fork.ended?.called;
  // The clock that ended it would end it elsewhere today.
  if (past !== undefined && wasOverTime(past)) {
    fork.end({ begun: 1, called: past });
    return {
      result: past.isLate === true ? noAnswerInTime(timeoutMs) : calledResult({ ...past, log: [] }, called),
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
  const outcome = await run
    .within(Number.POSITIVE_INFINITY, (cancellation) =>
      runWorkflow(run, request, called, limit.within(cancellation), { protocol: 1, id, startedAt, isReplay, main }),
    )
    .finally(() => limit.end());
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
      ? { ...own, line, title: `${file} › ${own.title}`, inside: { file, line: own.line, title: own.title } }
      : { ...own, line };
  const within = (of: DurableBranch): DurableBranch => inCaller(of, { line, service }, file);
  return {
    get now() {
      return branch.now;
    },
    call: (own) => branch.call(shown(own)),
    pause: (own, ms, sleep, begin) => branch.pause(shown(own), ms, sleep, begin),
    receive: (own, wanted, sleep) => branch.receive(shown(own), wanted, sleep),
    ask: (own, question, notify, sleep) =>
      branch.ask(shown(own), question, (task, reminder, of, answered) => notify(task, reminder, within(of), answered), sleep),
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
