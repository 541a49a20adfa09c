// Says where a line stopped matching, and what would have fitted there, in words for people.
import type { MatchResult } from 'ohm-js';
import { tokenClass, wordOf } from '../../1-layout/alphabet.js';
import { LINES } from './expected-words.js';

/** Part of every failed match; Ohm's type declarations leave it out. */
interface WithFailures {
  getRightmostFailurePosition(): number;
  getRightmostFailures(): readonly { getText(): string }[];
}

/** The first token of `shape` that does not fit, and the words, punctuation and token classes that would have fitted. */
export function expectedAt(result: MatchResult, shape: string): { readonly token: number; readonly expected: readonly string[] } {
  const failed = result as unknown as WithFailures;
  const position = failed.getRightmostFailurePosition();
  const terminals: string[] = [];
  for (const failure of failed.getRightmostFailures()) {
    const text = failure.getText();
    // A negative lookahead (`~"using"`) is not something to expect.
    if (!text.startsWith('not ')) terminals.push(text);
  }
  // A terminal of several words fails as a whole; skip those of its words that do match.
  const agreed = (terminal: string): number => {
    let count = 0;
    while (count < terminal.length && terminal.charAt(count) === shape.charAt(position + count)) count++;
    return count;
  };
  const furthest = terminals.reduce((most, terminal) => Math.max(most, agreed(terminal)), 0);
  const expected = new Set(
    terminals
      .filter((terminal) => agreed(terminal) === furthest)
      .map((terminal) => describe(terminal.includes('..') ? terminal : terminal.slice(furthest))),
  );
  return { token: position + furthest, expected: [...expected].filter((text) => text !== '').sort() };
}

const classNames: Readonly<Record<string, string>> = {
  [tokenClass.name]: 'a name',
  [tokenClass.path]: 'a name',
  [tokenClass.number]: 'a number',
  [tokenClass.text]: 'text in quotes',
  [tokenClass.raw]: 'some text',
  [tokenClass.lines]: LINES,
  [tokenClass.group]: '',
  [tokenClass.indent]: '',
  [tokenClass.dedent]: '',
  [tokenClass.eol]: 'the end of the line',
};

/** The name of a terminal in messages. The range of all keywords means a name. */
function describe(terminal: string): string {
  const known = terminal.includes('..') ? 'a name' : classNames[terminal];
  if (known !== undefined) return known;
  const words = [...terminal].map((character) => wordOf(character) ?? character);
  return `"${words.join(' ')}"`;
}
