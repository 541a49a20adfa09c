// The entry point of a worker: fetches its program, unpacks it and runs it. Questions that come before are kept for it.
import { fetchPacked } from '../packed/unpack.js';

/** The address of the packed program; the build fills it in. */
declare const PLAYGROUND_PROGRAM: string;

declare const self: {
  onmessage: (message: unknown) => void;
  importScripts: (address: string) => void;
};

const early: unknown[] = [];
self.onmessage = (message) => void early.push(message);

async function start(): Promise<void> {
  const address = await fetchPacked(PLAYGROUND_PROGRAM);
  self.importScripts(address);
  URL.revokeObjectURL(address);
  for (const message of early) self.onmessage(message);
}

void start();
