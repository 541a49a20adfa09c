// Emits calls and questions to people, and what happens with their results.
import type { Ask, Call, OutcomeBlock, Pair, Retry, Saved, SendOptions, Text } from '../../2-parse/tree.js';
import { jsText } from '../emitted-code.js';
import type { Emitter } from '../emitter.js';
import { templateOf } from '../services.js';
import { emitCalendarSpan, emitTimeSpan, isFixedAmount } from '../time-spans.js';
import { assign } from './set.js';

export function emitCall(emitter: Emitter, call: Call): void {
  const [verb = '', ...description] = call.phrase;
  if (call.at !== undefined) emitter.written.addresses.push(templateOf(call.at));
  emitAnyCall(emitter, call, [
    `verb: ${jsText(verb)}`,
    `description: ${jsText(description.join(' '))}`,
    ...(call.at === undefined ? [] : [`path: ${emitPath(emitter, call.at)}`]),
    ...(call.running === undefined ? [] : [`statement: ${emitPath(emitter, call.running)}`]),
    ...(call.where.length === 0 ? [] : [`where: ${emitPairs(emitter, call.where)}`]),
  ]);
}

/** Literal text as it is; values with the names they were written as. */
function emitPath(emitter: Emitter, { parts }: Text): string {
  const codes = parts.map((part) => {
    if (typeof part === 'string') return jsText(part);
    const name = jsText([part.root, ...part.fields].join('.'));
    return `{ name: ${name}, value: ${emitter.expression(part).code} }`;
  });
  return `[${codes.join(', ')}]`;
}

function emitChoices(emitter: Emitter, { items, span }: NonNullable<Ask['choices']>): string {
  const codes = items.map((item) => emitter.expression(item).code);
  return `${emitter.use('choicesOf')}([${codes.join(', ')}], ${emitter.location(span)})`;
}

function emitAddressee(emitter: Emitter, { value, span }: NonNullable<Ask['addressed']>): string {
  return `${emitter.use('addresseeOf')}(${emitter.expression(value).code}, ${emitter.location(span)})`;
}

/** Emits `ask … to …`: a call with an instruction for an AI, or a question to a person. */
export function emitAsk(emitter: Emitter, ask: Ask): void {
  const isPerson = emitter.facts.services.get(ask.service.text)?.kind === 'person';
  const { addressed, choices, within, remind } = ask;
  const own = [
    `verb: ${jsText('ask')}`,
    `description: ${jsText('')}`,
    `instruction: ${emitter.expression(ask.instruction).code}`,
    ...(addressed === undefined ? [] : [`addressee: ${emitAddressee(emitter, addressed)}`]),
    ...(choices === undefined ? [] : [`choices: ${emitChoices(emitter, choices)}`]),
    ...(within === undefined
      ? []
      : [`withinMs: ${emitTimeSpan(emitter, within)}`, ...emitCalendarSpan(emitter, 'within', within)]),
    ...(remind === undefined
      ? []
      : [`remindMs: ${emitTimeSpan(emitter, remind)}`, ...emitCalendarSpan(emitter, 'remind', remind)]),
  ];
  emitAnyCall(emitter, ask, own, isPerson ? 'askPerson' : 'call');
}

const answers: Readonly<Record<Saved, string>> = {
  result: 'value',
  status: 'status',
  'response headers': 'headers',
  confidence: 'confidence',
  comment: 'comment',
  person: 'person',
};

/** `own` are the request fields that only this kind of call has, as `name: code`. */
function emitAnyCall(emitter: Emitter, call: Call | Ask, own: readonly string[], by: 'call' | 'askPerson' = 'call'): void {
  const answer = emitter.unique('answer');
  const { onFailure, onSuccess, saves, span } = call;
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
    emitOutcome(emitter, onSuccess);
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

/** The statements under `on success:`. */
export function emitOutcome(emitter: Emitter, outcome: OutcomeBlock | undefined): void {
  if (outcome === undefined) return;
  emitter.reach(outcome.line, 'branch', emitter.excerpt(outcome.span));
  emitter.block(outcome.body);
}

function requestFields(emitter: Emitter, call: Call | Ask, own: readonly string[]): string[] {
  const { service, pairs, saves, onFailure, span, line } = call;
  for (const { name, value } of call.headers) {
    if (value.kind === 'text') emitter.written.headers.push([name.text, templateOf(value)]);
  }
  return [
    // Service names are keys of a table, never identifiers.
    `service: services[${jsText(service.text)}]`,
    ...own,
    `parameters: ${emitPairs(emitter, pairs)}`,
    ...sendFields(emitter, call),
    ...(saves.some(({ what }) => what === 'response headers') ? ['savesHeaders: true'] : []),
    ...(onFailure?.retry === undefined ? [] : [`retry: ${retryCode(emitter, onFailure.retry)}`]),
    ...timeoutField(emitter, call),
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

/** The time limit of the call, or of its service if that depends on the environment. */
function timeoutField(emitter: Emitter, { timeout, service }: Call | Ask): string[] {
  const declared = emitter.facts.services.get(service.text)?.timeout;
  const limit = timeout ?? (declared === undefined || isFixedAmount(declared) ? undefined : declared);
  return limit === undefined ? [] : [`timeoutMs: ${emitTimeSpan(emitter, limit)}`];
}

function retryCode(emitter: Emitter, { times, waiting, doubling }: Retry): string {
  const fields = [
    `times: ${times}`,
    `waitMs: ${waiting === undefined ? 0 : emitTimeSpan(emitter, waiting)}`,
    ...(waiting === undefined ? [] : emitCalendarSpan(emitter, 'wait', waiting)),
    ...(doubling ? ['doubling: true'] : []),
  ];
  return `{ ${fields.join(', ')} }`;
}

/**
 * Emits the pairs of a call or of `complete with` as `[["key", value], …]`. A list keeps them in order, whatever their keys are.
 */
export const emitPairs = (emitter: Emitter, pairs: readonly Pair[]): string =>
  `[${pairs.map(({ key, value }) => `[${jsText(key.text)}, ${emitter.expression(value).code}]`).join(', ')}]`;
