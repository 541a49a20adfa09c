// The entry point of the page: starts the worker, and fetches the rest of its own script, unpacks it and runs it. Both take their time.
import { fetchPacked } from '../packed/unpack.js';

/** The address of the packed script; the build fills it in. */
declare const PLAYGROUND_MAIN: string;

globalThis.firstWorker = new Worker(PLAYGROUND_WORKER);

async function start(): Promise<void> {
  const address = await fetchPacked(PLAYGROUND_MAIN);
  await import(address);
  URL.revokeObjectURL(address);
}

void start();
