// The entry point of the page: fetches the rest of its script, unpacks it and runs it.
import { fetchPacked } from '../packed/unpack.js';

/** The address of the packed script; the build fills it in. */
declare const PLAYGROUND_MAIN: string;

async function start(): Promise<void> {
  const address = await fetchPacked(PLAYGROUND_MAIN);
  await import(address);
  URL.revokeObjectURL(address);
}

void start();
