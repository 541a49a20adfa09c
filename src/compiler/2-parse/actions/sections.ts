// Semantic actions for the heads of sections, settings, and declarations of services.

import type { Node } from 'ohm-js';
import type { ConfigLine, HeaderLine, SectionName, ServiceLine, ServiceOptionLine } from '../line-node.js';
import { type Actions, optional, reader, tokensOf, wordsOf } from '../node-readers.js';
import { type Read, spanOf } from '../source.js';
import type { AmountOfTime, Duration, Expression, Limit, Name, NumberLiteral, Text } from '../tree.js';

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
  configLine_once(_key, _colon, valueNode, keptNode, _end) {
    const value = reader<Expression>(valueNode);
    const kept = optional<Duration>(keptNode);
    return config('once for each', (source) => ({ value: value(source), keptFor: kept?.(source) }));
  },
  keptFor: (_for, duration) => reader<Duration>(duration),
  configLine_findBy: (_key, _colon, items, _end) => config('find by', reader<Expression[]>(items)),
  configLine_keepFor: (_key, _colon, duration, _end) => config('keep for', reader<Duration>(duration)),
  configLine_workingHours: (_key, _colon, text, _end) => config('working hours', reader<Text>(text)),
  configLine_language: (_key, _colon, text, _end) => config('language', reader<Text>(text)),
  configLine_signature: (_key, _colon, text, _end) => config('signature', reader<Text>(text)),
  configLine_secret: (_key, _colon, text, _end) => config('secret', reader<Text>(text)),
  configLine_answer: (_key, _colon, _accepted, _end) => () => ({ kind: 'answer', value: 'accepted' }),
  configLine_status: (_key, _colon, number, _end) => config('status', reader<NumberLiteral>(number)),
  configLine_runs: (_key, _colon, number, _end) => config('runs', reader<NumberLiteral>(number)),
  configLine_unknown(nameNode, _colon, _value, _end) {
    const key = reader<Name>(nameNode);
    const read: Read<ConfigLine> = (source) => ({ kind: 'unknown', key: key(source) });
    return read;
  },
};

function service(kind: ServiceLine['kind'], nameNode: Node, targetNode: Node): Read<ServiceLine> {
  const name = reader<Name>(nameNode);
  const target = reader<Text>(targetNode);
  return (source) => ({ kind, name: name(source), target: target(source) });
}

/** Semantic actions for the lines of `services:`: declarations, and the options under them. */
export const serviceActions: Actions = {
  serviceLine_api: (name, _is, _a, _api, _at, text, _opening) => service('api', name, text),
  serviceLine_webhook: (name, _is, _a, _webhook, _at, text, _opening) => service('webhook', name, text),
  serviceLine_ai: (name, _is, _a, _ai, _using, text, _opening) => service('ai', name, text),
  serviceLine_plugin: (name, _is, _a, _plugin, text, _opening) => service('plugin', name, text),
  serviceLine_database: (name, _is, _a, _database, _at, text, _opening) => service('database', name, text),
  serviceLine_mail: (name, _is, _a, _mail, _at, text, _opening) => service('mail', name, text),
  serviceLine_folder: (name, _is, _a, _folder, _at, text, _opening) => service('folder', name, text),
  serviceLine_workflow: (name, _is, _a, _workflow, _at, text, _opening) => service('workflow', name, text),
  serviceLine_person(nameNode, _is, _a, _person, notifiedNode, _opening) {
    const tokens = tokensOf(this);
    const name = reader<Name>(nameNode);
    const notified = optional<Text | Name>(notifiedNode);
    const read: Read<ServiceLine> = (source) => {
      // Notifications are optional: people can also look in the console.
      const nowhere: Text = { kind: 'text', parts: [], span: spanOf(source, tokens) };
      const by = notified?.(source) ?? nowhere;
      return { kind: 'person', name: name(source), ...('parts' in by ? { target: by } : { target: nowhere, notifiedBy: by }) };
    };
    return read;
  },
  notified_at: (_words, text) => reader<Text>(text),
  notified_by: (_words, name) => reader<Name>(name),
  serviceOptionLine_headers(_with, _headers, _colon, _block) {
    const read: Read<ServiceOptionLine> = () => ({ kind: 'headers' });
    return read;
  },
  serviceOptionLine_timeout(_with, _timeout, duration, _end) {
    const value = reader<AmountOfTime>(duration);
    const read: Read<ServiceOptionLine> = (source) => ({ kind: 'timeout', value: value(source) });
    return read;
  },
  serviceOptionLine_limit(_with, _limit, number, _calls, perNode, _end) {
    const tokens = tokensOf(this);
    const count = reader<NumberLiteral>(number);
    const per = wordsOf(perNode) as Limit['per']; // the rule's alternatives
    const read: Read<ServiceOptionLine> = (source) => ({
      kind: 'limit',
      per,
      count: count(source),
      span: spanOf(source, tokens),
    });
    return read;
  },
  serviceOptionLine_certificate(_with, _words, certificateNode, _and, keyNode, _end) {
    const tokens = tokensOf(this);
    const certificate = reader<Text>(certificateNode);
    const key = reader<Text>(keyNode);
    const read: Read<ServiceOptionLine> = (source) => ({
      kind: 'certificate',
      certificate: certificate(source),
      key: key(source),
      span: spanOf(source, tokens),
    });
    return read;
  },
  serviceOptionLine_signIn(_sign, atNode, _as, idNode, _with, secretNode, scopeNode, _end) {
    const tokens = tokensOf(this);
    const at = reader<Text>(atNode);
    const id = reader<Text>(idNode);
    const secret = reader<Text>(secretNode);
    const scope = optional<Text>(scopeNode);
    const read: Read<ServiceOptionLine> = (source) => ({
      kind: 'sign in',
      at: at(source),
      id: id(source),
      secret: secret(source),
      scope: scope?.(source),
      span: spanOf(source, tokens),
    });
    return read;
  },
  scope: (_for, text) => reader<Text>(text),
  serviceOptionLine_from(_from, text, _end) {
    const value = reader<Text>(text);
    const read: Read<ServiceOptionLine> = (source) => ({ kind: 'from', value: value(source) });
    return read;
  },
  headerLine(nameNode, _colon, text, _end) {
    const name = reader<Name>(nameNode);
    const value = reader<Text>(text);
    const read: Read<HeaderLine> = (source) => ({ name: name(source), value: value(source) });
    return read;
  },
};
