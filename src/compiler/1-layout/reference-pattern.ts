// The pattern of a name with its fields, in the braces of text and paths: `order.lines.0.price`.

// Tries the plain pattern first and compiles the other one lazily: Unicode classes take V8 a millisecond.
const PLAIN = /^[A-Za-z_][\w-]*(?:\.(?:[A-Za-z_][\w-]*|\d+))*$/;
const anyName = (): RegExp => /^[\p{L}_][\p{L}\p{M}\p{Nd}_-]*(?:\.(?:[\p{L}_][\p{L}\p{M}\p{Nd}_-]*|\d+))*$/u;

export const isReference = (text: string): boolean => (PLAIN.test(text) || anyName().test(text)) && !/-(?:\.|$)/.test(text);
