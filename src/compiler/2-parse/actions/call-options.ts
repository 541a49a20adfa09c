// Semantic actions for the lines under a call: what is saved, how it is sent, what happens on failure.

import type { Node } from 'ohm-js';
import type { CallOptionLine } from '../line-node.js';
import { type Actions, reader, tokensOf } from '../node-readers.js';
import { type Read, spanOf, type Tokens } from '../source.js';
import type { AmountOfTime, CallHeader, Expression, Name, Saved } from '../tree.js';

function save(what: Saved, node: Node, tokens: Tokens): Read<CallOptionLine> {
  const name = reader<Name>(node);
  return (source) => ({ kind: 'save', what, name: name(source), span: spanOf(source, tokens) });
}

export const callOptionActions: Actions = {
  callOptionLine_result(_save, name, _end) {
    return save('result', name, tokensOf(this));
  },
  callOptionLine_status(_save, name, _end) {
    return save('status', name, tokensOf(this));
  },
  callOptionLine_headers(_save, name, _end) {
    return save('response headers', name, tokensOf(this));
  },
  callOptionLine_confidence(_save, name, _end) {
    return save('confidence', name, tokensOf(this));
  },
  callOptionLine_comment(_save, name, _end) {
    return save('comment', name, tokensOf(this));
  },
  callOptionLine_person(_save, name, _end) {
    return save('person', name, tokensOf(this));
  },
  callOptionLine_addressed(_words, valueNode, _end) {
    const tokens = tokensOf(this);
    const value = reader<Expression>(valueNode);
    const read: Read<CallOptionLine> = (source) => ({ kind: 'addressed', value: value(source), span: spanOf(source, tokens) });
    return read;
  },
  callOptionLine_choices(_words, itemsNode, _end) {
    const tokens = tokensOf(this);
    const items = reader<Expression[]>(itemsNode);
    const read: Read<CallOptionLine> = (source) => ({ kind: 'choices', items: items(source), span: spanOf(source, tokens) });
    return read;
  },
  callOptionLine_within(_within, durationNode, _end) {
    const duration = reader<AmountOfTime>(durationNode);
    const read: Read<CallOptionLine> = (source) => ({ kind: 'within', duration: duration(source) });
    return read;
  },
  callOptionLine_remind(_words, durationNode, _end) {
    const duration = reader<AmountOfTime>(durationNode);
    const read: Read<CallOptionLine> = (source) => ({ kind: 'remind', duration: duration(source) });
    return read;
  },
  callOptionLine_timeout(_with, _timeout, durationNode, _end) {
    const duration = reader<AmountOfTime>(durationNode);
    const read: Read<CallOptionLine> = (source) => ({ kind: 'timeout', duration: duration(source) });
    return read;
  },
  callOptionLine_onSuccess(_on, _success, _colon, _block) {
    const read: Read<CallOptionLine> = () => ({ kind: 'on success' });
    return read;
  },
  callOptionLine_callHeaders(_with, _headers, _colon, _block) {
    const read: Read<CallOptionLine> = () => ({ kind: 'headers' });
    return read;
  },
  callHeaderLine(nameNode, _colon, valueNode, _end) {
    const name = reader<Name>(nameNode);
    const value = reader<Expression>(valueNode);
    const read: Read<CallHeader> = (source) => ({ name: name(source), value: value(source) });
    return read;
  },
  callOptionLine_body(_send, valueNode, _as, _end) {
    const tokens = tokensOf(this);
    const value = reader<Expression>(valueNode);
    const read: Read<CallOptionLine> = (source) => ({ kind: 'body', value: value(source), span: spanOf(source, tokens) });
    return read;
  },
  callOptionLine_sentAs(_sent, nameNode, _end) {
    const method = reader<Name>(nameNode);
    const read: Read<CallOptionLine> = (source) => ({ kind: 'sent as', method: method(source) });
    return read;
  },
  callOptionLine_atMostOnce(_words, _end) {
    const read: Read<CallOptionLine> = () => ({ kind: 'at most once' });
    return read;
  },
  callOptionLine_onFailure(_on, _failure, _colon, _block) {
    const read: Read<CallOptionLine> = () => ({ kind: 'on failure' });
    return read;
  },
};
