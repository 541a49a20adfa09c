// Emits the pairs of a call or of `complete with` as `[["key", value], …]`. A list keeps them in order, whatever their keys are.
import type { Pair } from '../2-parse/tree.js';
import type { Emitter } from './emitter.js';
import { jsText } from './javascript-text.js';

export const emitPairs = (emitter: Emitter, pairs: readonly Pair[]): string =>
  `[${pairs.map(({ key, value }) => `[${jsText(key.text)}, ${emitter.expression(value).code}]`).join(', ')}]`;
