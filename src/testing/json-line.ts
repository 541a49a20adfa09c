// Finds the line of a value in JSON text. A parsed value no longer knows its place, and only error messages need it.

export type JsonPath = readonly (string | number)[];

/** Of valid JSON: a text always ends. */
const tokens = /"(?:[^"\\]|\\.)*"?|[[\]{}:,]|[^\s[\]{}:,"]+/g;

/** The line, counting from 1, of the key or list item at `path`, or of the innermost one that exists. */
export function lineOfPath(text: string, path: JsonPath): number {
  const open: { readonly isList: boolean; key: string | number }[] = [];
  let isKeyNext = false;
  let nearest = { depth: -1, offset: 0 };
  for (const { 0: token, index } of text.matchAll(tokens)) {
    const inner = open.at(-1);
    if (token === '}' || token === ']') {
      open.pop();
      isKeyNext = false;
    } else if (token === ',') {
      if (inner?.isList === true && typeof inner.key === 'number') inner.key++;
      else isKeyNext = true;
    } else if (token !== ':') {
      if (isKeyNext && inner !== undefined) inner.key = String(JSON.parse(token));
      const isPlace = isKeyNext || inner?.isList !== false;
      if (isPlace && open.length > nearest.depth && open.every(({ key }, depth) => key === path[depth])) {
        nearest = { depth: open.length, offset: index };
        if (open.length === path.length) break;
      }
      if (!isKeyNext && (token === '{' || token === '[')) {
        open.push(token === '{' ? { isList: false, key: '' } : { isList: true, key: 0 });
        isKeyNext = token === '{';
      } else isKeyNext = false;
    }
  }
  return text.slice(0, nearest.offset).split('\n').length;
}
