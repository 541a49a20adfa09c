// An engine that dies like a killed process: its locks are released, and it writes and sends nothing more.
import type { DurableEngine } from '../../src/durable/durable-engine.js';
import { tapNextStore } from './tapped-store.js';
import type { TestStore } from './test-store.js';

export async function mortal(
  open: TestStore['open'],
): Promise<{ readonly engine: DurableEngine; readonly kill: () => Promise<unknown> }> {
  let endThread: (() => Promise<unknown>) | undefined;
  tapNextStore({
    onThread: (end) => {
      endThread = end;
    },
  });
  const engine = await open();
  return {
    engine,
    async kill() {
      await endThread?.();
      // A process that lives on would start another thread.
      await engine.close(0);
    },
  };
}
