// The only place that knows node-cron: a plan in, a wake-up call at each of its firings out.
import type { CronExpression } from './cron-expression.js';
import type { Zone } from './zone.js';

/** Starts the engine; returns a function that stops it. */
export type StartEngine = (cron: CronExpression, zone: Zone, wake: () => void) => Promise<() => void>;

const quiet = { info() {}, warn() {}, error() {}, debug() {} };

export const startCronEngine: StartEngine = async (cron, zone, wake) => {
  const { default: engine } = await import('node-cron');
  const tasks = patternsOf(cron).map((pattern) => {
    // It writes to the console by itself where it is not told otherwise.
    const task = engine.schedule(pattern, () => wake(), { timezone: zone.name, logger: quiet, suppressMissedWarning: true });
    task.on('execution:missed', () => wake());
    return task;
  });
  return () => {
    for (const task of tasks) void task.destroy();
  };
};

/** node-cron wants date and weekday both to match, so a plan for which either is enough becomes two of its patterns. */
function patternsOf({ text, fields, eitherDay }: CronExpression): string[] {
  if (!eitherDay) return [text];
  const [minute, hour, day, month, weekday] = fields;
  return [`${minute} ${hour} ${day} ${month} *`, `${minute} ${hour} * ${month} ${weekday}`];
}
