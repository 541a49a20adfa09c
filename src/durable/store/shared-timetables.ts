// Which due times of workflows' timetables are done, in the shared file.
import type { SharedFile } from './shared-file.js';

interface StoredTimetable {
  /** The expression and its time zone. Another plan starts afresh. */
  readonly plan: string;
  /** Milliseconds since 1970. */
  readonly seen: number;
}

const keyOf = (workflow: string): string => `timetable ${workflow}`;

export function timetableSeen(shared: SharedFile, workflow: string, plan: string): number | undefined {
  const stored = shared.get('SELECT value FROM meta WHERE key = ?', keyOf(workflow))?.value;
  if (typeof stored !== 'string') return undefined;
  const timetable = JSON.parse(stored) as StoredTimetable; // written below
  return timetable.plan === plan ? timetable.seen : undefined;
}

/** Never moves back under the same plan: a slow process must not cause due times to be repeated. */
export function timetableDone(shared: SharedFile, workflow: string, plan: string, until: number): Promise<void> {
  return shared.change(() => {
    const seen = Math.max(until, timetableSeen(shared, workflow, plan) ?? until);
    const value = JSON.stringify({ plan, seen } satisfies StoredTimetable);
    shared.run('INSERT INTO meta VALUES(?, ?) ON CONFLICT(key) DO UPDATE SET value = excluded.value', keyOf(workflow), value);
  });
}
