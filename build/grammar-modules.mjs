// Provides `wf:words` and `wf:grammar`: modules generated from the grammar file when wf is built, so that it is never parsed at
// start-up. There is a plugin for each of the two bundlers.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { grammarModule, wordsModule } from '../grammar/compile.mjs';

const grammar = fileURLToPath(new URL('../grammar/wf.ohm', import.meta.url));
const generators = { 'wf:words': wordsModule, 'wf:grammar': grammarModule };
const textOf = (name) => generators[name](readFileSync(grammar, 'utf8'));

/** For rollup. */
export const grammarModules = {
  name: 'grammar-modules',
  resolveId: (name) => (name in generators ? `\0${name}` : undefined),
  load: (id) => (id.slice(1) in generators ? textOf(id.slice(1)) : undefined),
};

/** For esbuild, which bundles the tests. */
export const grammarModulesOfTests = {
  name: 'grammar-modules',
  setup(build) {
    const resolveDir = fileURLToPath(new URL('..', import.meta.url));
    build.onResolve({ filter: /^wf:(words|grammar)$/ }, ({ path: name }) => ({ path: name, namespace: 'wf' }));
    build.onLoad({ filter: /.*/, namespace: 'wf' }, ({ path: name }) => ({ contents: textOf(name), resolveDir }));
  },
};
