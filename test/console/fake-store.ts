// A store in memory for tests of the console. Runs, journals and tasks are inserted by hand, and changes are reported immediately.
import type { CallInDoubt, Changed, DurableEngine, RerunRequest } from '../../src/durable/durable-engine.js';
import {
  type DurableStatus,
  isFinished,
  type JournalEntry,
  type RunDetail,
  type RunSummary,
  type SavedView,
  type StoreStats,
  type StoreTrends,
  type TaskView,
  type Trend,
  type VersionText,
} from '../../src/durable/model/run-views.js';

export interface FakeRun {
  detail: RunDetail;
  journal: JournalEntry[];
  /** How often each line was reached, by line number. */
  readonly reached: Readonly<Record<string, number>>;
  readonly inDoubt?: readonly CallInDoubt[];
}

export interface FakeStore extends DurableEngine {
  readonly runs: Map<string, FakeRun>;
  readonly texts: Map<string, VersionText>;
  readonly openTasks: Map<string, TaskView & { key: string }>;
  readonly reachedLines: Map<number, number>;
  readonly calls: string[];
  tell(changed: Changed): void;
}

const zero = { running: 0, waiting: 0, completed: 0, rejected: 0, error: 0, cancelled: 0, stuck: 0 };
const unused = (): never => {
  throw new Error('The console does not use this');
};

