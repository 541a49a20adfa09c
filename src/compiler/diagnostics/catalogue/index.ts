// Every diagnostic of the compiler: one function per message, grouped by the phase that reports it. Exports only functions, because the
// program loads them with the first message.
export * from './branches.js';
export * from './calls.js';
export * from './dates.js';
export * from './inputs.js';
export * from './kinds.js';
export * from './layout.js';
export * from './limits.js';
export * from './names.js';
export * from './sections.js';
export * from './syntax.js';
export * from './table-coverage.js';
export * from './tables.js';
export type { Code } from './titles.js';
export * from './warnings.js';
export * from './workflows.js';
