// An esbuild plugin for undici, which checks itself with `node:assert`. That reads and parses the whole program to word a failed check:
// seconds of silence, which a service could cause. Here a failed check is an error and no more.
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
