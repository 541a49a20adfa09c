// A rolldown plugin for undici, which checks itself with `node:assert`. That reads and parses the whole program to word a failed check:
// seconds of silence, which a service could cause. Here a failed check is an error and no more.
const id = '\0quick-assert.cjs';

export const quickAssert = {
  name: 'quick-assert',
  resolveId: (name, importer = '') => (name === 'node:assert' && /node_modules[\\/]undici[\\/]/.test(importer) ? id : undefined),
  load: (loaded) =>
    loaded === id
      ? `module.exports = (holds, message = 'a check of the HTTP client failed') => {
           if (!holds) throw message instanceof Error ? message : Object.assign(new Error(message), { code: 'ERR_ASSERTION' });
         };`
      : undefined,
};
