// A journal as DBOS steps: each step contains the rows that became durable together. A run has one DBOS workflow per stay in a process, its
// *legs*: whoever continues a run starts the next leg and reads the earlier ones. Rows that became durable together with the row of their run
// are in that row, so that a run with one call needs no step, and no leg.
import type { EntryRow, EntryWrite } from '../../model/entries.js';
import { type EntryColumns, entryOfColumns } from '../../model/entries.js';
import { DamagedRun } from '../../model/file-troubles.js';
import { toRunId } from '../../model/run-ids.js';
import type { TextSealing } from '../shared/sealing.js';
import { type Leg, legProblem } from './dbos-process.js';
import type { SqlCall } from './postgres-database.js';
import type { RecorderHost } from './run-recorder.js';

/** Result of a step: rows, or their sealed text if the store has a key. */
export type StepOutput = readonly EntryColumns[] | string;

/** The id of a leg among DBOS workflows; the first one has the id of its run. */
export const legId = (run: string, leg: number): string => (leg === 1 ? toRunId(run) : `${toRunId(run)}:${leg}`);

export function toStep(run: string, entries: readonly EntryWrite[], sealing: TextSealing): StepOutput {
  const rows = entries.map(([, , ...row]): EntryColumns => row);
  return sealing.isEncrypted ? sealing.seal(JSON.stringify(rows), run) : rows;
}

/** A step as DBOS stores it, for the columns `head` and `tail` of a run. */
export const storedStep = (output: StepOutput): string => JSON.stringify(output);

/** A step as it is stored. */
export interface StoredStep {
  readonly leg: number;
  /** Within its leg. */
  readonly step: number;
  readonly output: string;
}

/** @throws DamagedRun if that is not what was written */
function rowsIn(run: string, { output: stored }: StoredStep, sealing: TextSealing): EntryRow[] {
  try {
    const output = JSON.parse(stored) as StepOutput; // written by `toStep`
    const columns = typeof output === 'string' ? (JSON.parse(sealing.open(output, run)) as readonly EntryColumns[]) : output;
    const rows = columns.map(entryOfColumns);
    // The sealed text is exactly the one that was written.
    if (typeof output !== 'string') for (const { body } of rows) if (body !== null) JSON.parse(body);
    return rows;
  } catch {
    throw new DamagedRun(toRunId(run), 'it does not continue');
  }
}

/** The steps of all valid legs of a run from one on, in order. Legs that were cut off leave gaps between the numbers. */
const legSteps = `
SELECT l.leg, o.function_id, o.output FROM wf.runs r
CROSS JOIN LATERAL unnest(r.legs) AS l(leg)
JOIN dbos.operation_outputs o ON o.workflow_uuid = r.id::uuid::text || CASE l.leg WHEN 1 THEN '' ELSE ':' || l.leg END
  AND o.function_id >= CASE l.leg WHEN $2::integer THEN $3::integer ELSE 0 END
WHERE r.id = $1 AND l.leg >= $2 AND o.output IS NOT NULL`;

/** The numbers of `head` and `tail` among legs. */
const [HEAD, TAIL] = [0, 2_147_483_647];

const steps = `
SELECT ${HEAD} AS leg, 0 AS function_id, head AS output FROM wf.runs WHERE id = $1 AND head IS NOT NULL AND $2 <= ${HEAD}
UNION ALL ${legSteps}
UNION ALL SELECT ${TAIL}, 0, tail FROM wf.runs WHERE id = $1 AND tail IS NOT NULL
ORDER BY 1, 2`;

const beforeAll = { leg: HEAD, step: 0 };

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

/** The run belongs to another process. */
export class RunLost extends Error {}

export class RunLegs {
  readonly #host: RecorderHost;
  readonly #run: string;
  #number: number;
  #open: Promise<Leg> | undefined;

  /** @param run 32 hexadecimal digits */
  constructor(host: RecorderHost, run: string, number: number) {
    this.#host = host;
    this.#run = run;
    this.#number = number;
  }

  get number(): number {
    return this.#number;
  }

  /** @param stored resolves when there is a row of the run */
  begin(stored: Promise<unknown> = Promise.resolve()): Promise<Leg> {
    this.#open ??= this.#begin(stored);
    return this.#open;
  }

  async #begin(stored: Promise<unknown>): Promise<Leg> {
    const { database, dbos } = this.#host;
    for (;;) {
      try {
        const leg = await dbos.begin(legId(this.#run, this.#number));
        if (leg !== undefined) return leg;
      } catch (error) {
        if (database.note(error) === undefined) throw error;
      }
      await stored;
      await this.#next();
    }
  }

  async step(name: string, output: StepOutput): Promise<void> {
    const isLate = this.#open === undefined;
    const leg = await this.begin();
    // From here on, whoever takes the run finds the leg and cancels it. Someone may have taken it before.
    if (isLate) await this.#requireOwnership();
    await this.#host.database.persist(async () => {
      try {
        await leg.step(name, output);
      } catch (error) {
        throw legProblem(error) === 'lost' ? new RunLost() : error;
      }
    });
  }

  /** @throws if the run belongs to another process */
  async #requireOwnership(): Promise<void> {
    const { database, lease } = this.#host;
    const sql = 'SELECT 1 FROM wf.runs WHERE id = $1 AND leg = $2 AND owner = $3';
    const rows = await database.persist(() => database.planned(sql, this.#run, this.#number, lease.process));
    if (rows.length === 0) throw new RunLost();
  }

  /** @throws if the run belongs to another process */
  async #next(): Promise<void> {
    const { database, lease } = this.#host;
    const next = this.#number + 1;
    const sql = `UPDATE wf.runs SET leg = $3, legs = CASE leg WHEN $3 THEN legs ELSE legs || $3 END
      WHERE id = $1 AND owner = $2 AND leg IN ($3 - 1, $3) RETURNING 1`;
    const rows = await database.persist(() => database.query(sql, this.#run, lease.process, next));
    if (rows.length === 0) throw new RunLost();
    this.#number = next;
  }

  async end(): Promise<void> {
    const leg = await this.#open?.catch(() => undefined);
    leg?.end();
  }
}
