// The runtime as a part of this program: what was bundled for it alone takes it from here, so that it is loaded and compiled once.
export * from '../../../runtime/index.js';
