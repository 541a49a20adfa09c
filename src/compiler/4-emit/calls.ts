// Service calls and `ask` → one call of the runtime, what is saved of its answer, and the statements that handle its failure.
import type { Ask, Call, Duration, Retry, Saved } from '../2-parse/tree.js';
import type { Emitter } from './emitter.js';
import { emitText } from './expressions.js';
import { jsText } from './javascript-text.js';
import { emitBlock, emitPairs, emitPath, emitTrace, ownership } from './statements.js';

const milliseconds: Readonly<Record<Duration['unit'], number>> = { seconds: 1_000, minutes: 60_000, hours: 3_600_000 };

/** A duration in milliseconds. */
export const inMilliseconds = ({ amount, unit }: Duration): number => Math.round(amount * milliseconds[unit]);

const answers: Readonly<Record<Saved, string>> = {
  result: 'value',
  status: 'status',
  'response headers': 'headers',
  confidence: 'confidence',
};

export function emitCall(emitter: Emitter, call: Call | Ask): void {
  const answer = emitter.unique('answer');
  const { onFailure, saves, span } = call;
  const handler = onFailure?.body;
  emitter.line(`const ${answer} = await ${emitter.use('call')}(run, {`, span);
  emitter.writer.indented(() => {
    for (const part of parts(emitter, call)) emitter.line(`${part},`, span);
  });
  emitter.line('});', span);

  for (const save of saves) {
    if (save.what === 'status')
      emitSave(emitter, save.name.text, `${answer}.status`, `if (${answer}.status !== undefined) `, call);
  }
  const values = saves.filter((save) => save.what !== 'status');
  const emitValues = (): void => {
    for (const save of values) emitSave(emitter, save.name.text, `${answer}.${answers[save.what]}`, '', call);
  };
  if (handler === undefined || onFailure === undefined) {
    emitValues();
    return;
  }
  emitter.line(`if (${answer}.ok) {`, span);
  emitter.writer.indented(() => {
    emitter.reach(call.line, 'branch', `"${emitter.excerpt(span)}" succeeds`);
    emitValues();
  });
  emitter.line('} else {', onFailure.span);
  emitter.writer.indented(() => {
    emitter.failures++;
    emitter.line(`const failure$${emitter.failures} = ${answer}.failure;`, onFailure.span);
    const head = onFailure.stillFailing ?? onFailure;
    emitter.reach(head.line, 'branch', emitter.excerpt(head.span));
    emitBlock(emitter, handler);
    emitter.failures--;
  });
  emitter.line('}');
}

function parts(emitter: Emitter, call: Call | Ask): string[] {
  const [verb = '', ...description] = call.kind === 'call' ? call.phrase : ['ask'];
  return [
    `service: ${serviceName(call.service.text)}`,
    `verb: ${jsText(verb)}`,
    `description: ${jsText(description.join(' '))}`,
    ...(call.kind === 'call' && call.at !== undefined ? [`path: ${emitPath(emitter, call.at)}`] : []),
    ...(call.kind === 'ask' ? [`instruction: ${emitText(emitter, call.instruction)}`] : []),
    `parameters: [${emitPairs(emitter, call.pairs)}]`,
    ...(call.saves.some(({ what }) => what === 'response headers') ? ['savesHeaders: true'] : []),
    ...(call.onFailure?.retry === undefined ? [] : [`retry: ${retryCode(call.onFailure.retry)}`]),
    `handled: ${call.onFailure?.body !== undefined}`,
    `place: ${emitter.place(call.span)}`,
  ];
}

const retryCode = ({ times, waiting, doubling }: Retry): string =>
  `{ times: ${times}, waitMs: ${waiting === undefined ? 0 : inMilliseconds(waiting)}${doubling ? ', doubling: true' : ''} }`;

/** The declarations of services stand in one table; a name of the file is a key of it, never an identifier. */
const serviceName = (name: string): string => `services[${jsText(name)}]`;

function emitSave(emitter: Emitter, name: string, value: string, condition: string, { span, line }: Call | Ask): void {
  emitter.line(`${condition}${emitter.identifier(name)} = ${value};`, span);
  if (emitter.grown.has(name)) emitter.line(`${ownership(emitter, name)} = false;`, span);
  emitTrace(emitter, name, line);
}
