// Every diagnostic of the compiler: one function per message, grouped by the phase that reports it. Exports only functions, because the
// program loads them with the first message.

export * from './calls.js';
export * from './calls.js';
export * from './calls.js';
export * from './calls.js';
export * from './kinds.js';
export * from './kinds.js';
export * from './names.js';
export * from './sections.js';
export * from './sections.js';
export * from './syntax.js';
export * from './syntax.js';
export * from './tables.js';
export * from './tables.js';
export type { Code } from './titles.js';
export * from './warnings.js';
export * from './warnings.js';
