// Quotes workflow data as JavaScript source: the only way for text of a `.wf` file into an emitted module.

/** A string literal: quotes, line ends (also U+2028 and U+2029) and `</` are escaped, so that it is data wherever it stands. */
export const jsText = (text: string): string => escaped(JSON.stringify(text));

/** A literal of plain data: objects, arrays, strings, numbers, booleans. Keys of objects must be fixed words of ours. */
export const jsData = (data: unknown): string => escaped(JSON.stringify(data) ?? 'undefined');

/** A comment line, which nothing in it can end. */
export const jsComment = (text: string): string =>
  // Most lines need no cleaning, and V8 takes a millisecond to prepare Unicode classes.
  `// ${/^[ -~]*$/.test(text) ? text.trimEnd() : text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, ' ').trimEnd()}`;

const escaped = (json: string): string =>
  json
    .replace(/\u2028/g, '\\u2028')
    .replace(/\u2029/g, '\\u2029')
    .replace(/<\//g, '<\\/');
