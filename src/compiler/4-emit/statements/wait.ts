// Emits waits: for a time, until a moment, for a message.
import type { Wait, WaitFor, WaitUntil } from '../../2-parse/tree.js';
import { jsText } from '../emitted-code.js';
import type { Emitter } from '../emitter.js';
import { emitTimeSpan } from '../time-spans.js';
import { emitOutcome, emitPairs } from './call.js';
import { assign } from './set.js';

export function emitWait(emitter: Emitter, { amount, unit, line, span }: Wait): void {
  const rest = (amounts: number): string =>
    `${emitter.expression(amount).code}, ${jsText(unit)}, ${emitter.location(span, ...Array<typeof span>(amounts).fill(amount.span))}, ${emitter.site(line)}`;
  const isCalendar = unit === 'months' || unit === 'years' || unit === 'working days' || unit === 'working hours';
  emitter.line(isCalendar ? `await ${emitter.use('waitCalendar')}(run, ${rest(2)});` : `await run.wait(${rest(1)});`, span);
}

/** Emits `wait until …` as a pause of the run. */
export function emitWaitUntil(emitter: Emitter, { moment, at, line, span }: WaitUntil): void {
  const minutes = at === undefined ? undefined : at.hours * 60 + at.minutes;
  const code =
    moment === undefined
      ? `${emitter.use('waitUntilClock')}(run, ${minutes}, ${emitter.location(span)}, ${emitter.site(line)})`
      : `${emitter.use('waitUntil')}(run, ${emitter.expression(moment).code}, ${emitter.location(span, moment.span)}, ${emitter.site(line)}${minutes === undefined ? '' : `, ${minutes}`})`;
  emitter.line(`await ${code};`, span);
}

/** Emits `wait for <message>`: saves the message, or runs the statements for a timeout. */
export function emitWaitFor(emitter: Emitter, statement: WaitFor): void {
  const { message, pairs, atMost, save, silence, onSuccess, line, span } = statement;
  const received = emitter.unique('message');
  emitter.line(`const ${received} = await ${emitter.use('receive')}(run, {`, span);
  emitter.writer.indented(() => {
    emitter.line(`name: ${jsText(message.text)},`, span);
    emitter.line(`pairs: ${emitPairs(emitter, pairs)},`, span);
    if (atMost !== undefined) emitter.line(`timeoutMs: ${emitTimeSpan(emitter, atMost)},`, span);
    emitter.line(`handled: ${silence !== undefined},`, span);
    emitter.line(`location: ${emitter.location(span)},`, span);
    emitter.line(`site: ${emitter.site(line)},`, span);
  });
  emitter.line('});', span);
  const emitSave = (): void => {
    if (save !== undefined) assign(emitter, save.text, received, statement);
    emitOutcome(emitter, onSuccess);
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
