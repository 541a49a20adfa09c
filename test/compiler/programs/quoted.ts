// Text as a literal of the language.

export const quoted = (text: string): string => `"${escaped(text)}"`;

/** What stands between the quotes. */
export const escaped = (text: string): string =>
  text
    .replace(/[\\"\n\t]/g, (character) => ({ '\n': '\\n', '\t': '\\t' })[character] ?? `\\${character}`)
    .replace(/[{}]/g, (brace) => brace + brace);
