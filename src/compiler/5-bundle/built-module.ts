// The fixed head and foot that turn the body of a built module into an ES module. wf itself runs the body as a function, because Node's
// module loader takes longer to start than a small run takes.

export const builtHead = 'const wf$module = {};';

export const builtFoot = `const { run: wf$run, workflow: wf$workflow } = wf$module;
wf$module.start(import.meta.url);
export { wf$run as run, wf$workflow as workflow };`;

/**
 * The body of a built module, for a function with the parameter `wf$module`; `undefined` for a module with plugins, or one not built by wf.
 */
export function builtBody(text: string): string | undefined {
  if (!text.startsWith(`${builtHead}\n`)) return undefined;
  const end = text.lastIndexOf(`\n${builtFoot}\n`);
  return end === -1 ? undefined : text.slice(builtHead.length, end + 1);
}

const INLINE_MAP = /\n\/\/# sourceMappingURL=data:application\/json;base64,([A-Za-z0-9+/=]+)\s*$/;

/** Writes and reads a source map inside the text of a module, as the comment at its end. */
export const withInlineMap = (code: string, map: string): string =>
  `${code}\n//# sourceMappingURL=data:application/json;base64,${Buffer.from(map).toString('base64')}\n`;

/** The text without its map, and the map as JSON. Throws if there is none. */
export function splitInlineMap(text: string): { readonly code: string; readonly map: string } {
  const inline = INLINE_MAP.exec(text);
  if (inline?.[1] === undefined) throw new Error('The bundle has no source map');
  return { code: text.slice(0, inline.index + 1), map: Buffer.from(inline[1], 'base64').toString() };
}
