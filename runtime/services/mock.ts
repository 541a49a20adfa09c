// The default mock answers. The same call gets the same answer every time.
import type { MockAnswer, MockCall, Mocks, Value, WfRecord } from '../types.js';
import { record } from '../values/record.js';
import { show } from '../values/values.js';
import type { ConnectorKind } from './service-types.js';
import { databaseForms, fileEnding, folderForms, statementWish } from './verbs.js';

/** The confidence of a mock AI. */
export const mockConfidence = 0.85;

/** Default answers depend only on the kind of service and on the call. */
export function standardMocks(): Mocks {
  return { answer: standardAnswer };
}

export function standardAnswer(call: MockCall): MockAnswer {
  switch (call.service.kind) {
    case 'ai':
      return { ...succeeded(call.choices?.[0] ?? `mock answer to: ${call.instruction ?? ''}`), confidence: mockConfidence };
    case 'person':
      return succeeded(call.choices?.[0] ?? `mock answer to: ${call.instruction ?? ''}`);
    case 'webhook':
      return succeeded({ ok: true });
    case 'database':
    case 'mail':
    case 'folder':
      return succeeded(connectedAnswers[call.service.kind](call));
    case 'api':
    case 'plugin':
    case 'workflow':
      return succeeded(asksForSeveral(call) ? [echo(call, 1), echo(call, 2)] : echo(call, 1));
  }
}

export function succeeded(
  value: Value,
  status = 200,
  headers: WfRecord = { 'content-type': 'application/json' },
): Extract<MockAnswer, { ok: true }> {
  return { ok: true, value, status, headers };
}

/** Returns what was sent, keeping its `id` and `status` if it has them. */
function echo(call: MockCall, number: number): WfRecord {
  return record([
    ['id', idOf(call, number)],
    ['status', 'ok'],
    ...Object.entries(call.parameters),
    ...Object.entries(call.where ?? {}),
    ['mock', true],
  ]);
}

const severalVerbs: ReadonlySet<string> = new Set(['list', 'find', 'search']);
const wordsAfterTheThing = /^(of|by|for|in|with|from|on|at|to|about|that|where|which|whose)$/i;
const irregularPlurals: ReadonlySet<string> = new Set(['people', 'children', 'men', 'women', 'data', 'news', 'feet', 'mice']);

/** `list open orders of customer`: the thing it asks for, the last word before `of`, is a plural. */
function asksForSeveral({ verb, description }: MockCall): boolean {
  if (!severalVerbs.has(verb.toLowerCase())) return false;
  const words = description.split(/\s+/);
  const end = words.findIndex((word) => wordsAfterTheThing.test(word));
  const thing = (end < 0 ? words : words.slice(0, end)).pop()?.toLowerCase() ?? '';
  return irregularPlurals.has(thing) || (/s$/.test(thing) && !/(ss|us|is)$/.test(thing));
}

/** FNV-1a of the call, 32 bits: not secret, only reproducible. */
function idOf(call: MockCall, number: number): string {
  const { verb, description, path = '', service, parameters } = call;
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from([service.kind, verb, description, path, show(parameters), number].join('\n'))) {
    hash = Math.imul(hash ^ byte, 0x01000193);
  }
  return `mock-${(hash >>> 0).toString(16).padStart(8, '0')}`;
}

/** Rows that a mock changes, deletes or counts. */
const mockCount = 1;
const mockRows = 2;

const connectedAnswers: Readonly<Record<ConnectorKind, (call: MockCall) => Value>> = {
  database: ofDatabase,
  mail: (call) => ({ id: String(echo(call, 1).id), recipients: 1, mock: true }),
  folder: ofFolder,
};

function ofDatabase(call: MockCall): Value {
  const { verb, statement } = call;
  const wish = statement === undefined ? databaseForms.get(verb.toLowerCase())?.wish : statementWish(verb);
  if (wish === 'rows') return [echo(call, 1), echo(call, 2)];
  if (wish === 'record') return echo(call, 1);
  return databaseForms.get(verb.toLowerCase())?.does === 'count' ? mockRows : mockCount;
}

function ofFolder(call: MockCall): Value {
  const { verb, path = '' } = call;
  const name = path.slice(path.lastIndexOf('/') + 1);
  switch (folderForms.get(verb.toLowerCase())) {
    case 'list':
      return [1, 2].map((number) =>
        record([
          ['name', `mock-${number}.csv`],
          ['size', 0],
          ['mock', true],
        ]),
      );
    case 'read': {
      const ending = fileEnding(name);
      if (ending === 'txt') return `mock text of ${name}`;
      return ending === 'json' ? echo(call, 1) : [echo(call, 1), echo(call, 2)];
    }
    default:
      return record([
        ['name', name],
        ['mock', true],
      ]);
  }
}
