// Turns a `.wf` file or a built module into a workflow that is ready to run: from the cache, or checked, compiled and loaded.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { ReadFile } from '../../compiler/compile.js';
import type { LocatedDiagnostic } from '../../compiler/diagnostics/diagnostic.js';
import { cacheFolder } from '../cache/cache-store.js';
import { cacheKey, readCache, writeCache } from '../cache/compiled-cache.js';
import { UsageError } from '../usage-error.js';
import { readWorkflow } from './find-workflows.js';
import { evaluate, isWorkflowModule, loadModule, readsSourceMaps } from './load-module.js';
import { pluginLoader } from './load-plugin.js';
import type { Preparation, Prepared, PrepareOptions } from './prepared.js';

/**
 * Prepares the workflow in `file`. Errors found by the check are data.
 * @throws UsageError if there is no such file, or if it is neither a `.wf` file nor a module built by this version
 */
export async function prepare(file: string, options: PrepareOptions): Promise<Preparation> {
  const full = path.resolve(options.cwd, file);
  const source = readWorkflow(file, options.cwd);
  if (full.endsWith('.mjs')) return { ok: true, prepared: await prepareModule(file, full, source) };
  if (!full.endsWith('.wf'))
    throw new UsageError(`${file} is not a workflow: its name must end in .wf, or in .mjs for a built module.`);
  return prepareSource(file, full, source, options);
}

async function prepareSource(file: string, full: string, source: Uint8Array, options: PrepareOptions): Promise<Preparation> {
  // Cached code has no source map.
  const folder = readsSourceMaps() ? undefined : cacheFolder(options);
  const key = cacheKey(source, path.basename(full), options.trace === true ? 'trace' : 'plain');
  const cached = folder === undefined ? undefined : readCache(folder, key);
  const base = path.dirname(full);
  if (cached?.called.every(({ file: where, text }) => textOf(path.resolve(base, where)) === text)) {
    const called = cached.called.map(({ file: where, name, text }) => ({
      path: path.resolve(base, where),
      name,
      source: Buffer.from(text, 'latin1'),
    }));
    return ready({ file, full, source, called }, await load(cached.code, full), located(file, cached.warnings));
  }

  const { makeModule } = await import('./make-module.js');
  const { workflowFiles } = await import('./workflow-files.js');
  const made = await makeModule(source, file, full, {
    trace: options.trace === true,
    files: workflowFiles(file, options.cwd),
  });
  if (!made.ok) return { ok: false, file, diagnostics: made.diagnostics, lookedFor: made.lookedFor };
  const { code, checked } = made;
  // Walking all ways takes longer than the rest, so a run does it only for warnings that the walk may refute.
  const isOpen = checked.diagnostics.some((one) => one.code === 'WF101' || one.code === 'WF141');
  const diagnostics = isOpen ? (await import('../../analysis/analyse.js')).unrefuted(checked, file) : checked.diagnostics;
  const warnings = diagnostics.map(({ file: _file, ...warning }) => warning);
  const called = made.called.map((one) => ({
    file: path.relative(base, one.path),
    name: one.name,
    text: Buffer.from(one.source).toString('latin1'),
  }));
  if (folder !== undefined) writeCache(folder, key, { code, warnings, called });
  return ready({ file, full, source, called: made.called }, await load(code, full), diagnostics);
}

/** The bytes of a called workflow as Latin-1; `undefined` if it can't be read. */
function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'latin1');
  } catch {
    return undefined;
  }
}

type Loaded = Pick<Prepared, 'workflow' | 'run' | 'artifact'>;

/** Loads code that was compiled for this program. */
export async function load(code: string, full: string): Promise<Loaded> {
  const module = await evaluate(code, `${full}.cjs`);
  if (!isWorkflowModule(module)) throw new Error('The bundle is not a workflow');
  return { workflow: module.workflow, run: module.run, artifact: { kind: 'linked', code } };
}

const located = (file: string, warnings: readonly Omit<LocatedDiagnostic, 'file'>[]): LocatedDiagnostic[] =>
  warnings.map((warning) => ({ ...warning, file }));

interface SourceFile {
  /** As the user named it. */
  readonly file: string;
  /** From the root of the file system. */
  readonly full: string;
  readonly source: Uint8Array;
  readonly called?: readonly ReadFile[];
}

export function ready(
  { file, full, source, called = [] }: SourceFile,
  loaded: Loaded,
  warnings: readonly LocatedDiagnostic[],
): Extract<Preparation, { ok: true }> {
  return {
    ok: true,
    prepared: {
      file,
      basename: path.basename(full, '.wf'),
      ...loaded,
      folder: path.dirname(full),
      loadPlugin: pluginLoader(path.dirname(full)),
      warnings,
      ...(called.length === 0 ? {} : { called }),
      // Decoded only when a run-time error needs to show its line.
      get source() {
        return new TextDecoder().decode(source);
      },
    },
  };
}

async function prepareModule(file: string, full: string, text: Uint8Array): Promise<Prepared> {
  let module: unknown;
  const code = new TextDecoder().decode(text);
  try {
    module = await loadModule(full, code);
  } catch (error) {
    throw new UsageError(
      `${file} can't be loaded as a built workflow: ${error instanceof Error ? error.message.split('\n')[0] : String(error)}`,
    );
  }
  if (!isWorkflowModule(module)) throw new UsageError(`${file} was not built by "wf build".`);
  const { workflow, run } = module;
  if (workflow.compiler !== WF_VERSION) {
    throw new UsageError(
      `${file} was built by wf ${workflow.compiler}, but this is wf ${WF_VERSION}.`,
      'Rebuild it with "wf build".',
    );
  }
  return {
    file,
    basename: path.basename(full, '.mjs'),
    workflow,
    run,
    folder: path.dirname(full),
    artifact: { kind: 'whole', code },
    loadPlugin: pluginLoader(path.dirname(full)),
    warnings: [],
    ...sourceOf(full),
  };
}

/** The text of the `.wf` file from the source map next to the module, if there is one. */
function sourceOf(module: string): Pick<Prepared, 'source'> {
  return {
    get source() {
      try {
        const map: { sourcesContent?: (string | null)[] } = JSON.parse(readFileSync(`${module}.map`, 'utf8'));
        return map.sourcesContent?.find((content) => typeof content === 'string') ?? '';
      } catch {
        return '';
      }
    },
  };
}
