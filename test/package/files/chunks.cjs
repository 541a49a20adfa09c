// Reports whether the library uses the chunks that the program has already loaded.
const folder = `${process.env.DIST}/chunks/`;

exports.call = () => {
  const loaded = Object.keys(require.cache).filter((file) => file.startsWith(folder));
  const before = loaded.map((file) => require(file));
  const library = require(`${process.env.DIST}/index.cjs`);
  const same = loaded.every((file, index) => require(file) === before[index]);
  return { value: { chunks: loaded.length, runs: typeof library.run, same } };
};
