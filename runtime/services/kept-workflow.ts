// Calls another workflow from a run in a store. Its effects are recorded in a branch of the caller's journal, so a resumed run continues
// inside the called workflow, and nothing in it happens twice.
import type { DurableBranch, DurableFork, EffectSite } from '../durable-run.js';
import { suspend } from '../durable-run.js';
import type { Run } from '../run.js';
import type { CallRequest } from '../types.js';
import type { AttemptResult } from './attempt.js';
import { runWorkflow } from './workflow-call.js';

export interface KeptWorkflow {
  readonly result: AttemptResult;
  /** It had ended in an earlier process. */
  readonly replayed: boolean;
}

/** @throws a suspension if the journal releases the run */
export async function keptWorkflow(
  run: Run,
  durable: DurableBranch,
  request: CallRequest,
  site: EffectSite,
): Promise<KeptWorkflow> {
  const { called, timeoutMs = Number.POSITIVE_INFINITY } = request.service;
  // Without its module, no one can say what it did. Such a run is only shown, never continued.
  if (called === undefined) throw suspend('lost');
  const fork = await durable.fork({ ...site, kind: 'fork' });
  const replayed = fork.ended !== undefined;
  const branch = fork.branch(0);
  await branch.ready();
  const id = run.options.durable?.id ?? '';
  const main = inCaller(branch, site);
  const result = await run.within(timeoutMs, (cancellation) =>
    runWorkflow(run, request, called, cancellation, { protocol: 1, id, startedAt: branch.now, main }),
  );
  branch.complete();
  branch.close();
  fork.end({ begun: 1 });
  return { result, replayed };
}

/** A branch whose effects are shown at the line of the call, because their own lines belong to another file. */
function inCaller(branch: DurableBranch, { site, line, service = '' }: EffectSite): DurableBranch {
  const shown = (own: EffectSite): EffectSite => ({ ...own, site, line, title: `${service} › ${own.title}` });
  return {
    get now() {
      return branch.now;
    },
    call: (own) => branch.call(shown(own)),
    pause: (own, ms, sleep, begin) => branch.pause(shown(own), ms, sleep, begin),
    receive: (own, wanted, sleep) => branch.receive(shown(own), wanted, sleep),
    ask: (own, question, notify, sleep) =>
      branch.ask(
        shown(own),
        question,
        (task, reminder, of) => notify(task, reminder, inCaller(of, { ...own, site, line, service })),
        sleep,
      ),
    fork: async (own): Promise<DurableFork> => {
      const fork = await branch.fork(shown(own));
      return {
        ended: fork.ended,
        begun: fork.begun,
        branch: (index) => inCaller(fork.branch(index), { ...own, site, line, service }),
        end: (how) => fork.end(how),
      };
    },
    ready: () => branch.ready(),
    complete: () => branch.complete(),
    log: (entry) => branch.log({ ...entry, line, workflow: service }),
    close: () => branch.close(),
  };
}
