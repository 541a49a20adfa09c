// The file of `--state`: which due times are done, and which run is in progress.
import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { faultCode, fileFault } from '../engine/files/file-fault.js';
import { makeFolder } from '../engine/files/make-folder.js';
import { writeWhole } from '../engine/files/write-whole.js';
import { inTurn } from '../engine/in-turn.js';
import { UsageError } from '../engine/usage-error.js';
import type { ScheduleMemory, ScheduleState } from './scheduler.js';

/** The plan that a state belongs to. The state of another plan means nothing to this one. */
interface PlanIdentity {
  readonly file: string;
  readonly cron: string;
  readonly timezone: string;
}

const SCHEMA = 'wf-schedule-state/1';

export class StateFile implements ScheduleMemory {
  readonly #path: string;
  readonly #shown: string;
  readonly #plan: PlanIdentity;
  readonly #writing = inTurn();

  /** @param shown the path as the user wrote it, for messages */
  constructor(shown: string, cwd: string, plan: PlanIdentity) {
    this.#shown = shown;
    this.#path = path.resolve(cwd, shown);
    this.#plan = plan;
  }

  /**
   * The state left by the last scheduler; `undefined` if there is none, `'other plan'` if it belongs to a different workflow or
   * schedule.
   * @throws UsageError if the file can't be read or is not a state
   */
  async read(): Promise<ScheduleState | 'other plan' | undefined> {
    let text: string;
    try {
      const stats = await stat(this.#path);
      // A device may never end.
      text = stats.isFile() || stats.isDirectory() ? await readFile(this.#path, 'utf8') : '';
    } catch (error) {
      if (faultCode(error) === 'ENOENT') return undefined;
      throw new UsageError(`The state file ${this.#shown} can't be read: ${fileFault(error)}.`);
    }
    const found = fieldsOf(text);
    const seen = Date.parse(String(found.seen));
    if (found.schema !== SCHEMA || Number.isNaN(seen)) {
      const hint = 'Set --state to a different path, which wf creates on the first start, or delete this file to start over.';
      throw new UsageError(`${this.#shown} is not a state file of wf schedule.`, hint);
    }
    const { file, cron, timezone } = this.#plan;
    if (found.file !== file || found.cron !== cron || found.timezone !== timezone) return 'other plan';
    const running = Date.parse(String(found.running));
    return { seen, ...(Number.isNaN(running) ? {} : { running }) };
  }

  /** Writing now proves that it is possible. @throws UsageError if it isn't */
  open(state: ScheduleState): Promise<void> {
    return this.write(state);
  }

  /**
   * Writes whole or not at all, one state at a time.
   * @throws UsageError if it can't be written; the old state is then unchanged
   */
  write(state: ScheduleState): Promise<void> {
    return this.#writing(() => this.#write(state));
  }

  async #write({ seen, running }: ScheduleState): Promise<void> {
    const iso = (instant: number): string => new Date(instant).toISOString();
    const state = { schema: SCHEMA, ...this.#plan, seen: iso(seen), ...(running === undefined ? {} : { running: iso(running) }) };
    try {
      makeFolder(path.dirname(this.#path));
      await writeWhole(this.#path, `${JSON.stringify(state, null, 2)}\n`);
    } catch (error) {
      throw new UsageError(`The state can't be written to ${this.#shown}: ${fileFault(error)}.`);
    }
  }
}

function fieldsOf(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' ? { ...value } : {};
  } catch {
    return {};
  }
}
