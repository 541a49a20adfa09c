// The runtime as part of this program. Modules compiled on the fly share it, so it is loaded and compiled once.
export * from '../../../runtime/index.js';
