// Turns a run's journal, as stores return it, into what each line did.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLoadHistory } from '../../src/console/history/read-cache.js';
import { RunRecords } from '../../src/durable/journal/run-records.js';
import { type EntryKind, entryKinds } from '../../src/durable/model/entries.js';
import type { JournalEntry } from '../../src/durable/model/run-views.js';
import { RunHistory } from '../../src/durable/views/run-history.js';

const START = Date.parse('2026-03-02T09:00:00Z');
const at = (ms: number): string => new Date(START + ms).toISOString();

/** Entries in journal order; positions follow that order unless given. */
const journal = (...entries: (Partial<JournalEntry> & Pick<JournalEntry, 'kind'>)[]): JournalEntry[] =>
  entries.map((entry, position) => ({ position, branch: '', startedAt: at(position * 100), ...entry }));

function historyOf(entries: readonly JournalEntry[]): RunHistory {
  const history = new RunHistory();
  history.feed(entries);
  return history;
}

test('attempts of one call are one effect, whatever is recorded between them', () => {
  const history = historyOf(
    journal(
      { kind: 'call', line: 5, attempt: 1, ok: false, status: 503, error: 'busy', finishedAt: at(20) },
      { kind: 'retry', line: 5, attempt: 2, due: at(900) },
      { kind: 'log', line: 4, message: 'elsewhere', finishedAt: at(0) },
      { kind: 'call', line: 5, attempt: 2, ok: true, status: 200, finishedAt: at(1_000) },
      { kind: 'call', line: 5, attempt: 1, ok: true, status: 200, finishedAt: at(1_100) },
    ),
  );
  const line = history.byLine().get(5);
  assert.equal(line?.effects.length, 2);
  const [first] = line?.effects ?? [];
  assert.deepEqual([first?.attempts, first?.failedAttempts, first?.ok, first?.status, first?.due], [2, 1, true, 200, undefined]);
  assert.equal((first?.finishedAt ?? 0) - (first?.startedAt ?? 0), 1_000);
});

test('a wait before the next attempt leaves the call open, with its due time', () => {
  const history = historyOf(
    journal(
      { kind: 'call', line: 5, attempt: 1, ok: false, finishedAt: at(20) },
      { kind: 'retry', line: 5, attempt: 2, due: at(9_000) },
    ),
  );
  const [effect] = history.byLine().get(5)?.effects ?? [];
  assert.equal(effect?.finishedAt, undefined);
  assert.equal(effect?.due, at(9_000));
});

test('the end of a wait, a message or a question is a separate entry', () => {
  for (const kind of ['wait', 'message', 'person'] as const) {
    const history = historyOf(journal({ kind, line: 7, due: at(5_000) }));
    assert.equal(history.byLine().get(7)?.effects[0]?.finishedAt, undefined, kind);
    history.feed([{ position: 1, kind, line: 7, branch: '', startedAt: at(3_000), finishedAt: at(3_000) }]);
    const effects = history.byLine().get(7)?.effects ?? [];
    assert.equal(effects.length, 1, kind);
    assert.equal(effects[0]?.finishedAt, START + 3_000, kind);
  }
});

test('reads an open entry again with its end', () => {
  const history = historyOf(journal({ kind: 'call', line: 5, attempt: 1 }));
  assert.deepEqual([...history.open], [0]);
  history.feed(journal({ kind: 'call', line: 5, attempt: 1, ok: true, finishedAt: at(70) }));
  assert.deepEqual([...history.open], []);
  assert.equal(history.effects.length, 1);
  assert.equal(history.effects[0]?.ok, true);
});

test('a step lasts from its start to its end', () => {
  const history = historyOf(
    journal(
      { kind: 'step', line: 3, message: 'Look: start', finishedAt: at(0) },
      { kind: 'call', line: 4, attempt: 1, ok: true, finishedAt: at(150) },
      { kind: 'step', line: 3, message: 'Look: end', finishedAt: at(200) },
    ),
  );
  assert.equal(history.byLine().get(3)?.totalMs, 200);
  const ofRerun = history.byLine([], START + 200, START + 150);
  assert.equal(ofRerun.get(3)?.totalMs, 50, 'begun in the run before: counted from the start of this one');
});

