// How far the timetables of workflows have been dealt with, for all processes over a folder.
import type { Timetables } from '../durable-engine.js';
import type { EmbeddedStore } from './embedded-store.js';

export function embeddedTimetables({ client: { shared } }: EmbeddedStore): Timetables {
  return {
    seen: (workflow, plan) => shared.timetableSeen(workflow, plan),
    done: (workflow, plan, until) => shared.timetableDone(workflow, plan, until),
  };
}
