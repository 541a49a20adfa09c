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

/** A step as it is stored. */
export interface StoredStep {
  readonly leg: number;
  /** Within its leg. */
  readonly step: number;
  readonly output: string;
}

function rowsIn(run: string, { output: stored }: StoredStep, sealing: TextSealing): EntryRow[] {
  const output = JSON.parse(stored) as StepOutput; // written by `toStep`
  const rows = typeof output === 'string' ? (JSON.parse(sealing.open(output, run)) as readonly StoredRow[]) : output;
  return rows.map(([pos, branch, seq, part, kind, site, at, ms, body]) => ({
    ...{ pos, branch: branch ?? '', seq, part, kind, site, at, ms, body },
  }));
}

/** The steps of all valid legs of a run from one on, in order. Legs that were cut off leave gaps between the numbers. */
const steps = `
SELECT l.leg, o.function_id, o.output FROM wf.runs r
CROSS JOIN LATERAL unnest(r.legs) AS l(leg)
JOIN dbos.operation_outputs o ON o.workflow_uuid = r.id::uuid::text || CASE l.leg WHEN 1 THEN '' ELSE ':' || l.leg END
  AND o.function_id >= CASE l.leg WHEN $2::integer THEN $3::integer ELSE 0 END
WHERE r.id = $1 AND l.leg >= $2 AND o.output IS NOT NULL ORDER BY l.leg, o.function_id`;

const beforeAll = { leg: 0, step: 0 };

/** @param run 32 hexadecimal digits @param from the first step wanted; all of them by default */
export async function readSteps(
  query: SqlCall,
  run: string,
  { leg, step }: Pick<StoredStep, 'leg' | 'step'> = beforeAll,
): Promise<StoredStep[]> {
  const rows = await query(steps, run, leg, step);
  return rows.map((row) => ({ leg: Number(row.leg), step: Number(row.function_id), output: String(row.output) }));
}

/** The rows of a journal by their positions. */
export type RowsByPosition = Map<number, EntryRow>;

/** Adds the rows of the next steps of a journal. */
export function addRows(rows: RowsByPosition, run: string, next: readonly StoredStep[], sealing: TextSealing): RowsByPosition {
  // A step was recorded again because its first recording was in doubt.
  for (const step of next) for (const row of rowsIn(run, step, sealing)) if (!rows.has(row.pos)) rows.set(row.pos, row);
  return rows;
}

/** The journal of a run: 32 hexadecimal digits. */
export const readJournal = async (query: SqlCall, run: string, sealing: TextSealing): Promise<EntryRow[]> => [
  ...addRows(new Map(), run, await readSteps(query, run), sealing).values(),
];
