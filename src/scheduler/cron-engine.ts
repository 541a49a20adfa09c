// Wakes the scheduler with node-cron. Nothing else knows that package.
import type { CronExpression } from '../timetable/cron-expression.js';
import type { Zone } from '../timetable/zone.js';

/** Starts the engine and returns a function that stops it. */
export type StartEngine = (cron: CronExpression, zone: Zone, wake: () => void) => Promise<() => void>;

const quiet = { info() {}, warn() {}, error() {}, debug() {} };

export const startCronEngine: StartEngine = async (cron, zone, wake) => {
  const { default: engine } = await import('node-cron');
  const tasks = patternsOf(cron).map((pattern) => {
    // Without a logger, it writes to the console.
    const task = engine.schedule(pattern, () => wake(), { timezone: zone.name, logger: quiet, suppressMissedWarning: true });
    task.on('execution:missed', () => wake());
    return task;
  });
  return () => {
    for (const task of tasks) void task.destroy();
  };
};

/** node-cron requires both date and weekday to match, so a plan that needs only one of them becomes two patterns. */
function patternsOf({ fields, eitherDay }: CronExpression): string[] {
  if (!eitherDay) return [fields.join(' ')];
  const [minute, hour, day, month, weekday] = fields;
  return [`${minute} ${hour} ${day} ${month} *`, `${minute} ${hour} * ${month} ${weekday}`];
}
