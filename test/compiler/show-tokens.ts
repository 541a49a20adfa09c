// Formats the tokens of the layout pass for `tokens.txt`: one line each with its number, keywords as they are, and other tokens by class.
import { tokenClass, wordOf } from '../../src/compiler/1-layout/alphabet.js';
import { type TokenStream, tokenText } from '../../src/compiler/1-layout/line.js';

const named = new Map(Object.entries(tokenClass).map(([name, character]) => [character, name]));

export function showTokens(stream: TokenStream, text: string): string {
  const shown: string[] = [];
  let indent = '';
  for (const token of stream) {
    if (token === tokenClass.dedent) indent = indent.slice(2);
    if (typeof token === 'object') {
      const tokens = Array.from(token.shape, (character, index) => {
        const written = tokenText(token, text, index);
        if (wordOf(character) !== undefined) return written;
        const name = named.get(character);
        return name === undefined ? written : `${name}(${written})`;
      });
      shown.push(`${String(token.number).padStart(3)} ${indent}${tokens.join(' ')}`);
    } else if (token !== tokenClass.eol) shown.push(`    ${indent}${named.get(token)?.toUpperCase()}`);
    if (token === tokenClass.indent) indent += '  ';
  }
  return `${shown.join('\n')}\n`;
}
