// The `import()` of Node.js itself, for addresses known only at run time. Chunks run as scripts, which can't import, and the bundler turns
// every other dynamic import into a `require`.

/** Imports the module at `url`, in either format. */
export const nativeImport = (url: string): Promise<unknown> =>
  // No `require` could take the second argument, so the bundler leaves this one alone.
  import(url, { with: {} });
