// What `--state` keeps between two lives of a scheduler: up to when due times are dealt with, and the run that is going.
import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { makeFolder } from '../compiler/5-bundle/make-folder.js';
import { faultCode, fileFault } from '../engine/file-fault.js';
import { UsageError } from '../engine/usage-error.js';
import { writeWhole } from '../engine/write-whole.js';

export interface ScheduleState {
  /** Due times up to this moment (milliseconds since 1970) are dealt with. */
  readonly seen: number;
  /** The due time of a run that was started and has not ended. */
  readonly running?: number;
}

/** The plan that a state belongs to; a state of another plan says nothing about this one. */
export interface PlanIdentity {
  readonly file: string;
  readonly cron: string;
  readonly timezone: string;
}

const SCHEMA = 'wf-schedule-state/1';

export class StateFile {
  readonly #path: string;
  readonly #shown: string;
  readonly #plan: PlanIdentity;
  #writing: Promise<void> = Promise.resolve();

  /** @param shown the path as the user gave it, for messages. */
  constructor(shown: string, cwd: string, plan: PlanIdentity) {
    this.#shown = shown;
    this.#path = path.resolve(cwd, shown);
    this.#plan = plan;
  }

  /**
   * The state of the last life; `undefined` where there is none, `'other plan'` where it is of another workflow or timetable.
   * @throws UsageError where the file cannot be read or is no state.
   */
  async read(): Promise<ScheduleState | 'other plan' | undefined> {
    let text: string;
    try {
      const stats = await stat(this.#path);
      // A device may never come to its end.
      text = stats.isFile() || stats.isDirectory() ? await readFile(this.#path, 'utf8') : '';
    } catch (error) {
      if (faultCode(error) === 'ENOENT') return undefined;
      throw new UsageError(`The state file ${this.#shown} cannot be read: ${fileFault(error)}.`);
    }
    const found = fieldsOf(text);
    const seen = Date.parse(String(found.seen));
    if (found.schema !== SCHEMA || Number.isNaN(seen)) {
      const hint = 'Give --state a path of its own, which is made at the first start; or delete this file to begin anew.';
      throw new UsageError(`${this.#shown} is no state file of wf schedule.`, hint);
    }
    const { file, cron, timezone } = this.#plan;
    if (found.file !== file || found.cron !== cron || found.timezone !== timezone) return 'other plan';
    const running = Date.parse(String(found.running));
    return { seen, ...(Number.isNaN(running) ? {} : { running }) };
  }

  /**
   * Whole or not at all, one after the other.
   * @throws UsageError where it cannot be written; the old state is still there then.
   */
  write(state: ScheduleState): Promise<void> {
    const written = this.#writing.then(() => this.#write(state));
    this.#writing = written.catch(() => {});
    return written;
  }

  async #write({ seen, running }: ScheduleState): Promise<void> {
    const iso = (instant: number): string => new Date(instant).toISOString();
    const state = { schema: SCHEMA, ...this.#plan, seen: iso(seen), ...(running === undefined ? {} : { running: iso(running) }) };
    try {
      makeFolder(path.dirname(this.#path));
      await writeWhole(this.#path, `${JSON.stringify(state, null, 2)}\n`);
    } catch (error) {
      throw new UsageError(`The state cannot be written to ${this.#shown}: ${fileFault(error)}.`);
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
