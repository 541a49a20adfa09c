// Typing mistakes in a valid workflow, each of which changes one line.
import { languageWords } from '../../src/compiler/1-layout/alphabet.js';

export interface Mutation {
  readonly slip: string;
  /** 1-based. */
  readonly line: number;
  readonly text: string;
}

const words = new Set(languageWords.filter((word) => word.length > 2));

/** Every mistake of the kinds below that is possible in `text`. */
export function* mutations(text: string): Iterable<Mutation> {
  const lines = text.split('\n');
  for (const [index, line] of lines.entries()) {
    for (const [slip, changed] of slips(line)) {
      if (changed !== line)
        yield { slip, line: index + 1, text: [...lines.slice(0, index), changed, ...lines.slice(index + 1)].join('\n') };
    }
  }
}

function* slips(line: string): Iterable<readonly [slip: string, changed: string]> {
  const content = line.trimStart();
  if (content === '' || content.startsWith('#') || content.startsWith('trigger:') || content.startsWith('ask ')) return;
  const indent = line.slice(0, line.length - content.length);
  if (line.endsWith(':')) yield ['colon left out', line.slice(0, -1)];
  else yield ['colon too many', `${line}:`];
  for (const { index } of line.matchAll(/"/g)) yield ['quote left out', line.slice(0, index) + line.slice(index + 1)];
  for (const { index } of line.matchAll(/[()[\]{}]/g)) yield ['bracket left out', line.slice(0, index) + line.slice(index + 1)];
  yield ['a space too many', ` ${line}`];
  if (indent !== '') yield ['a space too few', line.slice(1)];
  yield ['a level too deep', `    ${line}`];
  if (indent !== '') yield ['a tab', indent.replaceAll('    ', '\t') + content];
  yield ['first letter in capitals', indent + content.charAt(0).toUpperCase() + content.slice(1)];
  for (const { 0: word, index } of outsideQuotes(line).matchAll(/[A-Za-z-]+/g)) {
    const before = line.slice(0, index);
    const after = line.slice(index + word.length);
    yield ['word left out', before + after.trimStart()];
    yield ['word twice', `${before}${word} ${word}${after}`];
    if (!words.has(word)) continue;
    for (let at = 0; at + 1 < word.length; at++)
      yield [
        'letters swapped',
        `${before}${word.slice(0, at)}${word.charAt(at + 1)}${word.charAt(at)}${word.slice(at + 2)}${after}`,
      ];
    for (let at = 0; at < word.length; at++) yield ['letter left out', before + word.slice(0, at) + word.slice(at + 1) + after];
    yield ['word in capitals', before + word.toUpperCase() + after];
    yield ['words run together', before + word + after.trimStart()];
  }
}

/** The line with quoted text and comments replaced by spaces, so that columns don't change. */
const outsideQuotes = (line: string): string =>
  line.replace(/"(?:\\.|[^"\\])*"|(?<=^|\s)#.*/g, (quoted) => ' '.repeat(quoted.length));
