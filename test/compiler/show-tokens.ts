// Formats the lines of the layout pass for `tokens.txt`: one line each with its number, keywords as they are, and other tokens by class.
import { tokenClass, wordOf } from '../../src/compiler/1-layout/alphabet.js';
import { type Line, tokenText } from '../../src/compiler/1-layout/line.js';

const named = new Map(Object.entries(tokenClass).map(([name, character]) => [character, name]));

export function showTokens(lines: readonly Line[], text: string): string {
  const shown: string[] = [];
  const walk = (block: readonly Line[], indent: string): void => {
    for (const line of block) {
      const tokens = Array.from(line.shape, (character, index) => {
        const written = tokenText(line, text, index);
        if (wordOf(character) !== undefined) return written;
        const name = named.get(character);
        return name === undefined ? written : `${name}(${written})`;
      });
      shown.push(`${String(line.number).padStart(3)} ${indent}${tokens.join(' ')}`);
      if (line.children.length === 0) continue;
      shown.push(`    ${indent}INDENT`);
      walk(line.children, `${indent}  `);
      shown.push(`    ${indent}DEDENT`);
    }
  };
  walk(lines, '');
  return `${shown.join('\n')}\n`;
}
