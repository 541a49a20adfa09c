// Which rows an effect can have, by its kind.
import type { EffectSite } from '../../../runtime/run/durable-run.js';
import { type EntryKind, entryKinds } from '../store/slot-writes.js';

const kindsOf = {
  call: [entryKinds.call, entryKinds.intent, entryKinds.retry],
  wait: [entryKinds.wait],
  message: [entryKinds.message],
  person: [entryKinds.person, entryKinds.notified],
  fork: [entryKinds.fork],
} as const satisfies Record<EffectSite['kind'], readonly EntryKind[]>;

export function isRecordedAs(kind: EntryKind, site: EffectSite): boolean {
  const kinds: readonly EntryKind[] = kindsOf[site.kind];
  return kinds.includes(kind);
}
