// Preloaded into the program: prints the chunks that it has loaded when it exits, and the modules of Node.js that it has asked for.
const { writeSync } = require('node:fs');
const Module = require('node:module');
const path = require('node:path');

const builtins = new Set();
const load = Module._load;
Module._load = (id, ...rest) => {
  if (id.startsWith('node:')) builtins.add(id.slice('node:'.length));
  return load(id, ...rest);
};

process.on('exit', () => {
  const chunks = Object.keys(require.cache).filter((file) => path.basename(path.dirname(file)) === 'chunks');
  const names = chunks.map((file) => path.basename(file, '.cjs')).sort();
  writeSync(2, `loaded: ${JSON.stringify({ chunks: names, builtins: [...builtins].sort() })}\n`);
});
