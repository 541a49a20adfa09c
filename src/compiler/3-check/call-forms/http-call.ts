// Checks a call of an API or a webhook.
import { type Method, methodOf } from '../../../../runtime/services/verbs.js';
import type { Call, Service } from '../../2-parse/tree.js';
import * as catalogue from '../../diagnostics/catalogue/index.js';
import type { Checker } from '../checker.js';
import { checkHeaderName } from '../header-checks.js';
import { isFiller, likelyVerb } from '../unlikely-verb.js';
import { refuseSqlParts } from './refused-parts.js';

const methods: readonly Method[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

export function checkHttpCall(checker: Checker, call: Call, service: Service): void {
  refuseSqlParts(checker, call, service);
  if (service.kind === 'webhook' && call.at !== undefined)
    checker.report(catalogue.pathOnWebhook(call.at.span, service.name.text));
  const seen = new Set<string>();
  for (const { name } of call.headers) checkHeaderName(checker, name, seen);
  checkBody(checker, call, checkMethod(checker, call, service));
}

/** The method of the call; `undefined` if unknown. */
function checkMethod(checker: Checker, { phrase, sentAs, span }: Call, { kind }: Service): Method | undefined {
  if (sentAs === undefined) {
    const [verb = '', next] = phrase;
    const start = { start: span.start, end: span.start + verb.length };
    if (next !== undefined && isFiller(verb)) checker.report(catalogue.fillerAsVerb(start, verb, next));
    const meant = kind === 'api' ? likelyVerb(verb) : undefined;
    if (meant !== undefined) checker.report(catalogue.unlikelyVerb(start, verb, meant));
    return methodOf(kind, verb);
  }
  const method = methods.find((known) => known === sentAs.text);
  if (kind === 'webhook') checker.report(catalogue.methodOfWebhook(sentAs.span));
  else if (method === undefined)
    checker.report(catalogue.unknownMethod(sentAs.span, sentAs.text, checker.closest(sentAs.text, methods)));
  return method;
}

function checkBody(checker: Checker, { body, pairs }: Call, method: Method | undefined): void {
  if (body === undefined) return;
  if (pairs.length > 0) checker.report(catalogue.bodyWithPairs(body.span));
  else if (method === 'GET') checker.report(catalogue.bodyOfGet(body.span));
}
