// What a schedule remembers between processes. A file keeps it for one process, a store for all that watch the same timetable.

export interface ScheduleState {
  /** Due times up to this moment (milliseconds since 1970) are done. */
  readonly seen: number;
  /** The due time of a run that has started and not ended. */
  readonly running?: number;
}

export interface ScheduleMemory {
  /**
   * The state left by the last scheduler; `undefined` if there is none, `'other plan'` if it belongs to a different workflow or schedule.
   * @throws UsageError if it can't be read
   */
  read(): Promise<ScheduleState | 'other plan' | undefined>;
  /** Called once, at the start. @throws UsageError if nothing can be remembered */
  open(state: ScheduleState): Promise<void>;
  /** @throws UsageError if it can't be written; the old state is then unchanged */
  write(state: ScheduleState): Promise<void>;
}