test('several log entries of a line share a position', () => {
  const logs = ['one', 'two'].map((message) => ({ kind: 'log' as const, position: 0, line: 3, message, finishedAt: at(0) }));
  assert.deepEqual(
    historyOf(journal(...logs)).effects.map(({ message }) => message),
    ['one', 'two'],
  );
});

test('concurrent branches keep their own calls', () => {
  const history = historyOf(
    journal(
      { kind: 'call', line: 5, branch: '0.0', attempt: 1, ok: false, finishedAt: at(1) },
      { kind: 'call', line: 5, branch: '0.1', attempt: 1, ok: true, finishedAt: at(1) },
      { kind: 'call', line: 5, branch: '0.0', attempt: 2, ok: true, finishedAt: at(1) },
    ),
  );
  assert.deepEqual(
    history
      .byLine()
      .get(5)
      ?.effects.map(({ attempts }) => attempts),
    [2, 1],
  );
});

test('a chosen round excludes the others, but nothing outside the loop', () => {
  const rounds = [1, 2, 3].map((round) => ({
    kind: 'call' as const,
    line: 9,
    attempt: 1,
    ok: true,
    finishedAt: at(1),
    rounds: [[8, round]] as const,
  }));
  const history = historyOf(journal({ kind: 'call', line: 4, attempt: 1, ok: true, finishedAt: at(1) }, ...rounds));
  const lines = history.byLine([{ line: 8, round: 2 }]);
  assert.equal(lines.get(9)?.effects.length, 1);
  assert.equal(lines.get(9)?.effects[0]?.position, 2);
  assert.equal(lines.get(4)?.effects.length, 1);
});

test('reads a long journal within a time limit, and continues on the next request', async () => {
  const entries = journal(
    ...Array.from({ length: 5_000 }, () => ({ kind: 'call' as const, line: 5, attempt: 1, ok: true, finishedAt: at(1) })),
  );
  let clock = 0;
  const store = {
    journal: async (_id: string, { from = 0, limit = 1_000 } = {}) => {
      clock += 50;
      return { entries: entries.slice(from, from + limit), ...(from + limit < entries.length ? { next: from + limit } : {}) };
    },
  };
  const load = createLoadHistory(store, () => clock);
  const first = await load('a');
  assert.equal(first?.isWhole, false);
  const read = first?.effects.length ?? 0;
  assert.ok(read > 0 && read < 5_000);
  const second = await load('a');
  assert.equal(second?.isWhole, true);
  assert.equal(second?.effects.length, 5_000);
  assert.equal((await load('a'))?.effects.length, 5_000, 'a further look adds nothing twice');
});

// The rows of a journal, as a run that continues finds them.

function recordsOf(...rows: readonly (readonly [branch: string, seq: number, part: number, kind: EntryKind])[]): RunRecords {
  const records = new RunRecords();
  for (const [pos, [branch, seq, part, kind]] of rows.entries())
    records.add({ pos, branch, seq, part, kind, site: 1, at: 0, ms: null, body: null });
  return records;
}

test('a branch is over with any block around it', () => {
  const { fork, call } = entryKinds;
  const records = recordsOf(
    ['', 2, 0, fork],
    ['2.1', 0, 0, fork],
    ['2.1/0.3', 0, 2, call],
    ['2.1', 0, 1, fork],
    ['', 12, 0, fork],
  );
  const over = ['', '2.0', '2.1', '2.1/0.3', '2.1/0.3/4.0', '12.0', '3.0'].filter((path) => records.isOver(path));
  assert.deepEqual(over, ['2.1/0.3', '2.1/0.3/4.0']);
});

test('a run that has waited for a message or a person is known to have, so that its end ends what is left of that', () => {
  const { message, person, wait } = entryKinds;
  const awaited = [recordsOf(['', 0, 0, wait]), recordsOf(['', 0, 0, message]), recordsOf(['', 0, 0, person])];
  assert.deepEqual(
    awaited.map(({ isAwaited }) => isAwaited),
    [false, true, true],
  );
});
