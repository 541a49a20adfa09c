// What a character that has no meaning in the language was most likely meant to be.

const operators: Readonly<Record<string, string>> = {
  '+': 'To add or to join texts, write "plus".',
  '-': 'To subtract, write "minus". A negative number has no space after its sign: -3',
  '*': 'To multiply, write "times".',
  '/': 'To divide, write "divided by".',
  '=': 'To set a variable, write "set <name> to …"; to compare, write "is".',
  '>': 'To compare, write "is above" or "is at least".',
  '<': 'To compare, write "is below" or "is at most".',
  '!': 'For the opposite, write "not" or "is not".',
  '&': 'To join conditions, write "and"; to join texts, "plus".',
  '|': 'To join conditions, write "or".',
  '{': 'Braces stand inside quoted text: "Hello {request.name}". Elsewhere the name stands alone.',
  '}': 'Braces stand inside quoted text: "Hello {request.name}". Elsewhere the name stands alone.',
  "'": 'Texts stand in double quotes: "like this".',
  '`': 'Texts stand in double quotes: "like this".',
  '#': 'A comment needs a space before its #.',
  ';': 'One statement stands on each line; nothing is needed at its end.',
  '.': 'A dot stands between the names of a field, without spaces: order.total. A number starts with a digit: 0.5',
  '%': 'For a percentage, divide by 100: 15% is 0.15.',
  $: 'Amounts are plain numbers: 12.50',
  '@': 'Anything that is no name and no number stands in quotes.',
};

/** The way out for `character`, found at `at`. */
export function strayHint(character: string, text: string, at: number): string {
  if (/[\u201c\u201d\u201e\u00ab\u00bb\u2018\u2019\u201a]/.test(character))
    return 'These are typographic quotes. Texts stand in straight double quotes: "like this".';
  if (/\p{Zs}/u.test(character) || character === '\u200b' || character === '\ufeff')
    return 'This is an invisible special space, probably from copying. Delete it and type a space.';
  if (/[\u2013\u2014\u2212]/.test(character))
    return 'This is a dash. To subtract, write "minus"; a negative number starts with a hyphen: -3';
  if (character === '.' && /\d/.test(text.charAt(at + 1))) return 'A number starts with a digit: 0.5';
  if (character === '/' && (text.charAt(at - 1) === ':' || /\bat[ \t]+$/.test(text.slice(Math.max(0, at - 20), at))))
    return 'Addresses and paths stand in quotes: at "https://api.example.com", at "/users/ada"';
  const next = text.charAt(at + 1);
  if ((character === '/' && (next === '/' || next === '*')) || (character === '-' && next === '-'))
    return 'A comment starts with #.';
  if (character === "'" && /^s\s/.test(text.slice(at + 1, at + 3)))
    return 'To read a field, write a dot: request.customer.name. A text stands in double quotes.';
  if (character === "'" && /\p{L}/u.test(text.charAt(at - 1)) && /\p{L}/u.test(next))
    return 'Words are written in full: is not, does not contain. A text stands in double quotes.';
  if (character === '.' && text.charAt(at - 1) === ']')
    return 'To read an item of a list, write its position, from 0, behind a dot: request.rows.0.name';
  return operators[character] ?? 'Only names, numbers, words of the language and quoted text can stand here.';
}
