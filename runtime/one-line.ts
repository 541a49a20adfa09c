// Any text → the same text on one line, with nothing in it that a terminal obeys. Its own file, because every front-end that prints
// a value needs it and nothing else of the runtime.

const shortNames: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/**
 * Escapes control characters visibly (security.md 27): C0, DEL, C1, the line separators of Unicode, and the marks that turn the
 * direction of writing, which can make a line read as another one.
 */
export function oneLine(text: string): string {
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g, (character) => {
    return shortNames[character] ?? `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}
