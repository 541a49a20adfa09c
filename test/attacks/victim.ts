// Runs the built command line as a process under attack: its output, and its peak memory.
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import path from 'node:path';
import type { TestContext } from 'node:test';
import { folderWith } from '../commands/wf.js';
import { FIXED_WORK } from '../processor-time.js';
import { cli, root } from '../root.js';
import { endProcess, endWithTest } from '../temporary-folder.js';

/** Returns the field `a` of the request. */
export const ECHO = readFileSync(path.join(root, 'test/attacks/files/echo.wf'), 'utf8');

/** Calls the service at `env.API`, and returns its answer. */
export const CALL = readFileSync(path.join(root, 'test/attacks/files/call.wf'), 'utf8');

export interface EndedVictim {
  readonly code: number | NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Megabytes. */
  readonly peak: number;
}

export interface Victim {
  readonly folder: string;
  /** Resolves when the process has ended. */
  readonly ended: Promise<EndedVictim>;
  readonly child: ChildProcess;
}

export interface VictimOptions {
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
  readonly env?: Readonly<Record<string, string>>;
  /** Options of Node.js, such as a smaller heap. */
  readonly node?: readonly string[];
  /** The program of another installation. */
  readonly program?: string;
}

/** Starts `wf` with these arguments in a temporary folder. The test kills it at its end. */
export function startVictim(
  t: TestContext,
  words: readonly string[],
  { files = {}, env = {}, node = [], program = cli }: VictimOptions,
): Victim {
  const { path: folder } = folderWith(t, files);
  const preload = path.join(root, 'bench/peak-memory.cjs');
  const child = spawn(process.execPath, [...node, '--require', preload, program, ...words], {
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: folder, NO_COLOR: '1', ...env },
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  });
  const said: string[] = ['', '', '', ''];
  for (const stream of [1, 2, 3]) {
    child.stdio[stream]?.on('data', (data) => {
      said[stream] += data;
    });
  }
  const ended = new Promise<EndedVictim>((resolve) => {
    child.once('close', (code, signal) => {
      const [, stdout = '', stderr = '', peak = ''] = said;
      resolve({ code: code ?? signal, stdout, stderr, peak: Number(peak) / 1024 ** 2 });
    });
  });
  endWithTest(t, async () => {
    await endProcess(child);
    await ended;
  });
  return { folder, ended, child };
}

export interface Server extends Victim {
  readonly port: number;
  /** Stops it and returns its output so far. */
  readonly stop: () => Promise<EndedVictim>;
}

/** Starts `wf serve` with one file. Resolves when it listens. */
export async function startServerVictim(
  t: TestContext,
  file: string,
  options: VictimOptions & { readonly words?: readonly string[] },
): Promise<Server> {
  const { words = [], ...more } = options;
  const victim = startVictim(t, ['serve', 'case.wf', '--port', '0', ...words], {
    ...more,
    files: { 'case.wf': file, ...more.files },
  });
  const port = await new Promise<number>((resolve, reject) => {
    let text = '';
    victim.child.stdout?.on('data', (data) => {
      text += data;
      const found = /Listening on \S+:(\d+)/.exec(text)?.[1];
      if (found !== undefined) resolve(Number(found));
    });
    void victim.ended.then(({ stdout, stderr }) => reject(new Error(`It ended: ${stdout}${stderr}`)));
  });
  return {
    ...victim,
    port,
    stop() {
      victim.child.kill('SIGTERM');
      return victim.ended;
    },
  };
}

export interface Client {
  readonly socket: Socket;
  /** Resolves with everything received when the connection has ended. */
  readonly closed: Promise<string>;
}

/** Opens a connection and sends this. */
export function attack(t: TestContext, port: number, ...parts: readonly (string | Uint8Array)[]): Client {
  const socket = connect(port, '127.0.0.1');
  t.after(() => socket.destroy());
  let text = '';
  socket.on('data', (data) => {
    text += data.toString('latin1');
  });
  socket.on('error', () => undefined);
  const closed = new Promise<string>((resolve) => socket.once('close', () => resolve(text)));
  for (const part of parts) socket.write(part);
  return { socket, closed };
}

/** The head of a POST that closes the connection after its answer. */
export const head = (...more: readonly string[]): string =>
  ['POST / HTTP/1.1', 'Host: localhost', 'Content-Type: application/json', 'Connection: close', ...more, '', ''].join('\r\n');

/** Milliseconds of processor time. The target is 100 on a user's machine; the one that runs the tests may be several times slower. */
const LONGEST_TURN = 500;

/** @param stderr of a server that has loaded `files/longest-turn.cjs` and has ended */
export function assertShortTurns(t: TestContext, stderr: string, most = LONGEST_TURN): void {
  const [, longest, work] = /longest turn: (\S+) ms; fixed work: (\S+) ms/.exec(stderr) ?? assert.fail(stderr.slice(-500));
  const limit = most * Math.max(1, Number(work) / FIXED_WORK);
  const said = `a turn took ${Math.round(Number(longest))} of ${Math.round(limit)} ms`;
  t.diagnostic(said);
  assert.ok(Number(longest) < limit, said);
}
