// An esbuild plugin for undici, which checks its state with `node:assert`. To word a failed check, that module reads and parses the whole
// program: seconds without a response, which a service could trigger. With this replacement, a failed check simply throws an error.
const contents = `module.exports = (holds, message = 'a check of the HTTP client failed') => {
  if (!holds) throw message instanceof Error ? message : Object.assign(new Error(message), { code: 'ERR_ASSERTION' });
};`;

export const quickAssert = {
  name: 'quick-assert',
  setup(build) {
    build.onResolve({ filter: /^node:assert$/ }, ({ importer }) =>
      /node_modules[\\/]undici[\\/]/.test(importer) ? { path: 'quick-assert', namespace: 'wf-assert' } : undefined,
    );
    build.onLoad({ filter: /.*/, namespace: 'wf-assert' }, () => ({ contents }));
  },
};
