// Work that can take turns with other work: it yields every few milliseconds. An editor goes on with it between two keystrokes, and leaves it
// unfinished once the text has changed; commands do it at once.

export type InTurns<T> = Generator<undefined, T, undefined>;

export function runToEnd<T>(work: InTurns<T>): T {
  for (;;) {
    const { done, value } = work.next();
    if (done === true) return value;
  }
}
