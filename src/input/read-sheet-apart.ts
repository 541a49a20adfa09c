// Reads a workbook in a separate process, with limits on time and memory.
import { spawn, spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import path from 'node:path';
import { distFolder } from '../dist-folder.js';
import { missingPart } from '../load-chunk.js';
import { InputFault } from './load-file.js';
import type { SheetReply, SheetRequest } from './read-sheet.js';
import { EmptyTable, type Table } from './table.js';

/** Processor time for each megabyte of the file: much more than an honest workbook needs. */
const secondsPerMegabyte = 3;
const heapPerMegabyte = 60;
/** On a busy machine, the process may take so many times longer than its processor time. */
const patience = 4;
/** At least these: seconds to start and read, megabytes of heap. */
const leastSeconds = 5;
const leastHeap = 256;
const mostHeap = 8_192;
/** Maximum bytes of the answer that `readSheetNow` waits for. */
const mostAnswer = 512 * 1024 * 1024;

type SheetWish = Omit<SheetRequest, 'file' | 'processorMs'>;

/**
 * Reads the sheet in a separate process: a hostile workbook can make the library run forever, or use so much memory that the
 * process dies.
 * @throws UsageError if anything is wrong with the file
 */
export async function readSheetApart(file: string, request: SheetWish): Promise<Table> {
  return tableIn(file, await run(programFor({ file, ...request })));
}

/** Like `readSheetApart`, but blocks until the other process is done. */
export function readSheetNow(file: string, request: SheetWish): Table {
  const { args, timeMs } = programFor({ file, ...request });
  const { status, stdout } = spawnSync(process.execPath, args, {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: {},
    windowsHide: true,
    timeout: timeMs,
    killSignal: 'SIGKILL',
    maxBuffer: mostAnswer,
  });
  // The process writes a `SheetReply`.
  return tableIn(file, status === 0 ? (JSON.parse(stdout.toString()) as SheetReply) : undefined);
}

const program = 'sheet-reader.cjs';

/** The command of the other process, and its time limit in milliseconds. */
function programFor(request: Omit<SheetRequest, 'processorMs'>): { readonly args: string[]; readonly timeMs: number } {
  const megabytes = sizeOf(path.resolve(request.cwd, request.file)) / 1024 ** 2;
  const heap = Math.round(Math.min(mostHeap, leastHeap + heapPerMegabyte * megabytes));
  const processorMs = Math.ceil((leastSeconds + secondsPerMegabyte * megabytes) * 1000);
  const limited: SheetRequest = { ...request, processorMs };
  return {
    args: [`--max-old-space-size=${heap}`, path.join(distFolder, program), JSON.stringify(limited)],
    timeMs: processorMs * patience,
  };
}

function tableIn(file: string, said: SheetReply | undefined): Table {
  if (said === undefined) {
    const missing = missingPart(program);
    if (missing !== undefined) throw missing;
    const hint = 'If this is an ordinary workbook, save the sheet as CSV and use that instead.';
    throw new InputFault(file, 'reading it takes more time or memory than a file of its size should need', { hint });
  }
  if (!said.ok) throw new (said.isEmpty ? EmptyTable : InputFault)(file, said.what, said.more);
  return said.table;
}

/** Size in bytes; 0 if there is no such file, which the other process then reports. */
function sizeOf(absolute: string): number {
  return statSync(absolute, { throwIfNoEntry: false })?.size ?? 0;
}

/** `undefined` if it had to be killed, or exited without an answer. */
function run({ args, timeMs }: ReturnType<typeof programFor>): Promise<SheetReply | undefined> {
  return new Promise((resolve, reject) => {
    // It gets no part of the environment.
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore'], env: {}, windowsHide: true });
    const parts: Buffer[] = [];
    const timer = setTimeout(() => child.kill('SIGKILL'), timeMs);
    child.stdout.on('data', (part) => parts.push(part));
    child.once('error', reject);
    child.once('close', (code) => {
      clearTimeout(timer);
      // The process writes a `SheetReply`.
      resolve(code === 0 ? (JSON.parse(Buffer.concat(parts).toString()) as SheetReply) : undefined);
    });
  });
}
