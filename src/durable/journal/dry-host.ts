// Replaces the store while a workflow is tested against recorded results. Nothing is written, and the first effect without a record ends
// the test.
import { type EffectSite, suspend } from '../../../runtime/durable-run.js';
import type { JournalHost } from './journal-host.js';

export interface DryHost extends JournalHost {
  /** The places of the tested workflow, by branch and position. */
  readonly places: ReadonlyMap<string, EffectSite>;
}

/** @param titleOf what a recorded place does, as written in its file */
export function createDryHost(startedAt: number, titleOf: (site: number | null) => string | undefined): DryHost {
  const places = new Map<string, EffectSite>();
  const end = (): never => {
    throw suspend('parked');
  };
  return {
    ...{ id: '', n: 0, startedAt, places },
    isSame(recorded, site, branch, seq) {
      places.set(`${branch}#${seq}`, site);
      return titleOf(recorded) === site.title;
    },
    keyOf: () => '',
    accept: end,
    write: end,
    flush: () => undefined,
    durable: () => undefined,
    lose: () => undefined,
    describe: () => undefined,
    placeOf: (site) => titleOf(site) ?? 'something else',
    wantMessage: end,
    messageDone: () => undefined,
    openTask: end,
    answerOf: end,
    taskDone: () => undefined,
    knocked: () => new Promise(() => undefined),
    showWaiting: () => undefined,
  };
}
