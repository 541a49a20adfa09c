// Writes the outputs of a run as JSON once, although the store and the answer to a caller both contain them.
import type { WfRecord } from '../../../runtime/types.js';

let last: WfRecord | undefined;
let text = '';

/** The outputs must not change between two calls. */
export function outputsJson(outputs: WfRecord): string {
  if (outputs === last) {
    // No one needs them a third time, and they may be large.
    last = undefined;
    const written = text;
    text = '';
    return written;
  }
  last = outputs;
  text = JSON.stringify(outputs);
  return text;
}
