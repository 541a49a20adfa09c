// Finds the end of a quoted text, for the token scanner and for free text that contains quotes.

/** Offset after the closing quote of the text that opens at `start`, or -1 if the line ends before it. */
export function endOfText(text: string, start: number, lineEnd: number): number {
  for (let at = start + 1; at < lineEnd; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x5c) at++;
    else if (code === 0x22) return at + 1;
  }
  return -1;
}

/**
 * End of free text (a trigger, an instruction) that starts at `start`: the end of the line, or the comment that a `#` after a space opens
 * outside quotes, without trailing spaces. A quote that is never closed is an ordinary character.
 */
export function endOfFreeText(text: string, start: number, lineEnd: number): number {
  let end = lineEnd;
  for (let at = start; at < lineEnd; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x22) {
      const close = endOfText(text, at, lineEnd);
      if (close !== -1) at = close - 1;
    } else if (code === 0x23 && (at === start || isSpace(text.charCodeAt(at - 1)))) {
      end = at;
      break;
    }
  }
  while (end > start && isSpace(text.charCodeAt(end - 1))) end--;
  return end;
}

/** A space or a tab. */
export const isSpace = (code: number): boolean => code === 0x20 || code === 0x09;
