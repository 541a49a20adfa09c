// What each provider of AIs is sent, and where its answer has the text. Its own file, because this is all in which they differ; a further
// provider is a further entry.
import type { ServiceSpec, Value } from '../types.js';

export interface Prompt {
  readonly model: string;
  /** How the answer is to be written. */
  readonly system: string;
  /** The instruction and its context. */
  readonly user: string;
}

/** The text of an answer, or why there is none: no word of the provider's own, that goes to the log. */
export type Reply =
  | { readonly ok: true; readonly text: string; readonly cut: boolean }
  | { readonly ok: false; readonly problem: string; readonly said: string };

export interface Provider {
  /** Variable that holds the key; none where there are no keys. */
  readonly key?: string;
  /** Variable that points to another address. */
  readonly address: string;
  readonly defaultAddress: string;
  /** The address that the variable's text means, where people write it in several ways. */
  normal(address: string): string;
  readonly path: string;
  headers(key: string): readonly (readonly [name: string, value: string])[];
  body(prompt: Prompt): Value;
  read(answer: Value): Reply;
}

/** Walks along own fields and items; `undefined` where there is nothing. */
function at(value: Value, ...keys: (string | number)[]): Value {
  let current = value;
  for (const key of keys) {
    if (typeof current !== 'object' || current === null || !Object.hasOwn(current, key)) return undefined;
    current = Array.isArray(current) ? current[Number(key)] : current[key];
  }
  return current;
}

const text = (value: Value): string => (typeof value === 'string' ? value : '');

/** The parts of kind `text` in a list of parts, or a text itself. */
function textOf(content: Value): string {
  if (!Array.isArray(content)) return text(content);
  return content.map((part) => text(at(part, 'text'))).join('');
}

/** Any JSON value. Lists and records are left open, which the strict mode of structured answers does not know; hence it is not asked for. */
const scalars: Value[] = [{ type: 'string' }, { type: 'number' }, { type: 'boolean' }, { type: 'null' }];
const anyValue: Value = {
  anyOf: [...scalars, { type: 'array', items: { anyOf: [...scalars, { type: 'object' }] } }, { type: 'object' }],
};

const answerSchema: Value = {
  type: 'object',
  properties: { result: anyValue, confidence: { type: 'number', description: 'From 0, a guess, to 1, certain.' } },
  required: ['result', 'confidence'],
  additionalProperties: false,
};

/** OpenAI's chat completions, which many others speak as well. */
const chatCompletions = {
  headers: (key: string) => (key === '' ? [] : [['Authorization', `Bearer ${key}`] as const]),
  body: ({ model, system, user }: Prompt): Value => ({
    model,
    messages: [
      { role: 'system', content: system },
      { role: 'user', content: user },
    ],
    response_format: { type: 'json_schema', json_schema: { name: 'answer', strict: false, schema: answerSchema } },
  }),
  read(answer: Value): Reply {
    const error = at(answer, 'error');
    if (error !== null && error !== undefined) {
      return {
        ok: false,
        problem: 'it answered with an error instead of a text',
        said: text(at(error, 'message')) || text(error),
      };
    }
    const choice = at(answer, 'choices', 0);
    const refusal = text(at(choice, 'message', 'refusal'));
    if (refusal !== '') return { ok: false, problem: 'it refused to answer', said: refusal };
    const reason = at(choice, 'finish_reason');
    if (reason === 'content_filter') return { ok: false, problem: 'its content filter held the answer back', said: '' };
    const content = textOf(at(choice, 'message', 'content'));
    if (content === '') return { ok: false, problem: 'its answer holds no text', said: '' };
    return { ok: true, text: content, cut: reason === 'length' };
  },
};

const withoutEnd = (address: string, end: RegExp): string => address.replace(/\/+$/, '').replace(end, '');

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
    normal: (address) => withoutEnd(address, /\/v1$/),
    path: '/v1/messages',
    headers: (key) => [
      ['x-api-key', key],
      ['anthropic-version', '2023-06-01'],
    ],
    body: ({ model, system, user }) => ({ model, max_tokens: 4096, system, messages: [{ role: 'user', content: user }] }),
    read(answer) {
      const error = at(answer, 'error');
      if (error !== null && error !== undefined) {
        return { ok: false, problem: 'it answered with an error instead of a text', said: text(at(error, 'message')) };
      }
      const content = textOf(at(answer, 'content'));
      const reason = at(answer, 'stop_reason');
      if (reason === 'refusal') return { ok: false, problem: 'it refused to answer', said: content };
      if (content === '') return { ok: false, problem: 'its answer holds no text', said: '' };
      return { ok: true, text: content, cut: reason === 'max_tokens' };
    },
  },
  ollama: {
    address: 'OLLAMA_HOST',
    defaultAddress: 'http://127.0.0.1:11434',
    normal(address) {
      if (/^https?:\/\//i.test(address)) return withoutEnd(address, /\/v1$/);
      // As Ollama itself reads it: the port may be left out.
      return `http://${/:\d+\/?$/.test(address) ? address : `${address.replace(/\/+$/, '')}:11434`}`;
    },
    path: '/v1/chat/completions',
    ...chatCompletions,
  },
};
