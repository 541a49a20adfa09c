// Semantic actions for the heads of sections and for settings.
import type { ConfigLine, SectionName } from './line-node.js';
import { optional, reader, wordsOf } from './node-readers.js';
import type { Read } from './source.js';
import type { Actions } from './syntax-node.js';
import type { Duration, Expression, Name, NumberLiteral, Text } from './tree.js';

const config =
  <T>(kind: ConfigLine['kind'], value: Read<T>) =>
  (source: Parameters<Read<T>>[0]) => ({ kind, value: value(source) });

export const sectionActions: Actions = {
  sectionLine(word, _colon, _opening) {
    const section = wordsOf(word) as SectionName; // the rule's alternatives are the sections
    return () => section;
  },
  configLine_name: (_key, _colon, text, _end) => config('name', reader<Text>(text)),
  configLine_description: (_key, _colon, text, _end) => config('description', reader<Text>(text)),
  configLine_version: (_key, _colon, number, _end) => config('version', reader<NumberLiteral>(number)),
  configLine_timeout: (_key, _colon, duration, _end) => config('timeout', reader<Duration>(duration)),
  configLine_timezone: (_key, _colon, text, _end) => config('timezone', reader<Text>(text)),
  configLine_schedule: (_key, _colon, text, _end) => config('schedule', reader<Text>(text)),
  configLine_holidays(_key, _colon, _open, list, _close, _end) {
    const items = optional<Expression[]>(list);
    return config('holidays', (source) => items?.(source) ?? []);
  },
  configLine_unknown(nameNode, _colon, _value, _end) {
    const key = reader<Name>(nameNode);
    const read: Read<ConfigLine> = (source) => ({ kind: 'unknown', key: key(source) });
    return read;
  },
};
