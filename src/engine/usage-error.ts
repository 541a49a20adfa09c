// Wrong usage: options, unreadable input, a missing file. The command line exits with code 2, or with 75 (`EX_TEMPFAIL`) for what may pass.
import { oneLine } from '../../runtime/values/one-line.js';

/** Typed text, or the content of a file, must not control the terminal. */
const shown = (text: string): string => text.split('\n').map(oneLine).join('\n');

/** The message is one plain sentence for the person at the terminal. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
  readonly hint: string | undefined;
  /** Whether a later attempt may succeed without a change, because something else could not be reached. */
  readonly mayPass: boolean;

  constructor(message: string, hint?: string, mayPass = false) {
    super(shown(message));
    this.hint = hint && shown(hint);
    this.mayPass = mayPass;
  }
}
