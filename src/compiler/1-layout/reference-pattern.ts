// What can be a name with its fields, as it stands in the braces of a text and of a path: `order.lines.0.price`.

// The plain form is tried first, and the other one made where it is needed: classes of Unicode take V8 a millisecond to get ready.
const PLAIN = /^[A-Za-z_][\w-]*(?:\.(?:[A-Za-z_][\w-]*|\d+))*$/;
const anyName = (): RegExp => /^[\p{L}_][\p{L}\p{M}\p{Nd}_-]*(?:\.(?:[\p{L}_][\p{L}\p{M}\p{Nd}_-]*|\d+))*$/u;

export const isReference = (text: string): boolean => (PLAIN.test(text) || anyName().test(text)) && !/-(?:\.|$)/.test(text);
