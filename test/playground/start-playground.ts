// Starts `wf playground` for a test.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { TestContext } from 'node:test';
import { cli } from '../root.js';
import { endProcess, endWithTest } from '../temporary-folder.js';

/** Starts it in a folder. @returns its port */
export async function startPlayground(context: TestContext, cwd: string, ...words: string[]): Promise<number> {
  const child = spawn(process.execPath, [cli, 'playground', ...words, '--port', '0'], {
    cwd,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  endWithTest(context, () => endProcess(child));
  for await (const line of createInterface({ input: child.stdout })) {
    const port = /http:\/\/127\.0\.0\.1:(\d+)\//.exec(line)?.[1];
    if (port !== undefined) return Number(port);
  }
  throw new Error('The playground did not start');
}
