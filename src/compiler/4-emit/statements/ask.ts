// Emits `ask … to …`: a call with an instruction for an AI, or a question to a person.
import { inMilliseconds } from '../../2-parse/durations.js';
import type { Ask } from '../../2-parse/tree.js';
import type { Emitter } from '../emitter.js';
import { jsText } from '../javascript-text.js';
import { emitAnyCall } from './call-parts.js';

function emitChoices(emitter: Emitter, { items, span }: NonNullable<Ask['choices']>): string {
  const codes = items.map((item) => emitter.expression(item).code);
  return `${emitter.use('choicesOf')}([${codes.join(', ')}], ${emitter.location(span)})`;
}

export function emitAsk(emitter: Emitter, ask: Ask): void {
  const isPerson = emitter.facts.services.get(ask.service.text)?.kind === 'person';
  const { choices, within, remind } = ask;
  const own = [
    `verb: ${jsText('ask')}`,
    `description: ${jsText('')}`,
    `instruction: ${emitter.expression(ask.instruction).code}`,
    ...(choices === undefined ? [] : [`choices: ${emitChoices(emitter, choices)}`]),
    ...(within === undefined ? [] : [`withinMs: ${inMilliseconds(within)}`]),
    ...(remind === undefined ? [] : [`remindMs: ${inMilliseconds(remind)}`]),
  ];
  emitAnyCall(emitter, ask, own, isPerson ? 'askPerson' : 'call');
}
