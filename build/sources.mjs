// A rollup plugin: finds our own modules, whose imports end in `.js` while the files end in `.ts`, and strips their types with esbuild.
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { transform } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));

/** `define` replaces global names with expressions, as esbuild does. */
export const sources = (define) => ({
  name: 'sources',
  resolveId(id, importer) {
    if (importer === undefined) return path.resolve(root, id);
    if (!id.startsWith('.')) return undefined;
    const file = path.resolve(path.dirname(importer), id);
    const source = file.replace(/\.js$/, '.ts');
    return existsSync(source) ? source : file;
  },
  async load(id) {
    if (!id.endsWith('.ts')) return undefined;
    const { code } = await transform(await readFile(id, 'utf8'), {
      loader: 'ts',
      target: 'node18',
      define,
      sourcefile: id,
      tsconfigRaw: { compilerOptions: { verbatimModuleSyntax: true, target: 'ES2022' } },
    });
    return code;
  },
});
