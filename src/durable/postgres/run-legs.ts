// The leg of a run in this process, across failures of the database. If it is unknown whether DBOS has started a leg or recorded a step,
// the next leg is started or the step recorded again. Duplicate rows of a journal are read once.
import { type Leg, legProblem } from './dbos-process.js';
import { legId, type StepOutput } from './journal-steps.js';
import type { RecorderHost } from './recorder-host.js';

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
    const leg = await this.begin();
    await this.#host.database.persist(async () => {
      try {
        await leg.step(name, output);
      } catch (error) {
        throw legProblem(error) === 'lost' ? new RunLost() : error;
      }
    });
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
