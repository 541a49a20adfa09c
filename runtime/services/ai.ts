// Calls an AI: turns an instruction into a request to its provider, and the answer into result and confidence.
import { besideOthers } from '../in-turns.js';
import type { Run } from '../run/run.js';
import type { CallRequest, Value } from '../types.js';
import { show, textToPutOut } from '../values/values.js';
import { type Address, addressOf } from './address.js';
import { readAiAnswer } from './ai-answer.js';
import { type Prompt, type Provider, providers } from './ai-providers.js';
import type { AttemptResult, PreparedCall } from './attempt.js';
import { firstCharacters } from './body.js';
import { aiGaveNothing, type Failure, missingVariable, unusableAddress, unusableHeader } from './call-errors.js';
import { exchange, type Outgoing, tracedRequest } from './exchange.js';
import { headerProblem, idempotencyKey, standardHeaders, withDefaults } from './headers.js';
import { filledTemplate, unsetVariables } from './template.js';

/** Time limit of one attempt if the service sets none. */
export const defaultAiTimeoutMs = 60_000;
/** Characters of the provider's own words to keep. */
const mostSaid = 300;

const howToAnswer = [
  'Answer with one JSON object and nothing else: {"result": ..., "confidence": ...}.',
  '"result" is your answer: a text, or the JSON value that the task asks for.',
  '"confidence" is a number from 0, a guess, to 1, certain.',
].join('\n');

/** Prepares a question to an AI. If this fails, nothing is sent. */
export function prepareAi(run: Run, request: CallRequest, idempotency = idempotencyKey()): PreparedCall | Failure {
  const { service } = request;
  const provider = providers[service.provider ?? 'openai'];
  const key = provider.key === undefined ? '' : filledTemplate([{ env: provider.key }], run.environment);
  if (key === undefined) return missingVariable('it', [provider.key ?? '']);
  const model = filledTemplate(service.model ?? [], run.environment);
  if (model === undefined) return missingVariable('its model', unsetVariables(service.model ?? [], run.environment));
  const address = addressIn(run, provider);
  if (!address.ok) return address;
  const credentials = [...provider.headers(key)];
  for (const [name, value] of credentials) {
    const problem = headerProblem(name, value);
    if (problem !== undefined) return unusableHeader(name, [provider.key ?? ''], problem);
  }
  if (address.authorization !== undefined) credentials.push(['Authorization', address.authorization]);
  run.journal.hideHeaders(credentials);
  const { choices } = request;
  const system = choices === undefined ? howToAnswer : `${howToAnswer}\n${choiceRule(choices)}`;
  const prompt = { model, system, user: textToPutOut(questionOf(request)), ...(choices === undefined ? {} : { choices }) };
  const outgoing: Outgoing = {
    method: 'POST',
    url: address.url,
    headers: withDefaults(credentials, [
      ...standardHeaders,
      ['Content-Type', 'application/json'],
      ['Idempotency-Key', idempotency],
    ]),
    headersElsewhere: {},
    body: JSON.stringify(provider.body(prompt)),
  };
  return {
    ok: true,
    url: address.shown,
    timeoutMs: service.timeoutMs ?? defaultAiTimeoutMs,
    attempt: async (cancellation, span) => {
      const traced = tracedRequest(outgoing, span);
      const first = await readReply(run, request, provider, await exchange(run, traced, cancellation));
      if (choices === undefined || !first.ok) return first;
      const chosen = choiceIn(choices, first.value);
      if (chosen !== undefined) return { ...first, value: chosen };
      const again = { ...prompt, user: `${prompt.user}\n\n${askAgain(choices)}` };
      const repeated = await exchange(run, secondOf(traced, provider, again), cancellation);
      const second = await readReply(run, request, provider, repeated);
      const other = second.ok ? choiceIn(choices, second.value) : undefined;
      if (!second.ok || other !== undefined) return second.ok ? { ...second, value: other } : second;
      return noChoice(run, choices, second.value, { status: second.status ?? 200 });
    },
  };
}

/** An answer that is none of the choices. */
export function noChoice(run: Run, choices: readonly string[], answer: Value, more: Partial<Failure> = {}): Failure {
  const body = firstCharacters(run.journal.redactor.text(show(answer)), mostSaid);
  return aiGaveNothing(`its answer is none of the choices ${quoted(choices)}`, { ...more, body });
}

const quoted = (choices: readonly string[]): string => choices.map((choice) => JSON.stringify(choice)).join(', ');
const choiceRule = (choices: readonly string[]): string => `"result" is exactly one of these texts: ${quoted(choices)}.`;
const askAgain = (choices: readonly string[]): string =>
  `Your last answer was none of the choices. Answer with exactly one of them: ${quoted(choices)}.`;

/** Repeats a request with another prompt, and with another key: the first one would bring the first answer again. */
const secondOf = (outgoing: Outgoing, provider: Provider, prompt: Prompt): Outgoing => ({
  ...outgoing,
  headers: Object.fromEntries(
    Object.entries(outgoing.headers).map(([name, value]) => [name, /^idempotency-key$/i.test(name) ? `${value}-again` : value]),
  ),
  body: JSON.stringify(provider.body(prompt)),
});

/** Without capitals, and without what people put at the end of a sentence. */
function loosely(text: string): string {
  const lower = text.trim().toLowerCase();
  // A loop: an expression that looks for the end takes time with the square of the text.
  let end = lower.length;
  while (end > 0 && FINAL.test(lower.charAt(end - 1))) end--;
  return lower.slice(0, end);
}

const FINAL = /[\s.!?,;:]/;

/** The choice that an answer names; `undefined` if it says anything else. */
export function choiceIn(choices: readonly string[], answer: Value): string | undefined {
  const said = show(answer);
  return choices.find((choice) => choice === said) ?? choices.find((choice) => loosely(choice) === loosely(said));
}

function addressIn(run: Run, provider: Provider): Address | Failure {
  const given = filledTemplate([{ env: provider.address }], run.environment);
  const address =
    given === undefined
      ? addressOf([provider.defaultAddress], {}, provider.path, [])
      : addressOf([{ env: provider.address }], { [provider.address]: provider.normal(given) }, provider.path, []);
  return address.ok ? address : unusableAddress([provider.address]);
}

/** The instruction, with its pairs as lines below it. Anything but text is JSON. */
function questionOf({ instruction = '', parameters }: CallRequest): string {
  if (parameters.length === 0) return instruction;
  return `${instruction}\n\nContext:\n${parameters.map(([key, value]) => `${key}: ${show(value)}`).join('\n')}`;
}

async function readReply(run: Run, request: CallRequest, provider: Provider, result: AttemptResult): Promise<AttemptResult> {
  if (!result.ok) return result;
  const reply = provider.read(result.value);
  const { status = 200 } = result;
  if (!reply.ok) {
    return aiGaveNothing(reply.problem, { status, body: firstCharacters(run.journal.redactor.text(reply.said), mostSaid) });
  }
  if (reply.cut) {
    const message = `The answer of ${request.service.name} was cut off at its length limit.`;
    run.journal.add('warning', request.location[0], { message });
  }
  const { result: value, confidence } = await besideOthers(readAiAnswer(reply.text));
  return { ...result, value, confidence };
}
