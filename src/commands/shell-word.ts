// One word for a shell, for commands that are printed to be copied.

/** Characters that no shell treats specially. */
const PLAIN = /^[\w./:@%+=,-]+$/;

export const shellWord = (text: string): string => (PLAIN.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);
