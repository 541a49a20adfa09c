// What front-ends read of a store: runs, tasks and figures. Also passes on messages and answers, and keeps filters and sessions.
import type { DurableEngine } from '../durable-engine.js';
import type { RunQuery } from '../model/run-views.js';
import type { Store } from '../store/port.js';
import { exportRuns, runMoving } from '../transfer/portable-runs.js';
import { storeGauges, storeNumbers, storeTrends } from '../views/figures.js';
import type { Retracing } from '../views/retracing.js';
import type { RunLookup } from '../views/run-lookup.js';
import type { PeopleActions } from './people-actions.js';
import type { RunWaits } from './run-waits.js';

interface QueriedParts {
  readonly store: Store;
  readonly lookup: RunLookup;
  readonly waits: RunWaits;
  readonly people: PeopleActions;
  readonly retracing: Retracing;
}

export function engineQueries({ store, lookup, waits, people, retracing }: QueriedParts) {
  const { reader, shared } = store.client;
  return {
    settled: (...wait) => waits.settled(...wait),
    state: (id) => lookup.state(id),
    get: (id) => lookup.get(id),
    list: async (query) => (findsNothing(query) ? { runs: [] } : lookup.list(query)),
    count: async (query, most) => (findsNothing(query) ? 0 : lookup.count(query, most)),
    reasons: async (query) => (findsNothing(query) ? [] : lookup.reasons(query)),
    journal: (id, range) => lookup.journal(id, range),
    log: (id) => lookup.log(id),
    text: (version) => lookup.text(version),
    versionsOf: (workflow) => reader.versionsOf(workflow),
    async versionsInUse() {
      await store.queue.settled();
      return reader.versionsOfUnfinished();
    },
    retrace: (id, only) => retracing.retrace(id, only),
    recall: (id) => retracing.recall(id),
    reached: (version, since) => retracing.reached(version, since),
    export: (since) => exportRuns(store, lookup, since),
    moving: runMoving(store, lookup),

    send: (message, by) => people.send(message, by),
    tasks: (query) => people.tasks(query),
    task: (id, key) => people.task(id, key),
    answer: (id, reply, by) => people.answer(id, reply, by),
    assign: (id, assignment, by) => people.assign(id, assignment, by),

    async stats(since) {
      await store.queue.settled();
      return storeNumbers(store, Date.parse(since) || 0);
    },
    trends: () => storeTrends(store),
    async gauges() {
      const { leaseAgeMs } = store.custody;
      return { ...(await storeGauges(store)), ...(leaseAgeMs === undefined ? {} : { leaseAgeMs }) };
    },

    views: {
      list: () => shared.listViews(),
      async save(view, workflows) {
        const hidden = (text: string): string =>
          workflows.reduce((shown, workflow) => lookup.redactorOf({ workflow }).text(shown), text);
        const fields = [...new URLSearchParams(view.query)].map(([field, value]): [string, string] => [field, hidden(value)]);
        const name = hidden(view.name);
        const query = new URLSearchParams(fields).toString();
        return { name, isSaved: await shared.saveView({ ...view, name, query }) };
      },
      remove: (name) => shared.removeView(name),
    },
    keyFor: (purpose) => shared.keyFor(purpose),
    isSessionEnded: (id, expiresAt) => shared.isSessionEnded(id, expiresAt),
    endSession: (id, expiresAt, now) => shared.endSession(id, expiresAt, now),
    timetables: {
      seen: (workflow, plan) => shared.timetableSeen(workflow, plan),
      done: (workflow, plan, until) => shared.timetableDone(workflow, plan, until),
    },
  } satisfies Partial<DurableEngine>;
}

/** Nothing in a store contains the character NUL, and a database refuses to look for it. */
const findsNothing = ({ workflow, version, q }: RunQuery): boolean => [workflow, version, q].some((text) => text?.includes('\0'));
