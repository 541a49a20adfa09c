// Emits `wait for <message>`: saves the message, or runs the statements for a timeout.

import { inMilliseconds } from '../../2-parse/durations.js';
import type { WaitFor } from '../../2-parse/tree.js';
import { emitPairs } from '../emit-pairs.js';
import type { Emitter } from '../emitter.js';
import { jsText } from '../javascript-text.js';
import { assign } from '../variables.js';

export function emitWaitFor(emitter: Emitter, statement: WaitFor): void {
  const { message, pairs, atMost, save, silence, line, span } = statement;
  const received = emitter.unique('message');
  emitter.line(`const ${received} = await ${emitter.use('receive')}(run, {`, span);
  emitter.writer.indented(() => {
    emitter.line(`name: ${jsText(message.text)},`, span);
    emitter.line(`pairs: ${emitPairs(emitter, pairs)},`, span);
    if (atMost !== undefined) emitter.line(`timeoutMs: ${inMilliseconds(atMost)},`, span);
    emitter.line(`handled: ${silence !== undefined},`, span);
    emitter.line(`location: ${emitter.location(span)},`, span);
    emitter.line(`site: ${emitter.site(line)},`, span);
  });
  emitter.line('});', span);
  const emitSave = (): void => {
    if (save !== undefined) assign(emitter, save.text, received, statement);
  };
  if (silence === undefined) {
    emitSave();
    return;
  }
  emitter.line(`if (${received} !== undefined) {`, span);
  emitter.writer.indented(() => {
    emitter.reach(line, 'branch', `a message "${message.text}" comes`);
    emitSave();
  });
  emitter.line('} else {', silence.span);
  emitter.writer.indented(() => {
    emitter.reach(silence.line, 'branch', emitter.excerpt(silence.span));
    emitter.block(silence.body);
  });
  emitter.line('}');
}
