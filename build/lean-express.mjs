// An esbuild plugin for express: leaves out its parsers of request bodies, with their tables of encodings. wf reads bodies by itself.
const filter = /node_modules[\\/]body-parser[\\/]index\.js$/;

export const leanExpress = {
  name: 'lean-express',
  setup(build) {
    build.onLoad({ filter }, () => ({ contents: 'module.exports = {};', loader: 'js' }));
  },
};
