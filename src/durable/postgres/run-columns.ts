// Converts what a run writes about itself to columns of `wf.runs` with their new values.
import type { RunExtra } from '../embedded/stored-run.js';
import type { SlotWrite } from '../store/slot-writes.js';

/** Later writes of a batch win. @param seal encrypts a text for this run, if the store has a key */
export function changesOf(batch: readonly SlotWrite[], seal: (text: string) => string): Map<string, unknown> {
  const changes = new Map<string, unknown>();
  const sealed = (text: string | null): string | null => (text === null ? null : seal(text));
  for (const write of batch) {
    switch (write[0]) {
      case 'state':
        changes.set('state', write[2]).set('due', write[3]).set('waits', sealed(write[4]));
        break;
      case 'end':
        changes.set('state', write[2]).set('finished', write[3]).set('outcome', sealed(write[4]));
        changes.set('due', null).set('waits', null);
        break;
      case 'progress':
        changes.set('adoptions', 0);
        break;
      case 'extra':
        for (const [column, value] of extraColumns(write[2])) changes.set(column, value);
    }
  }
  return changes;
}

/** Rarely used properties, with the parts that are searched for. */
export function extraColumns(extra: string | null): [column: string, value: string | null][] {
  if (extra === null) return [];
  const { rerunOf = null, key = null } = JSON.parse(extra) as RunExtra; // written by a live run
  return [
    ['extra', extra],
    ['rerun_of', rerunOf],
    ['key', key],
  ];
}
