// Bundles an emitted module with the runtime into a file that anyone can import, with a source map to the `.wf` file.
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { distFolder } from '../../dist-folder.js';
import type { Emitted } from '../4-emit/emit.js';
import type { SourceMap } from '../4-emit/writer.js';
import { builtFoot, builtHead, splitInlineMap, withInlineMap } from './built-module.js';

interface Bundled {
  /** Without a reference to the map. */
  readonly code: string;
  /** `sources` contains the `.wf` file under the requested name, and the runtime. */
  readonly map: string;
}

/**
 * @param source the path of the `.wf` file for the source map
 * @throws Error with esbuild's message if an import can't be found
 */
export async function bundle(
  emitted: Emitted,
  settings: Omit<BundleSettings, 'head' | 'foot'>,
  source: string,
): Promise<Bundled> {
  const around = emitted.format === 'body' ? { head: builtHead, foot: builtFoot } : {};
  const text = withInlineMap(emitted.code, JSON.stringify(emitted.map));
  const { code, map } = splitInlineMap(await bundleText(text, { ...settings, ...around }));
  return { code, map: namedMap(map, emitted.map, source) };
}

/** The map with the `.wf` file under the requested name and its text, without the runtime's own text. */
function namedMap(json: string, emitted: SourceMap, source: string): string {
  const map: { sources: string[] } = JSON.parse(json);
  const [file = ''] = emitted.sources;
  const isWorkflow = (name: string): boolean => name === file || name.endsWith(`/${file}`);
  return JSON.stringify({
    ...map,
    sources: map.sources.map((name) => (isWorkflow(name) ? source : name.endsWith('runtime.mjs') ? 'wf-runtime' : name)),
    sourcesContent: map.sources.map((name) => (isWorkflow(name) ? (emitted.sourcesContent[0] ?? null) : null)),
  });
}

interface BundleSettings {
  /** Folder that relative imports of the module start from. */
  readonly folder: string;
  readonly minify: boolean;
  /** `node18`, …: the target of the code. */
  readonly target: string;
  /** Verbatim text before and after the bundle. */
  readonly head?: string;
  readonly foot?: string;
}

/**
 * Bundles the text of a module with the runtime into an ES module that needs only Node.js. Returns its text with an inline source map;
 * rejects with esbuild's message if an import can't be found.
 */
function bundleText(code: string, settings: BundleSettings): Promise<string> {
  const program = findProgram();
  return program === undefined ? byLibrary(code, settings) : byProcess(program, code, settings);
}

const runtimeFile = (): string => path.join(distFolder, 'runtime.mjs');

/** Path of esbuild's program for this machine, or `undefined` if the installation has another layout. */
function findProgram(): string | undefined {
  try {
    const fromEsbuild = createRequire(createRequire(path.join(distFolder, 'wf.cjs')).resolve('esbuild/package.json'));
    const folder = path.dirname(fromEsbuild.resolve(`@esbuild/${process.platform}-${process.arch}/package.json`));
    const program = process.platform === 'win32' ? path.join(folder, 'esbuild.exe') : path.join(folder, 'bin', 'esbuild');
    return existsSync(program) ? program : undefined;
  } catch {
    return undefined;
  }
}

function byProcess(program: string, code: string, { folder, minify, target, head, foot }: BundleSettings): Promise<string> {
  const child = spawn(
    program,
    [
      '--bundle',
      '--format=esm',
      `--alias:wf-runtime=${runtimeFile()}`,
      '--sourcemap=inline',
      '--sources-content=false',
      '--platform=node',
      `--target=${target}`,
      '--sourcefile=workflow.mjs',
      '--log-level=error',
      '--color=false',
      '--charset=utf8',
      '--legal-comments=none',
      ...(minify ? ['--minify'] : []),
      ...(head === undefined ? [] : [`--banner:js=${head}`]),
      ...(foot === undefined ? [] : [`--footer:js=${foot}`]),
    ],
    { cwd: folder, stdio: ['pipe', 'pipe', 'pipe'] },
  );
  child.stdin?.on('error', () => {});
  child.stdin?.end(code);
  return collect(child);
}

function collect(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    const output: Buffer[] = [];
    const problems: Buffer[] = [];
    child.stdout?.on('data', (chunk: Buffer) => output.push(chunk));
    child.stderr?.on('data', (chunk: Buffer) => problems.push(chunk));
    child.on('error', reject);
    child.on('close', (code) =>
      code === 0
        ? resolve(Buffer.concat(output).toString())
        : reject(new Error(Buffer.concat(problems).toString().trim() || `esbuild ended with code ${code}`)),
    );
  });
}

/** Bundles through esbuild's library, which locates its own executable. */
async function byLibrary(code: string, { folder, minify, target, head, foot }: BundleSettings): Promise<string> {
  const { build } = await import('esbuild');
  const result = await build({
    stdin: { contents: code, resolveDir: folder, sourcefile: 'workflow.mjs' },
    bundle: true,
    format: 'esm',
    alias: { 'wf-runtime': runtimeFile() },
    sourcemap: 'inline',
    sourcesContent: false,
    platform: 'node',
    target,
    charset: 'utf8',
    legalComments: 'none',
    logLevel: 'silent',
    minify,
    write: false,
    ...(head === undefined ? {} : { banner: { js: head } }),
    ...(foot === undefined ? {} : { footer: { js: foot } }),
  });
  return result.outputFiles[0]?.text ?? '';
}
