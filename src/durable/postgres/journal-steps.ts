// The journal of a run as DBOS steps: each step contains the rows that became durable together. A run has one DBOS workflow per stay in a
// process, its *legs*: whoever continues a run starts the next leg and reads the earlier ones.
import { toRunId } from '../run-ids.js';
import type { EntryRow, EntryWrite } from '../store/slot-writes.js';
import type { SqlCall } from './postgres-database.js';
import type { TextSealing } from './text-sealing.js';

type StoredRow = readonly [
  pos: number,
  branch: string | null,
  seq: number | null,
  part: number | null,
  kind: EntryRow['kind'],
  site: number | null,
  at: number,
  ms: number | null,
  body: string | null,
];

/** Result of a step: rows, or their sealed text if the store has a key. */
export type StepOutput = readonly StoredRow[] | string;

/** The id of a leg among DBOS workflows; the first one has the id of its run. */
export const legId = (run: string, leg: number): string => (leg === 1 ? toRunId(run) : `${toRunId(run)}:${leg}`);

export function toStep(run: string, entries: readonly EntryWrite[], sealing: TextSealing): StepOutput {
  const rows = entries.map(([, , ...row]): StoredRow => row);
  return sealing.isEncrypted ? sealing.seal(JSON.stringify(rows), run) : rows;
}

/** @param stored the output of a step, as DBOS stores it */
function fromStep(run: string, stored: string, sealing: TextSealing): EntryRow[] {
  const output = JSON.parse(stored) as StepOutput; // written by `toStep`
  const rows = typeof output === 'string' ? (JSON.parse(sealing.open(output, run)) as readonly StoredRow[]) : output;
  return rows.map(([pos, branch, seq, part, kind, site, at, ms, body]) => ({
    ...{ pos, branch: branch ?? '', seq, part, kind, site, at, ms, body },
  }));
}

/** The steps of all valid legs of a run, in order. */
const steps = `
SELECT o.workflow_uuid, o.function_id, o.output FROM wf.runs r
CROSS JOIN LATERAL unnest(r.legs) WITH ORDINALITY AS l(leg, place)
JOIN dbos.operation_outputs o ON o.workflow_uuid = r.id::uuid::text || CASE l.leg WHEN 1 THEN '' ELSE ':' || l.leg END
WHERE r.id = $1 AND o.output IS NOT NULL ORDER BY l.place, o.function_id`;

/** The journal of a run: 32 hexadecimal digits. */
export async function readJournal(query: SqlCall, run: string, sealing: TextSealing): Promise<EntryRow[]> {
  const rows = (await query(steps, run)).flatMap(({ output }) => fromStep(run, String(output), sealing));
  // A step was recorded again because its first recording was in doubt.
  const seen = new Set<number>();
  return rows.filter(({ pos }) => !seen.has(pos) && seen.add(pos));
}
