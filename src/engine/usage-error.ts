// Wrong usage: options, unreadable input, a missing file. The command line exits with code 2.

/** The message is one plain sentence for the person at the terminal. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
  readonly hint: string | undefined;

  constructor(message: string, hint?: string) {
    super(message);
    this.hint = hint;
  }
}
