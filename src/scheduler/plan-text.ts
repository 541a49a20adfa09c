// The lines that `wf schedule` prints when it starts.
import { oneLine } from '../../runtime/one-line.js';
import type { WorkflowInfo } from '../../runtime/types.js';
import { describeCron, unevenSteps } from './describe-cron.js';
import { nextDues } from './next-due.js';
import type { Plan } from './read-plan.js';

export interface StartOptions {
  readonly file: string;
  readonly workflow: Pick<WorkflowInfo, 'name' | 'version'>;
  readonly mock: boolean;
  readonly once: boolean;
}

const NEXT = 3;

/** Workflow, schedule in words and as cron, time zone, next due times, and notes. */
export function timetableLines(
  { cron, zone, jitterMs }: Plan,
  { file, workflow, mock, once }: StartOptions,
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
    ...(mock ? ['  Mock       services are not called; answers are made up'] : []),
    'Press Ctrl+C to stop.',
  ];
}
