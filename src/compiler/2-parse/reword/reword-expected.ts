// What fits in the place of the words at which a line stops making sense: the message knows what could stand there. Only words that carry no
// meaning of their own are replaced or left out.

/** Articles, prepositions, auxiliaries and the like. */
const FUNCTION_WORDS: ReadonlySet<string> = new Set(
  (
    'a an the this that these those which who whom is are was be been being of for to at by in on from with within until till up into onto per ' +
    'as it its his her their our my your please then also again just so after before each every all any list text value number decimal set ' +
    'one using via through over under about than has have having do does will shall should must can may more most max maximum min minimum ' +
    'when where if called named equal equals same once only time times there here found , ;'
  ).split(' '),
);

/** Words that a line means the same without. */
const REMOVABLE: ReadonlySet<string> = new Set(
  'a an the this these that which who whom of for by at in on our my your please then also again just list text value number decimal any , ;'.split(
    ' ',
  ),
);

/** Joining two conditions is never what another word meant. */
const JOINS: ReadonlySet<string> = new Set(['and', 'or', ':', ')', ',', '(']);

const MOST_EXPECTED = 8;
const MOST_WORDS = 3;
const MOST_REMOVED = 10;

interface Token {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

const tokensOf = (line: string): Token[] =>
  [...line.matchAll(/"(?:\\.|[^"\\])*"?|[^\s,:;()"]+|[,:;()]/g)].map(({ 0: text, index }) => ({
    text,
    start: index,
    end: index + text.length,
  }));

/** A line that has lost words, without the spaces around them. */
const tidy = (line: string): string =>
  line
    .replace(/ {2,}/g, ' ')
    .replace(/ (?=[,:)])/g, '')
    .trim();

/** The line without one of its words that carry no meaning. */
function withoutOne(line: string): string[] {
  const tokens = tokensOf(line).filter(({ text }, index) => index > 0 && REMOVABLE.has(text.toLowerCase()));
  return tokens.slice(0, MOST_REMOVED).map(({ start, end }) => tidy(`${line.slice(0, start)}${line.slice(end)}`));
}

/** @param at offset in the line at which it stops making sense @param message with what was expected there */
export function rewordExpected(line: string, at: number, message: string): string[] {
  const [, after = ''] = message.split(/\bI (?:expected|didn't expect) /);
  const [listed = '', rest] = after.split(/ here\b/);
  if (rest === undefined) return /^I (?:don't know .* here|can't read .* here)\b/.test(message) ? withoutOne(line) : [];
  const expected = [...listed.matchAll(/"([^"]{1,20})"/g)].map(([, word = '']) => word).filter((word) => !JOINS.has(word));
  const tokens = tokensOf(line);
  const found = tokens.findIndex(({ end }) => end > at);
  if (found === -1) return [];
  const said: string[] = [];
  for (const first of [found, found - 1])
    for (let count = 1; count <= MOST_WORDS; count++) {
      const run = tokens.slice(first, first + count);
      if (first < 1 || run.length < count || !run.every(({ text }) => FUNCTION_WORDS.has(text.toLowerCase()))) break;
      const [from, to] = [run[0]?.start ?? 0, run.at(-1)?.end ?? 0];
      const isFiller = run.some(({ text }) => REMOVABLE.has(text.toLowerCase()));
      for (const word of [...expected.slice(0, MOST_EXPECTED), ...(isFiller ? [''] : [])])
        said.push(`${line.slice(0, from)}${word}${line.slice(to)}`);
    }
  const place = tokens[found]?.start ?? line.length;
  for (const word of expected.slice(0, MOST_EXPECTED)) said.push(`${line.slice(0, place)}${word} ${line.slice(place)}`);
  const start = /^(?:the|a|an|our|my|please) /i.exec(line)?.[0];
  if (start !== undefined) said.push(line.slice(start.length));
  return said.map(tidy);
}
