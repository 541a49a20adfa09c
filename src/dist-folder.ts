// The folder of the built program. The bundler keeps this module in a file directly in that folder, so any chunk can ask for it.

/** Absolute path of `dist`. */
export const distFolder: string = WF_DIST;
