// Describes what a rule expected, and what it found instead, in words that fit a sentence.
import { type Line, tokenText } from '../../1-layout/line.js';
import { END_OF_LINE } from '../../diagnostics/diagnostic.js';
import { statementWords } from '../../vocabulary/line-table.js';

/** The text of a token as a message shows it. */
export function found(line: Line, text: string, token: number): string {
  const written = tokenText(line, text, token);
  return written === '' || token * 2 >= line.offsets.length
    ? END_OF_LINE
    : `"${written.length > 40 ? `${written.slice(0, 40)}…` : written.replace(/^"|"$/g, '')}"`;
}

/** The name of the lines under `set … to text:`. */
export const LINES = 'the lines of a text';

/** Words that only start a value, in addition to those that end in "of". */
const VALUE_WORDS = 'true false empty not trimmed reversed first last characters record each some every text';
const UNITS = 'second seconds minute minutes hour hours day days week weeks month months year years';
const quoted = (words: string): string[] => words.split(' ').map((word) => `"${word}"`);
const UNIT = [...quoted(UNITS), '"working day"', '"working days"', '"working hour"', '"working hours"'];
const VALUE = ['a name', 'a number', 'text in quotes', '"("', '"["', ...quoted(VALUE_WORDS), ...UNIT];
const OPERATOR = [
  ...quoted('plus minus times sorted for where with'),
  ...['divided by', 'rounded to', 'rounded up to', 'rounded down to', 'sorted by', 'grouped by'].map((words) => `"${words}"`),
  ...['split by', 'joined with', 'padded to', 'written as'].map((words) => `"${words}"`),
];
const isOf = (text: string): boolean => / of"$/.test(text) && !/^"(is|percent) /.test(text);
const isTest = (text: string): boolean => /^"(is|contains|does not|exists|starts with|ends with)\b/.test(text);

/** Describes what was expected, in words that fit a sentence. Folds the many words for values, and for operators, into one each. */
export function inWords(expected: readonly string[]): string[] {
  // It can follow any value, and is hardly ever meant.
  let rest = expected.length > 1 ? expected.filter((text) => text !== '"percent of"') : [...expected];
  const groups: string[] = [];
  const fold = (belongs: (text: string) => boolean, name: string, atLeast: number): void => {
    if (rest.filter(belongs).length < atLeast) return;
    rest = rest.filter((text) => !belongs(text));
    groups.push(name);
  };
  if (rest.some(isOf)) fold((text) => VALUE.includes(text) || isOf(text), 'a value', 1);
  // Some of them also occur elsewhere. They are operators only together with the others.
  if (rest.includes('"plus"')) fold((text) => OPERATOR.includes(text), 'an operator such as plus', 2);
  fold(isTest, 'a comparison such as is above', 2);
  fold((text) => UNIT.includes(text), 'a unit of time such as days', 2);
  fold((text) => statementWords.includes(text.slice(1, -1).split(' ', 1)[0] ?? ''), 'a statement', 5);
  return [...groups, ...rest];
}
