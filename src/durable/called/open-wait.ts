// What a called workflow waits for, from its part of the journal: whatever is due first.
import { effectPlace } from '../branch-paths.js';
import type { WaitingFor } from '../run-views.js';
import { type EntryKind, type EntryRow, entryKinds } from '../store/slot-writes.js';
import type { CalledPart } from './called-part.js';

interface OpenWait {
  readonly waiting: WaitingFor;
  readonly due: number;
}

const kinds = new Map<EntryKind, WaitingFor['kind']>([
  [entryKinds.wait, 'time'],
  [entryKinds.message, 'message'],
  [entryKinds.person, 'person'],
  [entryKinds.retry, 'retry'],
]);

/** @param waits what the whole run waits for, as stored */
export function openWait({ rows, sites }: CalledPart, waits: string | null): WaitingFor | undefined {
  const open = new Map<string, OpenWait>();
  for (const row of rows) {
    const place = effectPlace(row.branch, row.seq);
    const wait = waitOf(row, sites);
    if (wait !== undefined) open.set(place, wait);
    else if (row.kind === entryKinds.call || row.part === 1) open.delete(place);
  }
  const [first] = [...open.values()].sort((one, other) => one.due - other.due);
  if (first === undefined) return undefined;
  const whole = waits === null ? undefined : (JSON.parse(waits) as WaitingFor); // written by a live run
  const { waiting } = first;
  const isSame = whole?.kind === waiting.kind && whole.until === waiting.until && whole.service === waiting.service;
  return isSame && whole.task !== undefined ? { ...waiting, task: whole.task } : waiting;
}

/** The wait that begins with this row. */
function waitOf(row: EntryRow, sites: CalledPart['sites']): OpenWait | undefined {
  const kind = kinds.get(row.kind);
  if (kind === undefined || (row.part === 1 && kind !== 'retry')) return undefined;
  const site = row.site === null ? undefined : sites.get(row.site);
  const { name, service = kind === 'retry' ? site?.service : undefined } = (row.body === null ? {} : JSON.parse(row.body)) as {
    name?: string;
    service?: string;
  }; // written by the journal
  const due = row.ms === null ? Number.POSITIVE_INFINITY : row.at + row.ms;
  const waiting: WaitingFor = {
    kind,
    ...(row.ms === null ? {} : { until: new Date(due).toISOString() }),
    ...(name === undefined ? {} : { name }),
    ...(service === undefined ? {} : { service }),
    ...(site === undefined ? {} : { line: site.line }),
  };
  return { waiting, due };
}
