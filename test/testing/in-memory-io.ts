// The streams, environment and folder of a command that a test runs in its own process.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { PassThrough, Writable } from 'node:stream';
import type { TestContext } from 'node:test';
import type { Values } from '../../src/commands/command-table.js';
import { testCommand } from '../../src/commands/test.js';
import type { Io } from '../../src/engine/io.js';
import { fixture } from '../root.js';

export interface Ran {
  readonly exit: number;
  readonly out: string;
  readonly err: string;
}

/** A folder with these files (text, or data that is written as JSON), deleted after the test. */
export function folderWith(context: TestContext, files: Readonly<Record<string, unknown>>): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'wf-testing-'));
  context.after(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), typeof content === 'string' ? content : JSON.stringify(content, null, 2));
  }
  return folder;
}

/** A file of `test/testing/files`. */
export const sample = (name: string): string => fixture('..', 'test', 'testing', 'files', name);

/** `wf test` in this folder; `stopped` presses Ctrl+C before it starts. */
export async function wfTest(
  cwd: string,
  targets: readonly string[],
  values: Values = {},
  more: { readonly env?: Io['env']; readonly stopped?: boolean } = {},
): Promise<Ran> {
  const written = { out: '', err: '' };
  const stream = (name: 'out' | 'err'): Writable =>
    new Writable({
      write(chunk, _encoding, done) {
        written[name] += String(chunk);
        done();
      },
    });
  const streams = { stdout: stream('out'), stderr: stream('err') };
  const io: Io = {
    cwd,
    env: { WF_CACHE: 'off', ...more.env },
    stdin: new PassThrough().end(),
    ...streams,
    stream: (name) => streams[name],
    colour: { stdout: false, stderr: false },
    onStop(callback) {
      if (more.stopped === true) callback('SIGINT', 1);
      return () => {};
    },
  };
  return { exit: await testCommand(targets, values, io), ...written };
}
