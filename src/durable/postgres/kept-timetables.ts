// Which due times of workflows' timetables are done, for all machines.
import type { Timetables } from '../durable-engine.js';
import type { PostgresDatabase } from './postgres-database.js';

const keyOf = (workflow: string): string => `timetable ${workflow}`;

export function keptTimetables(database: PostgresDatabase): Timetables {
  return {
    async seen(workflow, plan) {
      const sql = "SELECT convert_from(value, 'UTF8') AS value FROM wf.meta WHERE key = $1";
      const [row] = await database.query(sql, keyOf(workflow));
      if (row === undefined) return undefined;
      const stored = JSON.parse(String(row.value)) as { readonly plan: string; readonly seen: number }; // written below
      return stored.plan === plan ? stored.seen : undefined;
    },
    async done(workflow, plan, until) {
      await database.query(
        `INSERT INTO wf.meta VALUES ($1, convert_to($2, 'UTF8')) ON CONFLICT (key) DO UPDATE SET value = EXCLUDED.value
         WHERE convert_from(wf.meta.value, 'UTF8')::jsonb ->> 'plan' <> $3
         OR (convert_from(wf.meta.value, 'UTF8')::jsonb ->> 'seen')::bigint < $4::bigint`,
        ...[keyOf(workflow), JSON.stringify({ plan, seen: until }), plan, until],
      );
    },
  };
}
