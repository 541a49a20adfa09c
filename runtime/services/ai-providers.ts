// Describes what each AI provider expects, and where its answer has the text. To support another provider, add an entry.
import type { ServiceSpec, Value } from '../types.js';
import { withoutEnd } from '../values/without-end.js';

export interface Prompt {
  readonly model: string;
  /** The format of the answer. */
  readonly system: string;
  /** The instruction and its context. */
  readonly user: string;
  /** The result is one of these. */
  readonly choices?: readonly string[];
}

/** The text of an answer, or why there is none. What the provider itself said only goes to the log. */
type ModelReply =
  | { readonly ok: true; readonly text: string; readonly cut: boolean }
  | { readonly ok: false; readonly problem: string; readonly said: string };

export interface Provider {
  /** Variable with the key; absent if the provider needs none. */
  readonly key?: string;
  /** Variable that overrides the address. */
  readonly address: string;
  readonly defaultAddress: string;
  /** Normalizes the address in the variable, which people write in several ways. */
  normal(address: string): string;
  readonly path: string;
  headers(key: string): readonly (readonly [name: string, value: string])[];
  body(prompt: Prompt): Value;
  read(answer: Value): ModelReply;
}

/** Follows own fields and items; `undefined` if there is nothing. */
function at(value: Value, ...keys: (string | number)[]): Value {
  let current = value;
  for (const key of keys) {
    if (typeof current !== 'object' || current === null || !Object.hasOwn(current, key)) return undefined;
    current = Array.isArray(current) ? current[Number(key)] : current[key];
  }
  return current;
}

const text = (value: Value): string => (typeof value === 'string' ? value : '');

/** The parts of type `text` in a list of parts, or text itself. */
function textOf(content: Value): string {
  if (!Array.isArray(content)) return text(content);
  return content.map((part) => text(at(part, 'text'))).join('');
}

/** Any JSON value. The strict mode of structured answers doesn't support open lists and records, so it is not used. */
const scalars: Value[] = [{ type: 'string' }, { type: 'number' }, { type: 'boolean' }, { type: 'null' }];
const anyValue: Value = {
  anyOf: [...scalars, { type: 'array', items: { anyOf: [...scalars, { type: 'object' }] } }, { type: 'object' }],
};

const answerSchema = (choices: readonly string[] | undefined): Value => ({
  type: 'object',
  properties: {
    result: choices === undefined ? anyValue : { type: 'string', enum: [...choices] },
    confidence: { type: 'number', description: 'From 0, a guess, to 1, certain.' },
  },
  required: ['result', 'confidence'],
  additionalProperties: false,
});

/** OpenAI's chat completions, which many others support, too. */
const chatCompletions = {
  headers: (key: string) => (key === '' ? [] : [['Authorization', `Bearer ${key}`] as const]),
  body: ({ model, system, user, choices }: Prompt): Value => ({
    model,
    messages: [
      { role: 'system', content: system },
      { role: 'user', content: user },
    ],
    response_format: { type: 'json_schema', json_schema: { name: 'answer', strict: false, schema: answerSchema(choices) } },
  }),
  read(answer: Value): ModelReply {
    const error = at(answer, 'error');
    if (error !== null && error !== undefined) {
      return {
        ok: false,
        problem: 'it answered with an error instead of text',
        said: text(at(error, 'message')) || text(error),
      };
    }
    const choice = at(answer, 'choices', 0);
    const refusal = text(at(choice, 'message', 'refusal'));
    if (refusal !== '') return { ok: false, problem: 'it refused to answer', said: refusal };
    const reason = at(choice, 'finish_reason');
    if (reason === 'content_filter') return { ok: false, problem: 'its content filter blocked the answer', said: '' };
    const content = textOf(at(choice, 'message', 'content'));
    if (content === '') return { ok: false, problem: 'its answer contains no text', said: '' };
    return { ok: true, text: content, cut: reason === 'length' };
  },
};

/** People write the address with or without the version at its end. */
const withoutVersion = (address: string): string => withoutEnd(address, '/').replace(/\/v1$/, '');

export const providers: Readonly<Record<NonNullable<ServiceSpec['provider']>, Provider>> = {
  openai: {
    key: 'OPENAI_API_KEY',
    address: 'OPENAI_BASE_URL',
    defaultAddress: 'https://api.openai.com/v1',
    normal: (address) => address,
    path: '/chat/completions',
    ...chatCompletions,
  },
  anthropic: {
    key: 'ANTHROPIC_API_KEY',
    address: 'ANTHROPIC_BASE_URL',
    defaultAddress: 'https://api.anthropic.com',
    normal: (address) => withoutVersion(address),
    path: '/v1/messages',
    headers: (key) => [
      ['x-api-key', key],
      ['anthropic-version', '2023-06-01'],
    ],
    body: ({ model, system, user }) => ({ model, max_tokens: 4096, system, messages: [{ role: 'user', content: user }] }),
    read(answer) {
      const error = at(answer, 'error');
      if (error !== null && error !== undefined) {
        return { ok: false, problem: 'it answered with an error instead of text', said: text(at(error, 'message')) };
      }
      const content = textOf(at(answer, 'content'));
      const reason = at(answer, 'stop_reason');
      if (reason === 'refusal') return { ok: false, problem: 'it refused to answer', said: content };
      if (content === '') return { ok: false, problem: 'its answer contains no text', said: '' };
      return { ok: true, text: content, cut: reason === 'max_tokens' };
    },
  },
  ollama: {
    address: 'OLLAMA_HOST',
    defaultAddress: 'http://127.0.0.1:11434',
    normal(address) {
      if (/^https?:\/\//i.test(address)) return withoutVersion(address);
      // Like Ollama itself, accepts an address without a port.
      return `http://${/:\d+\/?$/.test(address) ? address : `${withoutEnd(address, '/')}:11434`}`;
    },
    path: '/v1/chat/completions',
    ...chatCompletions,
  },
};