export function createFakeStore(now: () => number = Date.now): FakeStore {
  const runs: FakeStore['runs'] = new Map();
  const texts: FakeStore['texts'] = new Map();
  const openTasks: FakeStore['openTasks'] = new Map();
  const reachedLines = new Map<number, number>();
  const views = new Map<string, SavedView>();
  const ended = new Set<string>();
  const calls: string[] = [];
  const watchers = new Set<(changed: Changed) => void>();
  const newest = (): FakeRun[] => [...runs.values()].sort((a, b) => (a.detail.createdAt < b.detail.createdAt ? 1 : -1));
  const tell = (changed: Changed): void => {
    for (const watcher of watchers) watcher(changed);
  };
  const setState = (run: FakeRun, change: Partial<RunDetail>): void => {
    run.detail = { ...run.detail, ...change };
    tell({ runs: [run.detail.run], tasks: false });
  };
  const without = (run: FakeRun): RunSummary => {
    const { request: _request, outputs: _outputs, error: _error, ...summary } = run.detail;
    return summary;
  };

  const store: FakeStore = {
    runs,
    texts,
    openTasks,
    reachedLines,
    calls,
    tell,
    get: async (id) => runs.get(id)?.detail,
    state: async (id) => runs.get(id)?.detail,
    async list({ workflow, status, since, until, q, limit = 50, cursor }) {
      const fits = ({ detail }: FakeRun): boolean =>
        (workflow === undefined || detail.workflow === workflow) &&
        (status === undefined || detail.status === status) &&
        (since === undefined || detail.createdAt >= since) &&
        (until === undefined || detail.createdAt < until) &&
        (q === undefined || detail.run.startsWith(q) || JSON.stringify(detail.request).includes(q));
      const found = newest().filter((run) => fits(run) && (cursor === undefined || run.detail.createdAt < cursor));
      const page = found.slice(0, limit);
      const last = page.at(-1);
      return { runs: page.map(without), ...(found.length > limit && last !== undefined ? { next: last.detail.createdAt } : {}) };
    },
    count: async (query) => (await store.list({ ...query, limit: Number.POSITIVE_INFINITY })).runs.length,
    reasons: async () => [],
    async journal(id, { from = 0, limit = 1000 } = {}) {
      const entries = runs.get(id)?.journal.slice(from, from + limit);
      const end = from + limit;
      return entries === undefined ? undefined : { entries, ...(end < (runs.get(id)?.journal.length ?? 0) ? { next: end } : {}) };
    },
    async retrace(id, only = []) {
      const run = runs.get(id);
      if (run === undefined) return undefined;
      const reached = new Map(Object.entries(run.reached).map(([line, count]) => [Number(line), count]));
      // In a single round, each line of the loop is reached once.
      for (const [loop] of only) for (const [line, count] of reached) if (line > loop) reached.set(line, Math.min(count, 1));
      const loops = new Map(run.journal.flatMap((entry) => entry.rounds ?? []));
      return { reached, rounds: new Map(), loops, logged: new Map(), next: [] };
    },
    recall: async () => undefined,
    log: async () => [],
    attend: unused,
    keyFor: async () => '0'.repeat(32),
    isSessionEnded: async (id) => ended.has(id),
    endSession: async (id) => void ended.add(id),
    changes: {
      async *list() {},
      record: async () => undefined,
      recordOnce: async () => undefined,
      take: async () => undefined,
      during: (_change, make) => make(),
    },
    async cancelMany(ids, by) {
      const problems = new Map<string, string>();
      for (const id of ids) {
        const change = await this.cancel(id, by);
        if (change.kind === 'not possible') problems.set(id, change.problem);
      }
      return problems;
    },
    async cancel(id, by) {
      calls.push(`cancel ${id}${by?.name === undefined ? '' : ` by ${by.name}`}`);
      const run = runs.get(id);
      if (run === undefined) return { kind: 'unknown' };
      if (isFinished(run.detail.status)) return { kind: 'not possible', state: run.detail, problem: 'The run is over.' };
      const { waitingFor: _waitingFor, ...rest } = run.detail;
      run.detail = rest;
      setState(run, { status: 'cancelled', finishedAt: new Date(now()).toISOString(), message: 'The run was cancelled.' });
      return { kind: 'done', state: run.detail };
    },
    async erase(id, by) {
      calls.push(`erase ${id}${by?.name === undefined ? '' : ` by ${by.name}`}`);
      const run = runs.get(id);
      if (run === undefined) return { kind: 'unknown' };
      const erased = { at: new Date(now()).toISOString(), ...(by?.name === undefined ? {} : { by: by.name }) };
      setState(run, { request: {}, about: 'Its data was erased', erased });
      return { kind: 'done', state: run.detail };
    },
    async retry(id) {
      calls.push(`retry ${id}`);
      const run = runs.get(id);
      return run === undefined ? { kind: 'unknown' } : { kind: 'done', state: run.detail };
    },
    async assign(id, { to, ifFree }) {
      const task = openTasks.get(id);
      if (task === undefined) return { kind: 'unknown' };
      if (ifFree === true && task.assignee !== undefined) return { kind: 'taken', task };
      const { assignee: _, ...rest } = task;
      const assigned = to === undefined ? rest : { ...rest, assignee: to };
      openTasks.set(id, assigned);
      tell({ runs: [], tasks: true });
      return { kind: 'assigned', task: assigned };
    },
    views: {
      list: async () => [...views.values()],
      async save(view) {
        views.set(view.name, view);
        return { name: view.name, isSaved: true };
      },
      async remove(name) {
        views.delete(name);
      },
    },
    versionsOf: async (workflow) => [...texts].flatMap(([hash, text]) => (text.workflow === workflow ? [hash] : [])),
    async skip(id, line) {
      calls.push(`skip ${id} ${line}`);
      const run = runs.get(id);
      return run === undefined ? { kind: 'unknown' } : { kind: 'done', state: run.detail };
    },
    async resume(id) {
      calls.push(`resume ${id}`);
      const run = runs.get(id);
      if (run === undefined) return { kind: 'unknown' };
      if (run.detail.status !== 'stuck')
        return { kind: 'not possible', state: run.detail, problem: 'Only a stuck run can be resumed.' };
      setState(run, { status: 'running' });
      return { kind: 'done', state: run.detail };
    },
    inDoubt: async (id) => runs.get(id)?.inDoubt ?? [],
    async rerun(id, how: RerunRequest) {
      const { from, workflow, ...decided } = how;
      const open = (runs.get(id)?.inDoubt ?? []).filter(
        ({ line }) => how.again?.includes(line) !== true && how.done?.some((one) => one.line === line) !== true,
      );
      if (from === 'failure' && open.length > 0) return { kind: 'in doubt', calls: open };
      calls.push(
        `rerun ${id} ${from} ${workflow}${how.again === undefined && how.done === undefined ? '' : ` ${JSON.stringify(decided)}`}`,
      );
      const run = runs.get(id);
      if (run === undefined) return { kind: 'unknown' };
      if (!isFinished(run.detail.status)) return { kind: 'not possible', problem: 'The run is not over yet.' };
      const copy = `0199aaaa-0000-7000-8000-${String(runs.size).padStart(12, '0')}`;
      runs.set(copy, {
        detail: { ...run.detail, run: copy, rerunOf: id, status: 'running', createdAt: new Date(now()).toISOString() },
        journal: [],
        reached: {},
      });
      return { kind: 'started', run: copy, end: new Promise(() => undefined) };
    },
    async tasks({ closed = false, limit = 100, run } = {}) {
      const all = [...openTasks.values()]
        .filter((task) => run === undefined || task.run === run)
        .map(({ key: _key, ...task }) => task);
      return {
        tasks: [
          ...all.filter((task) => task.status === 'open'),
          ...(closed ? all.filter((task) => task.status !== 'open') : []),
        ].slice(0, limit),
      };
    },
    async task(id, key) {
      const task = openTasks.get(id);
      if (task === undefined || (key !== undefined && key !== task.key)) return undefined;
      const { key: _key, ...view } = task;
      return view;
    },
    async answer(id, { answer, comment, by }) {
      calls.push(`answer ${id} ${answer}`);
      const task = openTasks.get(id);
      if (task === undefined) return { kind: 'unknown' };
      if (task.status === 'over') return { kind: 'over', task };
      if (task.status === 'answered') return { kind: 'answered before', task };
      if (task.choices !== undefined && !task.choices.includes(answer)) return { kind: 'no choice', choices: task.choices };
      const answered = {
        ...task,
        status: 'answered' as const,
        answer,
        answeredAt: new Date(now()).toISOString(),
        ...(comment === undefined ? {} : { comment }),
        ...(by === undefined ? {} : { by }),
      };
      openTasks.set(id, answered);
      tell({ runs: [], tasks: true });
      return { kind: 'answered', task: answered };
    },
    trends: async () => trendsOf([...runs.values()].map(({ detail }) => detail)),
    gauges: async () => ({ runs: [], tasks: [] }),
    async stats() {
      const counts = (since: number): Record<DurableStatus, number> => {
        const found: Record<DurableStatus, number> = { ...zero };
        for (const { detail } of runs.values()) if (Date.parse(detail.createdAt) >= since) found[detail.status]++;
        return found;
      };
      const all = counts(0);
      return {
        lastHour: counts(now() - 3_600_000),
        lastDay: counts(now() - 86_400_000),
        madeGood: { lastHour: 0, lastDay: 0 },
        unfinished: { running: all.running, waiting: all.waiting, stuck: all.stuck },
        workflows: workflowStats([...runs.values()], now()),
      };
    },
    reached: async () => ({ runs: 1, lines: reachedLines }),
    text: async (version) => texts.get(version),
    async versionsInUse() {
      const used = new Map<string, { workflow: string; version: string; runs: number }>();
      for (const { detail } of runs.values()) {
        if (isFinished(detail.status)) continue;
        const version = used.get(detail.textHash) ?? { workflow: detail.workflow, version: detail.textHash, runs: 0 };
        used.set(detail.textHash, { ...version, runs: version.runs + 1 });
      }
      return [...used.values()];
    },
    onTakenUp: () => undefined,
    watch(callback) {
      watchers.add(callback);
      return () => watchers.delete(callback);
    },
    health: () => ({ ok: true }),
    start: unused,
    acknowledge: unused,
    settled: unused,
    send: unused,
    export: unused,
    prune: unused,
    rekey: unused,
    giveUp: unused,
    backUp: unused,
    moving: { isUsedElsewhere: unused, unrecorded: unused, export: unused, import: unused },
    timetables: { seen: unused, done: unused },
    serve: unused,
    close: unused,
  };
  return store;
}

