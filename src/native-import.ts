// The `import()` of Node.js itself, for addresses known only at run time. Chunks run as scripts, which can't import, and `build/program.mjs`
// turns every other dynamic import into a `require`.

/** Imports the module at `url`, in either format. */
export const nativeImport = (url: string): Promise<unknown> => import(url);
