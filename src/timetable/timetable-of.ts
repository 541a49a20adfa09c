// The timetable of a workflow from its `config:`, in words and as due times.
import type { WorkflowInfo } from '../../runtime/types.js';
import { describeCron } from './describe-cron.js';
import { nextDue } from './next-due.js';
import { readSchedule } from './words-to-cron.js';
import { Zone } from './zone.js';

export interface OwnTimetable {
  /** `every Monday to Friday at 09:00, Europe/Berlin`. */
  readonly words: string;
  readonly zone: Zone;
  /** The first due time after a moment; both in milliseconds since 1970. */
  readonly next: (after: number) => number | undefined;
}

/** `undefined` for a workflow without a schedule. */
export function timetableOf({
  schedule,
  timezone = 'UTC',
}: Pick<WorkflowInfo, 'schedule' | 'timezone'>): OwnTimetable | undefined {
  const read = schedule === undefined ? undefined : readSchedule(schedule);
  // The check refuses a wrong one; only a module of another version can still have it.
  if (read?.ok !== true) return undefined;
  const zone = new Zone(timezone);
  return { words: `${describeCron(read.cron)}, ${zone.name}`, zone, next: (after) => nextDue(read.cron, zone, after) };
}
