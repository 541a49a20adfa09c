// What an emitted module returns when it ends. Its own file, because emitted code makes these and the run reads them.
import { record } from './record.js';
import type { Value, WfRecord } from './types.js';
import { output, show } from './values.js';

export type Ending =
  | { readonly status: 'completed'; readonly outputs: WfRecord }
  | { readonly status: 'rejected'; readonly message: string };

/** `complete with …`: the outputs in the order of the file. */
export function completed(pairs: readonly (readonly [key: string, value: Value])[]): Ending {
  return { status: 'completed', outputs: record(pairs.map(([key, value]) => [key, output(value)] as const)) };
}

/** `reject with …`: the message is shown as text. */
export function rejected(message: Value): Ending {
  return { status: 'rejected', message: show(message) };
}
