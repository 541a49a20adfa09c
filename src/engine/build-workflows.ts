// `.wf` files → a folder of modules with source maps and a manifest (behaviour.md 8). Every file is checked before the first is written.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { WorkflowInfo } from '../../runtime/types.js';
import { bundle } from '../compiler/5-bundle/bundle.js';
import { startBundler } from '../compiler/5-bundle/esbuild-process.js';
import { makeFolder } from '../compiler/5-bundle/make-folder.js';
import { type Compiled, compile } from '../compiler/compile.js';
import type { LocatedDiagnostic } from '../compiler/diagnostics/diagnostic.js';
import { fileFault } from './file-fault.js';
import { UsageError } from './usage-error.js';
import { writeWhole } from './write-whole.js';

export interface BuildOptions {
  readonly cwd: string;
  readonly out: string;
  readonly minify: boolean;
  /** `node18`, … */
  readonly target: string;
}

/** What the manifest says of a module. */
export interface ManifestEntry extends Pick<WorkflowInfo, 'name' | 'version' | 'trigger' | 'env' | 'services' | 'compiler'> {
  readonly route: string;
  /** The `.wf` file, relative to the folder of the manifest. */
  readonly file: string;
  readonly module: string;
  /** Of the bytes of the `.wf` file. */
  readonly sha256: string;
}

export type Built =
  | {
      readonly ok: true;
      readonly modules: readonly { readonly file: string; readonly module: string }[];
      readonly diagnostics: readonly LocatedDiagnostic[];
    }
  | { readonly ok: false; readonly diagnostics: readonly LocatedDiagnostic[] };

/** esbuild processes at once: each uses several threads of its own. */
const AT_ONCE = 4;

/** @throws UsageError where files cannot be read or written, or two of them would become one module. */
export async function buildWorkflows(files: readonly string[], options: BuildOptions): Promise<Built> {
  refuseSameNames(files);
  const sources = files.map((file) => ({ file, source: read(file, options.cwd) }));
  const compiled = sources.map(({ file, source }) => ({
    file,
    source,
    result: compile(source, { file, bundlePlugins: true, standalone: true }),
  }));
  const diagnostics = compiled.flatMap(({ result }) => result.diagnostics);
  if (compiled.some(({ result }) => result.hasErrors)) return { ok: false, diagnostics };

  const out = path.resolve(options.cwd, options.out);
  const outputs: Output[] = [];
  for (let first = 0; first < compiled.length; first += AT_ONCE) {
    outputs.push(
      ...(await Promise.all(
        compiled.slice(first, first + AT_ONCE).map(({ file, source, result }) => buildOne(file, source, result, out, options)),
      )),
    );
  }
  try {
    makeFolder(out);
    for (const { entry, code, map } of outputs) {
      await writeWhole(path.join(out, `${entry.module}.map`), map);
      await writeWhole(path.join(out, entry.module), `${code}//# sourceMappingURL=${encodeURIComponent(entry.module)}.map\n`);
    }
    // Last, so that a manifest never names a module that is not there.
    await writeWhole(
      path.join(out, 'manifest.json'),
      `${JSON.stringify({ compiler: WF_VERSION, workflows: outputs.map(({ entry }) => entry) }, null, 2)}\n`,
    );
  } catch (error) {
    throw new UsageError(`${options.out} can't be written: ${fileFault(error)}.`);
  }
  return {
    ok: true,
    modules: outputs.map(({ file, entry }) => ({ file, module: path.join(options.out, entry.module) })),
    diagnostics,
  };
}

interface Output {
  readonly file: string;
  readonly entry: ManifestEntry;
  readonly code: string;
  readonly map: string;
}

async function buildOne(
  file: string,
  source: Uint8Array,
  compiled: Compiled,
  out: string,
  { cwd, minify, target }: BuildOptions,
): Promise<Output> {
  if (compiled.hasErrors) throw new Error('A workflow with errors is never built');
  const full = path.resolve(cwd, file);
  const bundler = startBundler({ folder: path.dirname(full), runtime: 'inside', minify, target });
  const bundled = await bundle(compiled.emitted, bundler, path.relative(out, full).split(path.sep).join('/')).catch(
    (error: unknown) => {
      throw new UsageError(
        `${file} can't be bundled: ${plainReason(error)}`,
        'Is the path of each plugin right, and are the packages that it imports installed?',
      );
    },
  );
  const { name, version, trigger, env, services, compiler } = compiled.emitted.info;
  const basename = path.basename(full, '.wf');
  const entry: ManifestEntry = {
    ...{
      name,
      version,
      trigger,
      route: `/${encodeURIComponent(basename)}`,
      file: path.relative(out, full).split(path.sep).join('/'),
    },
    ...{ module: `${basename}.mjs`, sha256: createHash('sha256').update(source).digest('hex'), compiler, env, services },
  };
  return { file, entry, ...bundled };
}

/** esbuild's first message, without the place in the emitted module, which the user has never seen. */
const plainReason = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).replace(/^.*?ERROR\]\s*/s, '').split('\n')[0] ?? '';

function read(file: string, cwd: string): Uint8Array {
  if (!file.endsWith('.wf')) throw new UsageError(`${file} is no workflow: its name must end in .wf.`);
  try {
    return readFileSync(path.resolve(cwd, file));
  } catch (error) {
    throw new UsageError(`${file} can't be read: ${fileFault(error)}.`);
  }
}

function refuseSameNames(files: readonly string[]): void {
  const seen = new Map<string, string>();
  for (const file of files) {
    const name = path.basename(file, '.wf');
    const other = seen.get(name.toLowerCase());
    if (other !== undefined)
      throw new UsageError(
        `${other} and ${file} would both become ${name}.mjs.`,
        'Build them into different folders with --out.',
      );
    seen.set(name.toLowerCase(), file);
  }
}
