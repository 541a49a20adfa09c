// What `bundleForHere` made with its source map → its exports, by way of the CommonJS loader of Node.js: that one reads the map, and
// debuggers and traces show lines of the `.wf` file. Slower, so only where somebody looks.
import { Module } from 'node:module';

/** `name` is what traces call the module, absolute; `runtime` is all that it asks for. */
export function evaluateMapped(code: string, name: string, runtime: unknown): unknown {
  // Not in the types, but what every tool that compiles on the fly goes by.
  const module = new Module(name) as Module & { _compile(code: string, name: string): void };
  module.require = Object.assign(() => runtime, module.require);
  module._compile(code, name);
  return module.exports;
}
