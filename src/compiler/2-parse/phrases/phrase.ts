// How people say things that the language says in other words.

export interface Phrase {
  /** Looked for in the text of a line, where the letters of quoted texts are hidden: `"···"`. `^` is the beginning of the line. */
  readonly find: RegExp;
  /** What to write instead: `$1` is the first group as it stands in the file, `@1` the same without its quotes. */
  readonly write?: string;
  /** Shown below the message; an example is indented. */
  readonly hint?: string;
}

/** A value in one piece: a quoted text, a number, a name with its fields. */
export const VALUE = String.raw`("[^"]*"|[\p{L}\p{N}_][\p{L}\p{N}_.-]*)`;

/** A name, or a dotted name. */
export const NAME = String.raw`([\p{L}_][\p{L}\p{N}_.-]*)`;

/** A phrase that may stand anywhere in a line. */
export const anywhere = (words: string): RegExp =>
  new RegExp(String.raw`(?<![\p{L}\p{N}_.-])(?:${words})(?![\p{L}\p{N}_-])`, 'diu');

/** A phrase that a line begins with. */
export const atStart = (words: string): RegExp => new RegExp(`^(?:${words})`, 'diu');
