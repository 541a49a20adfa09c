// Loads a module that was emitted: an ES module that was built, or what was bundled for this program, now or for the cache.
import { statSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { compileFunction } from 'node:vm';
import type { WorkflowModule } from '../../../runtime/types.js';
import { readsSourceMaps } from './source-maps.js';

/**
 * Loads the ES module in `file`, whose text is `text`. What it exports must be looked at before it is trusted to be a workflow.
 * @throws what its reading or its code throws
 */
export async function loadModule(file: string, text: string): Promise<unknown> {
  const exports = readsSourceMaps() ? undefined : compiledHere(text, file);
  if (exports !== undefined) return exports();
  // Node.js keeps a module by its address, so one that was built again needs another.
  return import(`${pathToFileURL(file).href}?v=${statSync(file).mtimeMs}`);
}

/** How a module ends that `wf build` made: with what makes it a program, which is not wanted here, and its exports. */
const ENDING = /[\w$]+\(import\.meta\.url,\s*[\w$]+\);\s*export\s*\{([\w$\s,]*)\};?\s*(?:\/\/# sourceMappingURL=.*\s*)?$/;
/** More characters than the function at the beginning of that has in its name. */
const LONGEST_NAME = 100;
/** What the module's own part for programs would import. It stands there once: further ones are those of a plugin. */
const OWN_IMPORTS = /\bimport\("node:fs"\),\s*import\("node:url"\)/;
/** Anything that only the module loader of Node.js gives: imports, of which plugins bring some, and `import.meta`. */
const NEEDS_LOADER = /\bimport\s*(?:[(."'{*]|[\w$]+\s*(?:,|from\b))/;

/**
 * The text of a built module as a function that gives its exports; `undefined` where it needs the module loader of Node.js, whose start
 * takes longer than a small run.
 */
export function compiledHere(text: string, file: string): (() => unknown) | undefined {
  // Only near the end: searched from the start, it would be tried at each word of the runtime.
  const near = Math.max(0, text.lastIndexOf('(import.meta.url') - LONGEST_NAME);
  const ending = ENDING.exec(text.slice(near));
  if (ending === null) return undefined;
  const body = text.slice(0, near + ending.index);
  if (NEEDS_LOADER.test(body.replace(OWN_IMPORTS, ''))) return undefined;
  const exports = (ending[1] ?? '').split(',').map((item) => {
    const [local = '', name = local] = item.trim().split(/\s+as\s+/);
    return `${name}: ${local}`;
  });
  try {
    return compileFunction(`"use strict";${body}\nreturn { ${exports.join(', ')} };`, [], { filename: file }) as () => unknown; // no parameters
  } catch {
    return undefined;
  }
}

/** Runs what `bundleForHere` made; `name` is what traces call it. */
export async function evaluate(code: string, name: string): Promise<unknown> {
  const runtime = await import('./runtime.js');
  if (readsSourceMaps()) return (await import('./evaluate-mapped.js')).evaluateMapped(code, name, runtime);
  const module = { exports: {} as unknown };
  // The runtime is all that it asks for.
  compileFunction(code, ['module', 'exports', 'require'], { filename: name })(module, module.exports, () => runtime);
  return module.exports;
}

/** True for the exports of an emitted module. */
export function isWorkflowModule(exports: unknown): exports is WorkflowModule {
  if (typeof exports !== 'object' || exports === null || !('workflow' in exports) || !('run' in exports)) return false;
  const { workflow, run } = exports;
  return (
    typeof run === 'function' && typeof workflow === 'object' && workflow !== null && 'compiler' in workflow && 'name' in workflow
  );
}
