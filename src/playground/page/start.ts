// The entry point of the page and of its workers, one file for both, so that a browser fetches what unpacks the others only once: fetches
// the program of the place where it runs, unpacks it and runs it.
import { fetchPacked } from '../packed/unpack.js';

/** The addresses of the packed programs; the build fills them in. */
declare const PLAYGROUND_MAIN: string;
declare const PLAYGROUND_PROGRAM: string;

/** Only workers have it. */
declare const importScripts: ((address: string) => void) | undefined;

async function startPage(): Promise<void> {
  const { src } = document.scripts[0] as HTMLScriptElement; // this file: the page has no other script
  globalThis.newWorker = () => new Worker(src);
  globalThis.firstWorker = newWorker();
  const address = await fetchPacked(PLAYGROUND_MAIN);
  await import(address);
  URL.revokeObjectURL(address);
}

/** Questions that come before the program are kept for it. */
async function startWorker(run: (address: string) => void): Promise<void> {
  const early: MessageEvent[] = [];
  self.onmessage = (message: MessageEvent) => void early.push(message);
  const address = await fetchPacked(PLAYGROUND_PROGRAM);
  run(address);
  URL.revokeObjectURL(address);
  for (const message of early) self.onmessage?.(message);
}

void (typeof importScripts === 'undefined' ? startPage() : startWorker(importScripts));
