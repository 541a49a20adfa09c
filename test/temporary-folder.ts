// Folders that tests write to, and the end of what writes to them.
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { TestContext } from 'node:test';

const ends = new WeakMap<TestContext, (() => unknown)[]>();

/** Ends what has begun since, the last first. */
async function endAll(context: TestContext): Promise<void> {
  const open = ends.get(context) ?? [];
  for (let end = open.pop(); end !== undefined; end = open.pop()) await end();
}

/**
 * Calls `end` after the test, before the folders of the test are deleted: what still runs there could write to them meanwhile. Hooks of a
 * test run in the order in which they were set, so that `context.after` would call it too late.
 */
export function endWithTest(context: TestContext, end: () => unknown): void {
  const open = ends.get(context);
  if (open !== undefined) open.push(end);
  else {
    ends.set(context, [end]);
    context.after(() => endAll(context));
  }
}

/** For `endWithTest`: kills a process, and waits until it is gone. */
export async function endProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
}

/** A new folder with these files, deleted after the test. */
export function temporaryFolder(context: TestContext, files: Readonly<Record<string, string | Uint8Array>> = {}): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'wf-test-'));
  context.after(async () => {
    await endAll(context);
    rmSync(folder, { recursive: true, force: true });
  });
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), content);
  }
  return folder;
}
