// The library: the compiler and the server for programs that embed them.
export { checkFile as check, type Checked, type Compiled, type CompileOptions, compile } from './compiler/compile.js';
export type { Diagnostic, LocatedDiagnostic } from './compiler/diagnostics/diagnostic.js';
export { createEngine, type Engine } from './engine/engine.js';
export { prepare } from './engine/prepare.js';
export type { Preparation, Prepared } from './engine/prepared.js';
