// The catalogue of everything that the compiler says: one function for each message, by the phase that finds it.
export * from './layout.js';
export * from './limits.js';
export { type Code, titles } from './make.js';
export * from './names.js';
export * from './sections.js';
export * from './syntax.js';
export * from './warnings.js';
