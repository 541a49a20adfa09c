// The lines that `wf schedule` prints when it starts.

import type { WorkflowInfo } from '../../runtime/types.js';
import { oneLine } from '../../runtime/values/one-line.js';
import { shownStore } from '../durable/open-store.js';
import { describeCron, unevenSteps } from '../timetable/describe-cron.js';
import { nextDues } from '../timetable/next-due.js';
import type { Plan } from './read-plan.js';

export interface StartOptions {
  readonly mock: boolean;
  readonly once: boolean;
  /** Location of the store for the runs. */
  readonly store: string | undefined;
}

interface Planned {
  readonly plan: Plan;
  readonly prepared: { readonly file: string; readonly workflow: Pick<WorkflowInfo, 'name' | 'version'> };
}

const NEXT = 3;

/** For each workflow: its schedule in words and as cron, its time zone, the next due times, and notes. */
export function timetableLines(planned: readonly Planned[], { mock, once, store }: StartOptions, now: number): string[] {
  return [
    ...planned.flatMap((one) => linesOf(one, once, now)),
    ...(mock ? ['  Mock       services are not called; answers are made up'] : []),
    ...(store === undefined || mock ? [] : [oneLine(`Store: ${shownStore(store)}`)]),
    'Press Ctrl+C to stop.',
  ];
}

function linesOf(
  { plan: { cron, zone, jitterMs }, prepared: { file, workflow } }: Planned,
  once: boolean,
  now: number,
): string[] {
  const [first, ...others] = nextDues(cron, zone, now, once ? 1 : NEXT).map((due) => zone.show(due));
  return [
    oneLine(`${workflow.name} v${workflow.version} (${file})`),
    `  Schedule   ${describeCron(cron)}, ${zone.name}`,
    `  Cron       ${cron.text}`,
    `  Time zone  ${zone.name}`,
    `  Next       ${first}${once ? ', once' : ''}`,
    ...others.map((due) => `             ${due}`),
    ...unevenSteps(cron).map((note) => `  Note       ${note}`),
    ...(jitterMs > 0 ? [`  Jitter     each run starts up to ${jitterMs / 1000} seconds after it is due`] : []),
  ];
}
