// Checks the lines under a declaration: which of them apply to its kind of service, and their content.
import type { Service, Text } from '../2-parse/tree.js';
import * as catalogue from '../diagnostics/catalogue/index.js';
import type { Span } from '../diagnostics/diagnostic.js';
import type { Checker } from './checker.js';
import { checkHeaderName } from './header-checks.js';
import { kindNames } from './service-kinds.js';
import { checkTemplate } from './template-check.js';

export function checkServiceOptions(checker: Checker, service: Service): void {
  const { kind, name, headers, headersSpan, clientCertificate, signIn, from } = service;
  const isHttp = kind === 'api' || kind === 'webhook';
  const ignore = (span: Span | undefined, what: string): void => {
    if (span !== undefined) checker.report(catalogue.ignoredOption(span, what, kindNames[kind]));
  };
  if (!isHttp) {
    ignore(headersSpan, 'Headers');
    ignore(clientCertificate?.span, 'Client certificates');
  }
  if (kind !== 'api') ignore(signIn?.span, 'Sign-ins');
  if (kind !== 'mail') ignore(from?.span, 'Senders');
  const seen = new Set<string>();
  for (const header of headers) {
    checkHeaderName(checker, header.name, seen, isHttp);
    checkTemplate(checker, header.value);
  }
  for (const text of [
    clientCertificate?.certificate,
    clientCertificate?.key,
    signIn?.at,
    signIn?.id,
    signIn?.secret,
    signIn?.scope,
  ])
    if (text !== undefined) checkTemplate(checker, text);
  if (kind === 'mail' && from === undefined && service.hasUnread !== true)
    checker.report(catalogue.missingSender(service.span, name.text));
  if (from !== undefined) checkSender(checker, from);
  if (signIn !== undefined) checkTokenAddress(checker, signIn.at);
}

/** Values from the environment are checked when a message is sent. */
function checkSender(checker: Checker, from: Text): void {
  if (!checkTemplate(checker, from) || from.parts.length !== 1 || typeof from.parts[0] !== 'string') return;
  if (!isSender(from.parts[0].trim())) checker.report(catalogue.badSender(from.span));
}

/** `shop@example.org`, or with a name: `Shop <shop@example.org>`. */
function isSender(text: string): boolean {
  const [local = '', host = '', ...more] = text.split('@');
  const [name = '', address = name, ...others] = local.split('<');
  if (more.length > 0 || others.length > 0 || !/^[^>,;]*$/.test(name)) return false;
  return (
    /^[^\s<>,;]+>?$/.test(host) && /^[^<>,;]*$/.test(address) && /\S$/.test(address) && (address === name || !/\s/.test(address))
  );
}

function checkTokenAddress(checker: Checker, { parts, span }: Text): void {
  const [first = ''] = parts;
  if (typeof first === 'string' && !/^https?:\/\//i.test(first)) checker.report(catalogue.badAddress(span));
}
