// What a process did to the files of its store, in order. A preloaded library (`write-trace.c`) records it, and this module reads it.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '../root.js';

export interface TraceEvent {
  readonly kind: 'opened' | 'written' | 'flushed' | 'cut' | 'removed';
  /** Number of the open file. */
  readonly file: number;
  /** For `cut`, the new length. */
  readonly offset: number;
  /** The bytes written; for `opened` and `removed`, the path. */
  readonly data: Buffer;
  /** Length of the trace after this event. Whatever was observed at this length happened after the event. */
  readonly end: number;
}

const kinds = [undefined, 'opened', 'written', 'flushed', 'cut', 'removed'] as const;
const HEAD = 32;

/**
 * Builds the library; `undefined` if this machine has no compiler for it.
 * @param folder where to put it
 */
export function buildTracer(folder: string): string | undefined {
  if (process.platform !== 'linux') return undefined;
  const library = path.join(folder, 'write-trace.so');
  const source = path.join(root, 'test', 'durable', 'write-trace.c');
  const built = spawnSync('cc', ['-shared', '-fPIC', '-O1', '-o', library, source, '-ldl', '-pthread'], { stdio: 'ignore' });
  return built.status === 0 ? library : undefined;
}

export function readTrace(file: string): TraceEvent[] {
  const bytes = readFileSync(file);
  const events: TraceEvent[] = [];
  for (let at = 0; at + HEAD <= bytes.length; ) {
    const [number, open, offset, length] = [0, 8, 16, 24].map((field) => Number(bytes.readBigUInt64LE(at + field)));
    const end = at + HEAD + (length ?? 0);
    const kind = kinds[number ?? 0];
    if (kind !== undefined) {
      events.push({ kind, file: open ?? 0, offset: offset ?? 0, data: bytes.subarray(at + HEAD, end), end });
    }
    at = end;
  }
  return events;
}
