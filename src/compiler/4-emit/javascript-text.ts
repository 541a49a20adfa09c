// Data of a workflow → JavaScript source. The only way by which text of a `.wf` file gets into an emitted module.

/** A string literal: quotes, line ends (also U+2028 and U+2029) and `</` are escaped, so that it is data wherever it stands. */
export const jsText = (text: string): string => escaped(JSON.stringify(text));

/** A literal of plain data: objects, arrays, strings, numbers, booleans. Keys of objects must be fixed words of ours. */
export const jsData = (data: unknown): string => escaped(JSON.stringify(data) ?? 'undefined');

/** A comment on a line of its own; nothing in it can end the line. */
export const jsComment = (text: string): string =>
  // Most lines hold nothing that has to go, and the classes of Unicode take V8 a millisecond to get ready.
  `// ${/^[ -~]*$/.test(text) ? text.trimEnd() : text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, ' ').trimEnd()}`;

const escaped = (json: string): string =>
  json
    .replace(/\u2028/g, '\\u2028')
    .replace(/\u2029/g, '\\u2029')
    .replace(/<\//g, '<\\/');
