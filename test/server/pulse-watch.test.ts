// Detects a worker without heartbeats: after ten checks, or after two minutes if it has never had one. A pause of the first process itself has no
// effect.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PULSE_MS, PulseWatch } from '../../src/server/process/supervisor.js';

function watch(): { readonly pulse: PulseWatch; readonly look: (ms?: number) => void; readonly isStopped: () => boolean } {
  let now = 0;
  let tick = (): void => undefined;
  let stopped = false;
  const pulse = new PulseWatch({
    now: () => now,
    setTimer(callback) {
      tick = callback;
      return () => {
        stopped = true;
      };
    },
  });
  return {
    pulse,
    look(ms = PULSE_MS) {
      now += ms;
      tick();
    },
    isStopped: () => stopped,
  };
}

test('a worker is lost after ten checks without a heartbeat, and reported once', () => {
  const { pulse, look } = watch();
  const lost: string[] = [];
  const [silent, alive] = [{}, {}];
  pulse.watch(silent, () => lost.push('silent'));
  pulse.watch(alive, () => lost.push('alive'));
  pulse.beat(silent);
  for (let count = 0; count < 9; count++) {
    look();
    pulse.beat(alive);
  }
  assert.equal(lost.length, 0);
  look();
  for (let count = 0; count < 5; count++) {
    look();
    pulse.beat(alive);
  }
  assert.deepEqual(lost, ['silent']);
});

test('a worker that freezes before its first heartbeat is lost after two minutes, and a slow start is not', () => {
  const { pulse, look } = watch();
  const lost: string[] = [];
  const [frozen, slow] = [{}, {}];
  pulse.watch(frozen, () => lost.push('frozen'));
  pulse.watch(slow, () => lost.push('slow'));
  for (let count = 0; count < 119; count++) look();
  pulse.beat(slow);
  assert.deepEqual(lost, []);
  look();
  assert.deepEqual(lost, ['frozen']);
});

test('a heartbeat restarts the count, and a worker that has ended is forgotten', () => {
  const { pulse, look } = watch();
  const lost: string[] = [];
  const [one, other] = [{}, {}];
  for (const worker of [one, other]) pulse.watch(worker, () => lost.push('lost'));
  for (const worker of [one, other]) pulse.beat(worker);
  for (let count = 0; count < 9; count++) look();
  pulse.beat(one);
  pulse.forget(other);
  for (let count = 0; count < 9; count++) look();
  assert.deepEqual(lost, []);
});

test('late checks say nothing, because this process itself was paused', () => {
  const { pulse, look, isStopped } = watch();
  const lost: string[] = [];
  const worker = {};
  pulse.watch(worker, () => lost.push('lost'));
  pulse.beat(worker);
  for (let count = 0; count < 50; count++) look(60_000);
  assert.deepEqual(lost, []);
  pulse.stop();
  assert.ok(isStopped());
});
