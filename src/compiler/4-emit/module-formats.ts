// The kinds of modules that the same code can be printed as: how each imports the runtime and exports `workflow` and `run`.

export interface ModuleFormat {
  /** The first lines, which import `names` from the runtime. */
  readonly head: (names: readonly string[]) => string[];
  /** Declares an exported constant. */
  readonly exported: (name: string, code: string) => string;
  /** The last line of a module that can also be started; `runAsProgram` is the name of the runtime's function. */
  readonly program: (runAsProgram: string) => string;
}

const fromPackage = (names: readonly string[]): string[] => [`import { ${names.join(', ')} } from 'wf-runtime';`];

export const moduleFormats = {
  /** An ES module, for bundlers and for the module loader of Node.js. */
  esm: {
    head: fromPackage,
    exported: (name, code) => `export const ${name} = ${code};`,
    program: (runAsProgram) => `${runAsProgram}(import.meta.url, run);`,
  },
  /** The body of a function with the parameters `exports` and `require`, ready to run. */
  commonjs: {
    // Locals are faster than properties of `require('wf-runtime')`.
    head: (names) => ["'use strict';", `const { ${names.join(', ')} } = require('wf-runtime');`],
    exported: (name, code) => `const ${name} = (exports.${name} = ${code});`,
    program: () => '',
  },
  /** A called workflow inside the module of its caller, whose imports it uses. */
  called: {
    head: () => [],
    exported: (name, code) => `const ${name} = (exports.${name} = ${code});`,
    program: () => '',
  },
  /** The text between the head and the foot of a built module (`built-module.ts`), once the runtime is bundled in. */
  body: {
    head: fromPackage,
    exported: (name, code) => `const ${name} = (wf$module.${name} = ${code});`,
    program: (runAsProgram) => `wf$module.start = (address) => ${runAsProgram}(address, run);`,
  },
} as const satisfies Record<string, ModuleFormat>;
