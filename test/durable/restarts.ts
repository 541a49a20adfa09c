// A run whose process dies after each of its calls, as often as one likes: it comes to its end, in one file.
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openStore } from '../../src/durable/open-store.js';
import { prepare } from '../../src/engine/prepare/prepare.js';
import { testFile } from '../root.js';
import { until } from '../until.js';
import { Ledger } from './ledger.js';
import { tapNextStore } from './tapped-store.js';

const WORKFLOW = testFile('durable/files/call-per-step.wf');

export interface RestartReport {
  /** How often a process began. */
  readonly lives: number;
  readonly calls: number;
  readonly repeated: number;
  readonly violations: readonly string[];
}

export async function restarted(times: number): Promise<RestartReport> {
  const folder = mkdtempSync(path.join(tmpdir(), 'wf-restarts-'));
  const ledger = await Ledger.start();
  const env = { LEDGER_URL: ledger.address, HOME: folder, WF_CACHE: 'off' };
  writeFileSync(path.join(folder, 'restarts.wf'), WORKFLOW);
  try {
    const prepared = await prepare('restarts.wf', { cwd: folder, env });
    assert.ok(prepared.ok);
    const steps = Array.from({ length: times }, (_, step) => step + 1);
    let run: string | undefined;
    let isOver = false;
    let lives = 0;
    for (; !isOver && lives <= 2 * times; lives++) {
      const before = ledger.received.length;
      // The call in doubt, the next one, and then the end of this life.
      ledger.delayMs = () => (ledger.received.length >= before + 2 ? 60_000 : 0);
      let endThread: (() => Promise<unknown>) | undefined;
      tapNextStore({
        onThread: (end) => {
          endThread = end;
        },
      });
      const engine = await openStore('runs', { env, cwd: folder });
      await engine.serve();
      if (run === undefined) {
        const started = await engine.start({ prepared: prepared.prepared, request: { steps }, respondAsync: true });
        assert.ok(started.kind === 'started');
        run = started.run;
      }
      const id = run;
      await until(async () => {
        isOver = (await engine.state(id))?.status === 'completed';
        return isOver || ledger.received.length >= before + 2;
      });
      if (!isOver) await endThread?.();
      await engine.close(0);
    }
    const { calls, repeated, violations } = ledger.judge([1], times);
    const shards = readdirSync(path.join(folder, 'runs')).filter((name) => /^s\d+\.db$/.test(name));
    return {
      lives,
      calls,
      repeated,
      violations: [
        ...violations,
        ...(isOver ? [] : ['the run was lost']),
        ...(shards.length === 1 ? [] : [`there are ${shards.length} files of runs`]),
      ],
    };
  } finally {
    ledger.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
