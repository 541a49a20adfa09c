// Emits what service calls and `ask` share: the runtime call, the saved parts of its answer, and the statements that handle its failure.
import { inMilliseconds } from '../../2-parse/durations.js';
import type { Ask, Call, Retry, Saved, SendOptions } from '../../2-parse/tree.js';
import { emitPairs } from '../emit-pairs.js';
import type { Emitter } from '../emitter.js';
import { jsText } from '../javascript-text.js';
import { assign } from '../variables.js';

const answers: Readonly<Record<Saved, string>> = {
  result: 'value',
  status: 'status',
  'response headers': 'headers',
  confidence: 'confidence',
  comment: 'comment',
  person: 'person',
};

/** `own` are the request fields that only this kind of call has, as `name: code`. */
export function emitAnyCall(emitter: Emitter, call: Call | Ask, own: readonly string[], by: 'call' | 'askPerson' = 'call'): void {
  const answer = emitter.unique('answer');
  const { onFailure, saves, span } = call;
  const handler = onFailure?.body;
  emitter.line(`const ${answer} = await ${emitter.use(by)}(run, {`, span);
  emitter.writer.indented(() => {
    for (const part of requestFields(emitter, call, own)) emitter.line(`${part},`, span);
  });
  emitter.line('});', span);

  for (const save of saves) {
    // Failures also have a status, and their handler may read it. Without an answer, the variable keeps its value.
    if (save.what === 'status') assign(emitter, save.name.text, `${answer}.status`, call, `if (${answer}.status !== undefined) `);
  }
  const values = saves.filter((save) => save.what !== 'status');
  const emitValues = (): void => {
    for (const save of values) assign(emitter, save.name.text, `${answer}.${answers[save.what]}`, call);
  };
  if (handler === undefined || onFailure === undefined) {
    emitValues();
    return;
  }
  emitter.line(`if (${answer}.ok) {`, span);
  emitter.writer.indented(() => {
    emitter.reach(call.line, 'branch', `"${emitter.excerpt(span)}" succeeding`);
    emitValues();
  });
  emitter.line('} else {', onFailure.span);
  emitter.writer.indented(() => {
    emitter.failures++;
    emitter.line(`const failure$${emitter.failures} = ${answer}.failure;`, onFailure.span);
    const head = onFailure.stillFailing ?? onFailure;
    emitter.reach(head.line, 'branch', emitter.excerpt(head.span));
    emitter.block(handler);
    emitter.failures--;
  });
  emitter.line('}');
}

function requestFields(emitter: Emitter, call: Call | Ask, own: readonly string[]): string[] {
  const { service, pairs, saves, onFailure, span, line } = call;
  return [
    // Service names are keys of a table, never identifiers.
    `service: services[${jsText(service.text)}]`,
    ...own,
    `parameters: ${emitPairs(emitter, pairs)}`,
    ...sendFields(emitter, call),
    ...(saves.some(({ what }) => what === 'response headers') ? ['savesHeaders: true'] : []),
    ...(onFailure?.retry === undefined ? [] : [`retry: ${retryCode(onFailure.retry)}`]),
    `handled: ${onFailure?.body !== undefined}`,
    `location: ${emitter.location(span)}`,
    `site: ${emitter.site(line)}`,
  ];
}

function sendFields(emitter: Emitter, { headers, body, sentAs, atMostOnce }: SendOptions): string[] {
  return [
    // A repeated header is sent once: the last one wins.
    ...(headers.length === 0
      ? []
      : [
          `headers: [${[...lastOfEach(headers)].map(({ name, value }) => `[${jsText(name.text)}, ${emitter.expression(value).code}]`).join(', ')}]`,
        ]),
    ...(body === undefined ? [] : [`body: { value: ${emitter.expression(body.value).code} }`]),
    ...(sentAs === undefined ? [] : [`method: ${jsText(sentAs.text)}`]),
    ...(atMostOnce ? ['atMostOnce: true'] : []),
  ];
}

const lastOfEach = (headers: SendOptions['headers']): Iterable<SendOptions['headers'][number]> =>
  new Map(headers.map((header) => [header.name.text.toLowerCase(), header])).values();

const retryCode = ({ times, waiting, doubling }: Retry): string =>
  `{ times: ${times}, waitMs: ${waiting === undefined ? 0 : inMilliseconds(waiting)}${doubling ? ', doubling: true' : ''} }`;
