// Writes and reads a source map inside the text of a module, as the comment at its end.

const INLINE_MAP = /\n\/\/# sourceMappingURL=data:application\/json;base64,([A-Za-z0-9+/=]+)\s*$/;

export const withInlineMap = (code: string, map: string): string =>
  `${code}\n//# sourceMappingURL=data:application/json;base64,${Buffer.from(map).toString('base64')}\n`;

/** The text without its map, and the map as JSON. Throws if there is none. */
export function splitInlineMap(text: string): { readonly code: string; readonly map: string } {
  const inline = INLINE_MAP.exec(text);
  if (inline?.[1] === undefined) throw new Error('The bundle has no source map');
  return { code: text.slice(0, inline.index + 1), map: Buffer.from(inline[1], 'base64').toString() };
}
