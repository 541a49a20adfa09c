// Emits `step …:` as its block, between two calls that mark its beginning and end in the log.
import type { Step } from '../../2-parse/tree.js';
import type { Emitter } from '../emitter.js';
import { jsText } from '../javascript-text.js';

export function emitStep(emitter: Emitter, { name, body, line, span }: Step): void {
  const step = emitter.unique('step');
  emitter.line(`const ${step} = run.enter(${jsText(name.text)}, ${line});`, span);
  emitter.steps.push(step);
  emitter.block(body);
  emitter.steps.pop();
  emitter.line(`run.leave(${step});`, span);
}
