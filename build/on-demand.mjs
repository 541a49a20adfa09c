// Keeps code that most starts don't need out of their way. A module listed here becomes a chunk that loads when one of its functions is
// first called. Its importers get functions that load it.
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { grammarModulesOfTests } from './grammar-modules.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));

/** They may only export functions. */
export const onDemandFiles = [
  'runtime/services/call.ts',
  'runtime/inputs/accept-request.ts',
  'runtime/operations.ts',
  // For runs that end in an error.
  'runtime/values/value-errors.ts',
  // `wf check` emits nothing.
  'src/compiler/4-emit/emit.ts',
  // For files with mistakes.
  'src/compiler/1-layout/word-hints.ts',
  'src/compiler/1-layout/stray.ts',
  'src/compiler/2-parse/explain/everyday-service.ts',
  'src/compiler/2-parse/explain/expected-at.ts',
  'src/compiler/2-parse/explain/explain.ts',
  'src/compiler/2-parse/explain/explain-input.ts',
  'src/compiler/2-parse/reword/reword-line.ts',
  'src/compiler/3-check/expressions/settled-by-inputs.ts',
  'src/compiler/3-check/expressions/unknown-name.ts',
  'src/compiler/diagnostics/catalogue/index.ts',
  'src/compiler/diagnostics/edit-distance.ts',
  // For files with inputs, tables, dates, settings that need checking, environment variables, messages, concurrency, or text in several lines.
  'src/compiler/1-layout/quoted-lines.ts',
  'src/compiler/2-parse/message-options.ts',
  'src/compiler/2-parse/parse-inputs.ts',
  'src/compiler/2-parse/parse-tables.ts',
  'src/compiler/2-parse/table-from-file.ts',
  'src/compiler/2-parse/with-table-files.ts',
  'src/compiler/3-check/check-inputs.ts',
  'src/compiler/3-check/call-forms/workflow-call.ts',
  'src/compiler/3-check/statements/look-up.ts',
  'src/compiler/3-check/tables/check-tables.ts',
  'src/compiler/3-check/config.ts',
  'src/compiler/3-check/expressions/written-as.ts',
  'src/compiler/3-check/kinds/require-date.ts',
  'src/compiler/3-check/secrets.ts',
  // For workflows with a schedule.
  'src/timetable/timetable-of.ts',
  // For calls through a proxy or with a client certificate.
  'src/engine/transport/client-identity.ts',
  'src/engine/transport/proxies.ts',
].map((file) => path.join(root, file));

/** Whether an import of `id` can refer to `file`. Resolving every import would take seconds. */
const endsAlike = (file, id) => path.basename(file, '.ts') === path.basename(id, '.js');

const PREFIX = '\0on-demand:';

/** The module that loads `file`, relative to the repository, when it is needed. */
export const standInFor = (file) => PREFIX + path.join(root, file);

/** The files that a chunk loads when it needs them, relative to the repository. */
export const loadedBy = ({ moduleIds = [] }) =>
  moduleIds.flatMap((id) => (id.startsWith(PREFIX) ? [path.relative(root, id.slice(PREFIX.length))] : []));

const nameOf = (file) => (path.basename(file) === 'index.ts' ? path.basename(path.dirname(file)) : path.basename(file, '.ts'));

/** The names that a module exports. Throws if one isn't a function. */
async function exportedFunctions(file) {
  const { outputFiles } = await build({
    entryPoints: [file],
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
    define: { WF_VERSION: '""', WF_BUILD: '""' },
    plugins: [grammarModulesOfTests],
  });
  const exports = await import(`data:text/javascript,${encodeURIComponent(outputFiles[0].text)}`);
  const others = Object.keys(exports).filter((name) => typeof exports[name] !== 'function');
  if (others.length > 0) throw new Error(`${file} exports more than functions: ${others.join(', ')}`);
  return Object.keys(exports);
}

export const onDemand = {
  name: 'on-demand',
  async resolveId(id, importer) {
    // From a stub to the chunk itself; all chunks are in one folder.
    if (importer?.startsWith(PREFIX)) return { id, external: true };
    if (importer === undefined || !onDemandFiles.some((file) => endsAlike(file, id))) return undefined;
    const resolved = await this.resolve(id, importer, { skipSelf: true });
    return onDemandFiles.includes(resolved?.id) ? PREFIX + resolved.id : undefined;
  },
  async load(id) {
    if (!id.startsWith(PREFIX)) return undefined;
    const file = id.slice(PREFIX.length);
    const chunk = `${nameOf(file)}.cjs`;
    this.emitFile({ type: 'chunk', id: file, fileName: `chunks/${chunk}`, preserveSignature: 'allow-extension' });
    const names = await exportedFunctions(file);
    return [
      'let loaded;',
      `const load = () => (loaded ??= require('./${chunk}'));`,
      // A shared helper keeps hundreds of stubs short.
      'const standIn = (name) => (...given) => load()[name](...given);',
      ...names.map((name) => `export const ${name} = /* @__PURE__ */ standIn('${name}');`),
    ].join('\n');
  },
};
