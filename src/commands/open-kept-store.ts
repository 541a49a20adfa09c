// The store of a long-running process: its runs continue there, and log their lines through it.
import type { LogEntry } from '../../runtime/types.js';
import type { DurableEngine } from '../durable/durable-engine.js';
import { openStore } from '../durable/open-store.js';
import type { Io } from '../engine/io.js';
import { logLine } from '../engine/log-lines.js';
import type { Prepared } from '../engine/prepared.js';

export interface KeptStoreOptions {
  readonly io: Pick<Io, 'env' | 'cwd'>;
  readonly workflows: readonly Prepared[];
  readonly keepMs: number | undefined;
  readonly publicUrl: string | undefined;
  readonly out: (line: string) => void;
  readonly err: (line: string) => void;
}

/** @throws UsageError if the store can't be used */
export function openKeptStore(
  where: string,
  { io, workflows, keepMs, publicUrl, out, err }: KeptStoreOptions,
): Promise<DurableEngine> {
  return openStore(where, {
    ...{ env: io.env, cwd: io.cwd, keepMs, publicUrl },
    current: (name) => workflows.find(({ basename }) => basename === name),
    onProblem: err,
    onLog: (_run, entry: LogEntry) => {
      if (entry.type === 'log') out(logLine(entry));
    },
  });
}
