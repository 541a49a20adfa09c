// The progress line: only on a terminal, only for long work, and not too often.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createProgress, progressText } from '../../src/commands/progress.js';
import type { Io } from '../../src/engine/io.js';

function terminal(isTTY: boolean): { io: Pick<Io, 'stderr'>; written: string[] } {
  const written: string[] = [];
  const stderr = { isTTY, write: (text: string) => written.push(text) > 0 };
  // Only these two members are used.
  return { io: { stderr: stderr as unknown as Io['stderr'] }, written };
}

test('shows items, rate and time left', () => {
  assert.equal(progressText('line 12', 50_000, 200_000, 5_000), 'line 12: 50,000 of 200,000 (25 %), 10,000 a second, 15 s left');
  assert.equal(progressText('line 12', 10, 200_000, 5_000), 'line 12: 10 of 200,000 (0 %), 2 a second, 1667 min left');
  assert.equal(progressText('checked', 0, 500, 0), 'checked: 0 of 500 (0 %)');
});

test('writes nothing without a terminal', () => {
  const { io, written } = terminal(false);
  const progress = createProgress(io, 10, () => written.length * 1_000);
  progress.update(1, 'line 1', 500, 1_000);
  progress.clear();
  assert.deepEqual(written, []);
});

test('writes at most five lines per second, erases the last one, and skips short work', () => {
  const { io, written } = terminal(true);
  let time = 0;
  const progress = createProgress(io, 1_000, () => time);
  progress.update(3, 'line 3', 1, 900);
  for (time = 0; time <= 1_000; time += 10) progress.update(3, 'line 3', time, 2_000);
  assert.equal(written.length, 5);
  assert.match(written[0] ?? '', /^\r[^\n]*line 3: 200 of 2,000/);
  progress.clear();
  assert.equal(written.at(-1), '\r\u001b[K');
  progress.clear();
  assert.equal(written.length, 6);
});

test('shows the outermost of nested loops', () => {
  const { io, written } = terminal(true);
  let time = 0;
  const progress = createProgress(io, 1_000, () => time);
  progress.update(5, 'line 5', 10, 5_000);
  progress.update(7, 'line 7', 10, 5_000);
  time = 300;
  progress.update(7, 'line 7', 20, 5_000);
  assert.deepEqual(written, []);
  progress.update(5, 'line 5', 20, 5_000);
  assert.equal(written.length, 1);
});
