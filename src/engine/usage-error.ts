// Wrong usage: options, unreadable input, a missing file. The command line exits with code 2, or with 75 (`EX_TEMPFAIL`) for what may pass.

/** The message is one plain sentence for the person at the terminal. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
  readonly hint: string | undefined;
  /** Whether a later attempt may succeed without a change, because something else could not be reached. */
  readonly mayPass: boolean;

  constructor(message: string, hint?: string, mayPass = false) {
    super(message);
    this.hint = hint;
    this.mayPass = mayPass;
  }
}
