// Evaluates a CommonJS module through the loader of Node.js, which reads source maps, so that debuggers and traces show lines
// of the `.wf` file. It is slower, so it is only used if someone is looking.
import { Module } from 'node:module';

/** @param name absolute; what traces call the module @param runtime the only thing that the module requires */
export function evaluateMapped(code: string, name: string, runtime: unknown): unknown {
  // Missing from the types, but every tool that compiles on the fly relies on it.
  const module = new Module(name) as Module & { _compile(code: string, name: string): void };
  module.require = Object.assign(() => runtime, module.require);
  module._compile(code, name);
  return module.exports;
}
