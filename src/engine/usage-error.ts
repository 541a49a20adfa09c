// Wrong usage: options, input that cannot be read, a file that is not there. The command line ends with exit code 2.

/** Thrown by the parts that a front-end shares; its message is one plain sentence for the person at the terminal. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
  readonly hint: string | undefined;

  constructor(message: string, hint?: string) {
    super(message);
    this.hint = hint;
  }
}
