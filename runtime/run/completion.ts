// How emitted code ends: it creates these values, and the run reads them.

import type { Value, WfRecord } from '../types.js';
import { record } from '../values/record.js';
import { outputs, show, textToPutOut } from '../values/values.js';

export type Completion =
  | { readonly status: 'completed'; readonly outputs: WfRecord }
  | { readonly status: 'rejected'; readonly message: string };

/** `complete with …`: the outputs, in the order of the file. */
export function completed(pairs: readonly (readonly [key: string, value: Value])[]): Completion {
  const put = outputs(pairs.map(([, value]) => value));
  return { status: 'completed', outputs: record(pairs.map(([key], index) => [key, put[index]] as const)) };
}

/** `reject with …`: the message as text. */
export function rejected(message: Value): Completion {
  return { status: 'rejected', message: textToPutOut(show(message)) };
}
