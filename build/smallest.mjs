// Minifies a script in a thread of its own, as `smallest` of `playground.mjs` starts it: terser takes longer than the rest of the build. It
// leaves out more than esbuild does. And esbuild's names for local variables differ from function to function; those of terser are alike, so
// that the text packs smaller.
import { parentPort, workerData } from 'node:worker_threads';
import { minify } from 'terser';

// No getter of wf or of CodeMirror does more than read.
const compress = { ecma: 2020, toplevel: true, passes: 3, hoist_funs: true, pure_getters: true, keep_fargs: false };
parentPort.postMessage((await minify(workerData, { compress, module: true })).code);
