// Cuts characters off the end of text, in time proportional to them. A regular expression such as `/0+$/` would examine every
// run of them in the text, from each of its characters.

/** The text without these characters at its end. */
export function withoutEnd(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text.charAt(end - 1))) end--;
  return text.slice(0, end);
}
