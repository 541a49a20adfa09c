// Loads an emitted module: an ES module written by `wf build`, or code that was compiled for this program.
import { statSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { compileFunction, type Script } from 'node:vm';
import type { WorkflowModule } from '../../../runtime/types.js';
import { builtBody } from '../../compiler/5-bundle/built-module.js';
import { nativeImport } from '../../native-import.js';
import { codeFile, keptScript, newScript } from '../cache/code-cache.js';

/**
 * Loads the ES module in `file`, whose text is `text`. Check that its exports are a workflow before using them.
 * @throws whatever reading it or its code throws
 */
export async function loadModule(file: string, text: string): Promise<unknown> {
  const exports = readsSourceMaps() ? undefined : compiledHere(text, file);
  if (exports !== undefined) return exports();
  // Node.js caches modules by address, so a rebuilt module needs a new one.
  return nativeImport(`${pathToFileURL(file).href}?v=${statSync(file).mtimeMs}`);
}

/**
 * Turns the text of a built module into a function that returns its exports, or `undefined` if it needs the module loader of
 * Node.js.
 */
export function compiledHere(text: string, file: string): (() => unknown) | undefined {
  const body = builtBody(text);
  if (body === undefined) return undefined;
  try {
    // A function expression.
    const run = scriptOf(`(function(wf$module){"use strict";${body}\n})`, file).runInThisContext() as (module: object) => void;
    return () => {
      const exports = {};
      run(exports);
      return exports;
    };
  } catch {
    return undefined;
  }
}

/** With kept machine code: a module contains the runtime, so compiling takes longer than a small run. The text is kept beside it. */
function scriptOf(code: string, filename: string): Script {
  const stats = statSync(filename, { throwIfNoEntry: false });
  const kept = stats === undefined ? undefined : codeFile('module', stats);
  return kept === undefined ? newScript(code, filename, undefined) : keptScript(code, filename, kept, Buffer.from(code));
}

/** Runs the text of an emitted CommonJS module with the runtime `given`, or this program's. `name` is what traces call it. */
export async function evaluate(code: string, name: string, given?: object): Promise<unknown> {
  const runtime = given ?? (await import('../../compiler/5-bundle/runtime.js'));
  if (readsSourceMaps()) return (await import('./evaluate-mapped.js')).evaluateMapped(code, name, runtime);
  const exports = {};
  // The runtime is the only thing that it requires.
  compileFunction(code, ['exports', 'require'], { filename: name })(exports, () => runtime);
  return exports;
}

/** True for the exports of an emitted module. */
export function isWorkflowModule(exports: unknown): exports is WorkflowModule {
  if (typeof exports !== 'object' || exports === null || !('workflow' in exports) || !('run' in exports)) return false;
  const { workflow, run } = exports;
  return (
    typeof run === 'function' && typeof workflow === 'object' && workflow !== null && 'compiler' in workflow && 'name' in workflow
  );
}

const ASKS = /(?:^|\s)--(?:inspect|enable-source-maps)/;

/** True if the options of Node.js, or the debugger of an editor, ask for source maps. */
export function readsSourceMaps(): boolean {
  const { NODE_OPTIONS = '', VSCODE_INSPECTOR_OPTIONS } = process.env;
  return (
    ASKS.test(NODE_OPTIONS) || VSCODE_INSPECTOR_OPTIONS !== undefined || process.execArgv.some((option) => ASKS.test(option))
  );
}
