// What a message says if a line ends too early.

/** The name of `found` after the last word of a line. */
export const END_OF_LINE = 'the end of the line';
