// The memory of a schedule in a store, shared by all processes that watch it. Interrupted runs need no record here: the store continues
// them.
import type { DurableEngine } from '../durable/durable-engine.js';
import type { Plan } from './read-plan.js';
import type { ScheduleMemory, ScheduleState } from './scheduler.js';

/** Identifies a timetable: after a change, there is nothing to catch up on. */
export const planKey = ({ cron, zone }: Pick<Plan, 'cron' | 'zone'>): string => `${cron.text} ${zone.name}`;

type Store = Pick<DurableEngine, 'timetables'>;

export class StoredMemory implements ScheduleMemory {
  readonly #store: Store;
  readonly #workflow: string;
  readonly #plan: string;

  /** @param workflow the name that its runs have in the store */
  constructor(store: Store, workflow: string, plan: Pick<Plan, 'cron' | 'zone'>) {
    this.#store = store;
    this.#workflow = workflow;
    this.#plan = planKey(plan);
  }

  async read(): Promise<ScheduleState | undefined> {
    const seen = await this.#store.timetables.seen(this.#workflow, this.#plan);
    return seen === undefined ? undefined : { seen };
  }

  /** Only the very first start counts: another process may be about to start the run that was due a moment ago. */
  async open({ seen }: ScheduleState): Promise<void> {
    if ((await this.read()) === undefined) await this.#store.timetables.done(this.#workflow, this.#plan, seen);
  }

  /** A due time is done when its run is in the store, not before. */
  async write({ seen, running }: ScheduleState): Promise<void> {
    if (running !== undefined) return;
    // If this fails, the store can't be written, or is closed. The run of the due time is still known by its key.
    await this.#store.timetables.done(this.#workflow, this.#plan, seen).catch(() => undefined);
  }
}
