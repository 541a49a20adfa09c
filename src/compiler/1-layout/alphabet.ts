// The private alphabet of the grammar: one character per keyword and per token class. Its tables are generated from the grammar file, so no
// keyword is listed twice.
import { classes, firstWord, words } from 'wf:words';

const byWord = new Map<string, string>();
for (let index = 0; index < words.length; index++) byWord.set(words[index] ?? '', String.fromCharCode(firstWord + index));

/** Token classes and their characters. */
export const tokenClass = classes;

/** The keywords, as the grammar file names them. */
export const languageWords: readonly string[] = words;

/** The character of a keyword, or `undefined` for any other name. */
export const wordCharacter = (word: string): string | undefined => byWord.get(word);

/** The word of a character, or `undefined` for a class or a punctuation mark. */
export const wordOf = (character: string): string | undefined => words[character.charCodeAt(0) - firstWord];

let ownWords: ReadonlySet<string> | undefined;

/** Whether a word is one of the language. */
export function isOwnWord(word: string): boolean {
  ownWords ??= new Set(languageWords.flatMap((words) => words.split(' ')));
  return ownWords.has(word);
}
