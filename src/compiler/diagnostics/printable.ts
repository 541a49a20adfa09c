// Any text goes in, one line that is safe to print comes out. Whatever a file, an input or a service brought passes through here on
// its way to a terminal or a line-based log, so that it can neither forge a line nor steer the terminal.

/**
 * C0 and C1 controls (line ends and the escape character among them), the separators U+2028 and U+2029, the marks that change the direction of
 * reading, the byte order mark, and halves of surrogate pairs.
 */
const UNSAFE = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]|\p{Surrogate}/gu;
const ANY_UNSAFE = new RegExp(UNSAFE.source, 'u');
const SHORT: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** The text with everything escaped that does not show as itself: `\n`, `\r`, `\t`, else `\u001b`. */
export function printable(text: string): string {
  return ANY_UNSAFE.test(text) ? text.replace(UNSAFE, escapeUnit) : text;
}

const escapeUnit = (character: string): string =>
  SHORT[character] ?? `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
