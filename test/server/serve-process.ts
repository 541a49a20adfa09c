// `wf serve` as a process, for tests of signals, workers and output. This file, bundled into a test, starts itself again and then behaves
// like the command line, with files that contain a version instead of a workflow.
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { TestContext } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { LocatedDiagnostic } from '../../src/compiler/diagnostics/diagnostic.js';
import type { Io, StopSignal } from '../../src/engine/io.js';
import type { Preparation } from '../../src/engine/prepare/prepared.js';
import { UsageError } from '../../src/engine/usage-error.js';
import { serve } from '../../src/server/serve.js';
import type { ServeOptions } from '../../src/server/settings.js';
import { endWithTest, temporaryFolder } from '../temporary-folder.js';
import { completed, fakeWorkflow } from './fake-workflow.js';

/** A file with this text has an error on its third line. */
export const BROKEN = 'broken';

/** Replaces the compiler: the workflow outputs the text of its file. */
export async function fakePrepare(file: string, { cwd }: { readonly cwd: string }): Promise<Preparation> {
  const text = readFileSync(path.join(cwd, file), 'utf8').trim();
  if (text === BROKEN) return { ok: false, file, diagnostics: [diagnostic(file)] };
  const run: Parameters<typeof fakeWorkflow>[1] = async (request, options) => {
    if (request.exit === true) process.exit(9);
    if (typeof request.log === 'string')
      options?.onLog?.({ time: '2026-03-02T09:00:00.000Z', type: 'log', message: request.log });
    if (typeof request.until === 'string') {
      const file = request.until;
      options?.onLog?.({ time: '2026-03-02T09:00:00.000Z', type: 'log', message: 'held' });
      while (!existsSync(file)) await pause(5);
    }
    return completed({ text, pid: process.pid });
  };
  const name = path.basename(file).replace(/\.(?:wf|mjs)$/, '');
  return { ok: true, prepared: { ...fakeWorkflow(name, run, { env: ['NEEDED'] }), file } };
}

const diagnostic = (file: string): LocatedDiagnostic => ({
  code: 'WF001',
  severity: 'error',
  span: { start: 0, end: 1 },
  message: 'This is broken.',
  file,
  line: 3,
  column: 1,
  length: 1,
  sourceLine: 'x',
});

export const readNoMocks = (file: string): never => {
  throw new UsageError(`${file} cannot be read.`);
};

const ignoreSignals = (): void => void process.on('SIGINT', () => undefined).on('SIGTERM', () => undefined);

/** What `cli.ts` does around a command. */
async function main(target: string, options: ServeOptions): Promise<void> {
  const io: Io = {
    cwd: process.cwd(),
    env: process.env,
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    stream: (name) => process[name],
    colour: { stdout: false, stderr: false },
    onStop(callback) {
      let count = 0;
      let isOver = false;
      const on = (signal: StopSignal): void => {
        if (isOver) return;
        count++;
        callback(signal, count);
        if (count > 1) process.exit(130);
      };
      process.on('SIGINT', on).on('SIGTERM', on);
      return () => {
        isOver = true;
      };
    },
  };
  try {
    process.exitCode = await serve(target, options, io, {
      prepare: fakePrepare,
      readMocks: readNoMocks,
      startSchedules: async () => ({ replace() {}, stop: async () => {} }),
      ignoreSignals,
    });
  } catch (error) {
    process.stderr.write(`${error instanceof UsageError ? error.message : (error as Error).stack}\n`);
    process.exitCode = !(error instanceof UsageError) ? 70 : error.mayPass ? 75 : 2;
  }
}

/** True in the process started by a test: it serves, and must not run the tests of the file. */
export const isServeProcess: boolean = process.env.WF_TEST_SERVE !== undefined;
if (process.env.WF_TEST_SERVE !== undefined) {
  const { target, options } = JSON.parse(process.env.WF_TEST_SERVE);
  void main(target, options);
}

/** A request whose run lasts until `release`. The server prints `log: held` when it has started. */
export function heldRequest(t: TestContext): { readonly request: { readonly until: string }; readonly release: () => void } {
  const folder = temporaryFolder(t);
  const file = path.join(folder, 'released');
  return { request: { until: file }, release: () => writeFileSync(file, '') };
}

export interface ServeProcess {
  readonly child: ChildProcess;
  readonly url: string;
  readonly stdout: () => string;
  readonly stderr: () => string;
  /** Resolves once standard output and error together contain this. */
  readonly said: (pattern: RegExp) => Promise<void>;
  readonly ended: Promise<number | NodeJS.Signals | null>;
}

export interface StartOptions {
  readonly cwd: string;
  readonly target?: string;
  readonly options?: ServeOptions;
  readonly env?: Record<string, string>;
}

/** @param script the test file itself, which imports this one. Resolves when it listens, or has ended. */
export async function startProcess(
  t: TestContext,
  script: string,
  { cwd, target = '.', options = {}, env = {} }: StartOptions,
): Promise<ServeProcess> {
  const given = JSON.stringify({ target, options: { port: '0', host: '127.0.0.1', ...options } });
  const child = spawn(process.execPath, [script], {
    cwd,
    env: { PATH: process.env.PATH, ...env, WF_TEST_SERVE: given },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  const looking = new Set<() => void>();
  const heard = (): void => {
    for (const look of looking) look();
  };
  child.stdout.on('data', (data) => {
    stdout += data;
    heard();
  });
  child.stderr.on('data', (data) => {
    stderr += data;
    heard();
  });
  let over = false;
  const ended = new Promise<number | NodeJS.Signals | null>((resolve) =>
    child.once('close', (code, signal) => {
      over = true;
      resolve(code ?? signal);
      heard();
    }),
  );
  endWithTest(t, () => {
    if (!over) child.kill('SIGKILL');
    return ended;
  });
  const said = (pattern: RegExp): Promise<void> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        if (pattern.test(stdout + stderr)) resolve();
        else if (over) reject(new Error(`It ended without saying ${pattern}:\n${stdout}${stderr}`));
        else return;
        looking.delete(look);
      };
      looking.add(look);
      look();
    });
  await Promise.race([said(/Listening on .*/).catch(() => undefined), ended]);
  const url = /Listening on (http:\/\/[\d.]+:\d+)/.exec(stdout)?.[1] ?? '';
  return { child, url, stdout: () => stdout, stderr: () => stderr, said, ended };
}
