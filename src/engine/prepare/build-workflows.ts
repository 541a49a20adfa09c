// Builds `.wf` files into a folder of modules with source maps and a manifest. Checks every file before it writes anything.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { WorkflowInfo } from '../../../runtime/types.js';
import { analyse } from '../../analysis/analyse.js';
import { bundle } from '../../compiler/5-bundle/bundle.js';
import { type Compiled, compile } from '../../compiler/compile.js';
import type { LocatedDiagnostic } from '../../compiler/diagnostics/diagnostic.js';
import { fileFault } from '../files/file-fault.js';
import { makeFolder } from '../files/make-folder.js';
import { writeWhole } from '../files/write-whole.js';
import { UsageError } from '../usage-error.js';
import { workflowFiles } from './workflow-files.js';

interface BuildOptions {
  readonly cwd: string;
  readonly out: string;
  readonly minify: boolean;
  /** `node18`, … */
  readonly target: string;
}

/** The manifest entry of a module. */
interface ManifestEntry extends Pick<WorkflowInfo, 'name' | 'version' | 'trigger' | 'env' | 'services' | 'compiler'> {
  readonly route: string;
  /** The `.wf` file, relative to the folder of the manifest. */
  readonly file: string;
  readonly module: string;
  /** Hash of the `.wf` file. */
  readonly sha256: string;
}

export type Built =
  | {
      readonly ok: true;
      readonly modules: readonly { readonly file: string; readonly module: string }[];
      readonly diagnostics: readonly LocatedDiagnostic[];
    }
  | { readonly ok: false; readonly diagnostics: readonly LocatedDiagnostic[] };

/** esbuild processes at a time: each uses several threads. */
const AT_ONCE = 4;

/** @throws UsageError if a file can't be read or written, or if two files would become the same module */
export async function buildWorkflows(files: readonly string[], options: BuildOptions): Promise<Built> {
  refuseSameNames(files);
  const sources = files.map((file) => ({ file, source: read(file, options.cwd) }));
  const compiled = sources.map(({ file, source }) => ({
    file,
    source,
    result: compile(source, { file, format: 'build', files: workflowFiles(file, options.cwd) }),
  }));
  const diagnostics = compiled.flatMap(({ file, result }) => (result.hasErrors ? result.diagnostics : analyse(result, file)));
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
    // Last, so that the manifest never names a missing module.
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
  const named = path.relative(out, full).split(path.sep).join('/');
  const bundled = await bundle(compiled.emitted, { folder: path.dirname(full), minify, target }, named).catch(
    (error: unknown) => {
      throw new UsageError(
        `${file} can't be bundled: ${plainReason(error)}`,
        'Check the path of each plugin, and make sure that the packages it imports are installed.',
      );
    },
  );
  const { name, version, trigger, env, services, compiler } = compiled.emitted.info;
  const basename = path.basename(full, '.wf');
  const entry: ManifestEntry = {
    name,
    version,
    trigger,
    route: `/${encodeURIComponent(basename)}`,
    file: path.relative(out, full).split(path.sep).join('/'),
    module: `${basename}.mjs`,
    sha256: createHash('sha256').update(source).digest('hex'),
    compiler,
    env,
    services,
  };
  return { file, entry, ...bundled };
}

/** The first message of esbuild, without its place in the emitted module, which users never see. */
const plainReason = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).replace(/^.*?ERROR\]\s*/s, '').split('\n')[0] ?? '';

function read(file: string, cwd: string): Uint8Array {
  if (!file.endsWith('.wf')) throw new UsageError(`${file} is not a workflow: its name must end in .wf.`);
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
