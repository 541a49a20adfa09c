// One run of esbuild as a process of its own, started before there is anything to bundle: it gets up while the compiler works.
// esbuild's own JavaScript interface would cost several times as much at every start.
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

export interface BundleSettings {
  /** Folder that relative imports of the module start from. */
  readonly folder: string;
  /**
   * `inside` makes an ES module that needs nothing beside Node.js, with its source map; `outside` makes CommonJS that gets the runtime
   * from this program: several times faster to make and to load.
   */
  readonly runtime: 'inside' | 'outside';
  /** `outside` with its source map too. */
  readonly mapped?: boolean;
  readonly minify?: boolean;
  /** `node18`, …: what the code may use. */
  readonly target?: string;
}

/** A bundler that waits for the text of the module. */
export interface Bundler {
  /** Gives the bundled text, with its source map inside where it has one; rejects with esbuild's message where an import cannot be found. */
  readonly bundle: (code: string) => Promise<string>;
  /** Ends it without a result. */
  readonly cancel: () => void;
}

const runtimeFile = (): string => path.join(WF_DIST, 'runtime.mjs');

/** Path of esbuild's program for this machine, or `undefined` where the installation has another layout. */
function findProgram(): string | undefined {
  try {
    const fromEsbuild = createRequire(createRequire(path.join(WF_DIST, 'wf.cjs')).resolve('esbuild/package.json'));
    const folder = path.dirname(fromEsbuild.resolve(`@esbuild/${process.platform}-${process.arch}/package.json`));
    const program = process.platform === 'win32' ? path.join(folder, 'esbuild.exe') : path.join(folder, 'bin', 'esbuild');
    return existsSync(program) ? program : undefined;
  } catch {
    return undefined;
  }
}

/** Starts a bundler. */
export function startBundler(settings: BundleSettings): Bundler {
  const program = findProgram();
  return program === undefined ? libraryBundler(settings) : processBundler(program, settings);
}

function processBundler(
  program: string,
  { folder, runtime, mapped = false, minify = false, target = 'node18' }: BundleSettings,
): Bundler {
  const child = spawn(
    program,
    [
      '--bundle',
      ...(runtime === 'inside'
        ? ['--format=esm', `--alias:wf-runtime=${runtimeFile()}`]
        : ['--format=cjs', '--external:wf-runtime']),
      ...(runtime === 'inside' || mapped ? ['--sourcemap=inline', '--sources-content=false'] : []),
      '--platform=node',
      `--target=${target}`,
      '--sourcefile=workflow.mjs',
      '--log-level=error',
      '--color=false',
      '--charset=utf8',
      '--legal-comments=none',
      ...(minify ? ['--minify'] : []),
    ],
    { cwd: folder, stdio: ['pipe', 'pipe', 'pipe'] },
  );
  const ended = collect(child);
  // A process that is never asked must not end the command with an unhandled rejection.
  ended.catch(() => {});
  child.stdin?.on('error', () => {});
  return {
    bundle(code) {
      child.stdin?.end(code);
      return ended;
    },
    cancel: () => void child.kill('SIGKILL'),
  };
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

/** The same through esbuild's library, which finds its program by itself. */
function libraryBundler({ folder, runtime, mapped = false, minify = false, target = 'node18' }: BundleSettings): Bundler {
  return {
    async bundle(code) {
      const { build } = await import('esbuild');
      const result = await build({
        stdin: { contents: code, resolveDir: folder, sourcefile: 'workflow.mjs' },
        bundle: true,
        platform: 'node',
        target,
        charset: 'utf8',
        legalComments: 'none',
        logLevel: 'silent',
        ...(runtime === 'inside'
          ? { format: 'esm', alias: { 'wf-runtime': runtimeFile() } }
          : { format: 'cjs', external: ['wf-runtime'] }),
        ...(runtime === 'inside' || mapped ? { sourcemap: 'inline', sourcesContent: false } : {}),
        minify,
        write: false,
      });
      return result.outputFiles[0]?.text ?? '';
    },
    cancel() {},
  };
}