function workflowStats(all: readonly FakeRun[], now: number): StoreStats['workflows'] {
  const names = [...new Set(all.map(({ detail }) => detail.workflow))];
  return names.map((workflow) => {
    const recent = all.filter(({ detail }) => detail.workflow === workflow && Date.parse(detail.createdAt) > now - 86_400_000);
    const durations = recent.map(({ detail }) => detail.durationMs).sort((a, b) => a - b);
    const hours = Array.from({ length: 24 }, () => ({ runs: 0, failures: 0 }));
    for (const { detail } of recent) {
      const hour = hours[23 - Math.floor((now - Date.parse(detail.createdAt)) / 3_600_000)];
      if (hour !== undefined) hour.runs++;
      if (hour !== undefined && detail.status === 'error') hour.failures++;
    }
    const at = (part: number): { medianMs?: number } | object =>
      durations.length === 0
        ? {}
        : { [part === 0.5 ? 'medianMs' : 'p95Ms']: durations[Math.floor((durations.length - 1) * part)] };
    return {
      workflow,
      runs: recent.length,
      failures: recent.filter(({ detail }) => detail.status === 'error').length,
      ...at(0.5),
      ...at(0.95),
      hours,
    };
  });
}

/** Each run counts for its day, and those of a workflow that failed, as failures. */
function trendsOf(details: readonly RunDetail[]): StoreTrends {
  const trendOf = (of: readonly RunDetail[]): Trend => {
    const days = Array.from({ length: 30 }, (_, index) => ({ runs: index % 4, failures: index % 3 === 0 ? 1 : 0 }));
    const figures = {
      runs: of.length,
      failures: of.filter(({ status }) => status === 'error').length,
      medianMs: 1_200,
      p95Ms: 9_000,
    };
    return { days, week: figures, month: figures };
  };
  const names = [...new Set(details.map(({ workflow }) => workflow))];
  return {
    all: trendOf(details),
    workflows: new Map(names.map((name) => [name, trendOf(details.filter(({ workflow }) => workflow === name))])),
  };
}
