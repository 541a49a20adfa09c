// Checks a call of a mail server: it sends, and its pairs are the parts of a message.
import { methodOf } from '../../../../runtime/services/verbs.js';
import type { Call, Service } from '../../2-parse/tree.js';
import * as catalogue from '../../diagnostics/catalogue/index.js';
import type { Checker } from '../checker.js';
import { kindNames } from '../service-kinds.js';
import { refuseSending, refuseSqlParts } from './refused-parts.js';

/** The parts of a message. */
const mailKeys = ['to', 'cc', 'bcc', 'reply-to', 'subject', 'text', 'html', 'attachments'];
const example = 'send receipt using Post with to request.email and subject "Your order" and text letter';

export function checkMailCall(checker: Checker, call: Call, service: Service): void {
  const { at, pairs, phrase, span } = call;
  const [verb = ''] = phrase;
  refuseSqlParts(checker, call, service);
  refuseSending(checker, call, service);
  if (methodOf('api', verb) !== 'POST')
    checker.report(catalogue.notSending({ start: span.start, end: span.start + verb.length }, verb));
  if (at !== undefined) checker.report(catalogue.partNotForKind(at.span, 'at', service.name.text, kindNames.mail));
  for (const { key } of pairs) {
    if (mailKeys.includes(key.text)) continue;
    checker.report(catalogue.unknownPair(key.span, key.text, kindNames.mail, mailKeys, checker.closest(key.text, mailKeys)));
  }
  if (!pairs.some(({ key }) => key.text === 'to') && !pairs.some(({ key }) => checker.closest(key.text, mailKeys) === 'to'))
    checker.report(catalogue.missingPair(span, 'to', 'A message', example));
}
