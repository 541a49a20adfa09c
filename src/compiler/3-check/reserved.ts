// Names with a fixed meaning. No statement or loop can set them.
export const reserved: ReadonlySet<string> = new Set(['request', 'env', 'now', 'today', 'empty', 'true', 'false', 'not']);
