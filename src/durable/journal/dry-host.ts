// Replaces the store while a workflow is executed against recorded results: nothing is written, and the first effect without a record ends
// it.
import { type EffectSite, suspend } from '../../../runtime/run/durable-run.js';
import type { TakeTurn } from '../../../runtime/types.js';
import { addressOfEffect } from '../model/addresses.js';
import { entryKinds } from '../model/entries.js';
import type { StoreWrite } from '../model/run-rows.js';
import { isSameCallSite, type StoredSite } from '../model/versions.js';
import type { JournalHost } from './journal-host.js';

/**
 * The log of a branch and the end of a block: these follow from records, and may be missing at the end of a journal. No one handles an error
 * while a branch closes, and one at the end of a block would stop others that still have records.
 */
const isFollowUp = (write: StoreWrite): boolean =>
  write[0] === 'entry' && (write[6] === entryKinds.log || (write[6] === entryKinds.fork && write[5] === 1));

interface DryHost extends JournalHost {
  /** The places of the tested workflow, by branch and position. */
  readonly places: ReadonlyMap<string, EffectSite>;
  /** No call is sent, so none counts towards the limit of its service. */
  readonly takeTurn: TakeTurn;
}

/** @param siteOf what a recorded call site does */
export function createDryHost(startedAt: number, siteOf: (site: number | null) => StoredSite | undefined): DryHost {
  const places = new Map<string, EffectSite>();
  const end = (): never => {
    throw suspend('released');
  };
  return {
    ...{ id: '', n: 0, startedAt, places },
    takeTurn: () => ({ turn: Promise.resolve(), leave: () => undefined }),
    isSame(recorded, site, branch, seq) {
      places.set(addressOfEffect(branch, seq), site);
      return isSameCallSite(siteOf(recorded), site);
    },
    keyOf: () => '',
    leavesToWait: true,
    isDry: true,
    accept: () => undefined,
    write(write) {
      if (!isFollowUp(write)) end();
    },
    flush: () => undefined,
    durable: end,
    lose: () => undefined,
    describe: () => undefined,
    placeOf: (site) => siteOf(site)?.title ?? 'something else',
    wantMessage: end,
    messageDone: () => undefined,
    openTask: end,
    answerOf: end,
    taskDone: () => undefined,
    knocked: () => new Promise(() => undefined),
    showWaiting: () => undefined,
  };
}
