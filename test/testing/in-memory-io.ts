// The streams, environment and folder of a command that a test runs in its own process.
import { PassThrough, Writable } from 'node:stream';
import type { TestContext } from 'node:test';
import type { Values } from '../../src/commands/command-spec.js';
import { testCommand } from '../../src/commands/test.js';
import type { Io } from '../../src/engine/io.js';
import { fixture } from '../root.js';
import { temporaryFolder } from '../temporary-folder.js';

export interface Ran {
  readonly exit: number;
  readonly out: string;
  readonly err: string;
}

/** A folder with these files (text, or data that is written as JSON), deleted after the test. */
export const folderWithData = (context: TestContext, files: Readonly<Record<string, unknown>>): string =>
  temporaryFolder(
    context,
    Object.fromEntries(
      Object.entries(files).map(([name, content]) => [
        name,
        typeof content === 'string' ? content : JSON.stringify(content, null, 2),
      ]),
    ),
  );

type Stop = Parameters<Io['onStop']>[0];

/** Collects what a command prints in `written`. @param onStop receives the callback that stops the command */
export function inMemoryIo(
  cwd: string,
  env: Io['env'],
  onStop: (stop: Stop) => void = () => {},
): Io & { readonly written: Readonly<Pick<Ran, 'out' | 'err'>> } {
  const written = { out: '', err: '' };
  const stream = (name: 'out' | 'err'): Writable =>
    new Writable({
      write(chunk, _encoding, done) {
        written[name] += String(chunk);
        done();
      },
    });
  const streams = { stdout: stream('out'), stderr: stream('err') };
  return {
    cwd,
    env,
    stdin: new PassThrough().end(),
    written,
    ...streams,
    stream: (name) => streams[name],
    colour: { stdout: false, stderr: false },
    onStop(callback) {
      onStop(callback);
      return () => {};
    },
  };
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
  const io = inMemoryIo(cwd, { WF_CACHE: 'off', ...more.env }, (stop) => {
    if (more.stopped === true) stop('SIGINT', 1);
  });
  return { exit: await testCommand(targets, values, io), ...io.written };
}
