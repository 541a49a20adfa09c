// Why a text cannot be a name, in words that tell the way out. Its own file, because names stand in lines and in the braces of texts.

/** The hint for `name`, which is none: plain, or with dots. */
export function nameHint(name: string): string {
  if (name.endsWith('.') || name.includes('..'))
    return 'After each dot there must be the name of a field, or the position of an item: order.lines.0';
  if (name.split('.').some((part) => /^[\d-]/.test(part) && !/^\d+$/.test(part)))
    return 'A name begins with a letter or "_". A field of the input that is called otherwise must be renamed before it can be read.';
  return 'A hyphen can stand inside a name, not at its end. To subtract, write "minus".';
}
