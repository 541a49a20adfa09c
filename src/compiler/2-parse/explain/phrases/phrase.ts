// Everyday and foreign ways to say what the language says in other words. Patterns search `searchable` text, in which `ª` stands for each letter
// and digit beyond ASCII, so a letter is `A-Za-zª`. A class such as \p{L} takes half a millisecond to compile, for each of 400 patterns.

export interface Phrase {
  /** Searched for in the `searchable` text of a line, with the letters of quoted text hidden: `"···"`. `^` is the start of the line. */
  readonly find: RegExp;
  /**
   * The replacement: `$1` is the first group as written, `@1` the same without its quotes, `#1` a number word or a month in digits, `%1`
   * the same in two digits, `^1` a capitalized word.
   */
  readonly write?: string;
  /** Shown below the message; an example is indented. */
  readonly hint?: string;
}

/** Text of the same length with `ª` for each letter and digit beyond ASCII. */
export const searchable = (text: string): string =>
  /^[\t -~]*$/.test(text) ? text : text.replace(/(?![ -~])[\p{L}\p{N}]/gu, (letter) => 'ª'.repeat(letter.length));

/** A single value: quoted text, a number, a name with its fields. */
export const VALUE = String.raw`("[^"]*"|[A-Za-zª\d_][A-Za-zª\d_.-]*)`;

/** A name, or a dotted name, whose fields may be in quotes. */
export const NAME = String.raw`([A-Za-zª_][A-Za-zª\d_.-]*(?:(?<=\.)"[^"]*"(?:\.[A-Za-zª\d_.-]*)?)*)`;

/** A name without fields. */
export const FIELD = String.raw`([A-Za-zª_][A-Za-zª\d_-]*)`;

/** A phrase that may occur anywhere in a line. */
export const anywhere = (words: string): RegExp => new RegExp(String.raw`(?<![A-Za-zª\d_.-])(?:${words})(?![A-Za-zª\d_-])`, 'di');

/** A phrase at the start of a line. */
export const atStart = (words: string): RegExp => new RegExp(`^(?:${words})`, 'di');

const withSpaces = (words: string): string => words.replaceAll(' ', String.raw`\s+`);

const phrase = (find: RegExp, write: string, hint: string | undefined): Phrase => ({
  find,
  write,
  ...(hint === undefined ? {} : { hint }),
});

/** Words that may occur anywhere in a line; a space stands for any number of spaces. */
export const says = (words: string, write: string, hint?: string): Phrase => phrase(anywhere(withSpaces(words)), write, hint);

/** Words at the start of a line. */
export const begins = (words: string, write: string, hint?: string): Phrase => phrase(atStart(withSpaces(words)), write, hint);

/** A line that starts with these words, and has no single line in their place. */
export const explained = (words: string, hint: string): Phrase => ({ find: atStart(withSpaces(words)), hint });

const numberWords = ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];

/** A whole number in digits or as a word. */
export const AMOUNT = String.raw`(\d+|${numberWords.slice(1).join('|')})`;

const months = 'january february march april may june july august september october november december'.split(' ');

/** The name of a month. */
export const MONTH = `(${months.join('|')})`;

/** A number word or a month in digits; other text as it is. */
function inDigits(written: string): string {
  const folded = written.toLowerCase();
  if (months.includes(folded)) return String(months.indexOf(folded) + 1);
  return numberWords.includes(folded) ? String(numberWords.indexOf(folded)) : written;
}

/** Fills `$1`, `@1`, `#1`, `%1` and `^1` in. */
export function fillTemplate(template: string, group: (index: number) => string): string {
  return template.replace(/([$@#%^])(\d)/g, (_, mark: string, digit: string) => {
    const written = group(Number(digit));
    if (mark === '@') return written.replace(/^"|"$/g, '');
    if (mark === '^') return written.charAt(0).toUpperCase() + written.slice(1).toLowerCase();
    if (mark === '$') return written;
    return mark === '#' ? inDigits(written) : inDigits(written).padStart(2, '0');
  });
}
