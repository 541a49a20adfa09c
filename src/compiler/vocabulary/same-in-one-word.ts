// The name that is meant by several words: as it is written elsewhere in the file, in quotes for a field, or with hyphens.

/** A name that is written further down is not searched for. */
const FARTHEST = 100_000;

/** @param words a name or a field with spaces: `request.first name` */
export function sameInOneWord(words: string, text: string): { readonly name: string; readonly hint: string } {
  const dot = words.lastIndexOf('.') + 1;
  const [path, parts] = [words.slice(0, dot), words.slice(dot).split(' ')];
  const camel = parts.map((part, index) => (index === 0 ? part : part.charAt(0).toUpperCase() + part.slice(1))).join('');
  const ways = [parts.join('-'), parts.join('_'), camel].map((way) => path + way);
  const searched = text.slice(0, FARTHEST);
  const known = ways.find((way) => new RegExp(`(?<![\\p{L}\\p{N}_-])${way.slice(dot)}(?![\\p{L}\\p{N}_-])`, 'u').test(searched));
  return known === undefined
    ? {
        name: dot === 0 ? (ways[0] ?? words) : `${path}"${words.slice(dot)}"`,
        hint:
          dot === 0
            ? `A name is one word: ${ways[0]}, ${ways[1]} or ${ways[2]}.`
            : 'A field whose name has spaces or signs is written in quotes, as in the input.',
      }
    : { name: known, hint: 'A name is one word.' };
}
