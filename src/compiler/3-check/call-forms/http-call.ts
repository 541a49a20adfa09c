// Checks a call of an API or a webhook, and the names of headers, of a service or of one call.
import type { Method } from '../../../../runtime/services/service-types.js';
import { methodOf, verbs } from '../../../../runtime/services/verbs.js';
import type { Call, Name, Service } from '../../2-parse/tree.js';
import * as catalogue from '../../diagnostics/catalogue/index.js';
import { boundedDistance } from '../../diagnostics/edit-distance.js';
import type { Checker } from '../checker.js';
import { refuseSqlParts } from '../service-kinds.js';

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

const known: readonly string[] = Object.values(verbs).flat();

/** Verbs one letter away from a word in the table, with a different meaning. */
const others: ReadonlySet<string> = new Set(
  'batch bread catch chance charge chuck codify court deplete hatch latch match mount ready relieve remote tread watch'.split(
    ' ',
  ),
);

/** Synonyms of words in the table. */
const everyday: Readonly<Record<string, string>> = {
  grab: 'get',
  obtain: 'get',
  view: 'get',
  show: 'get',
  see: 'get',
  display: 'get',
  download: 'get',
  lookup: 'find',
  erase: 'delete',
  destroy: 'delete',
  drop: 'delete',
  discard: 'delete',
  overwrite: 'replace',
  amend: 'update',
  alter: 'update',
  adjust: 'update',
};

const fillers: ReadonlySet<string> = new Set(
  'please kindly just then also now next first finally lastly afterwards and so'.split(' '),
);

/** Whether a sentence can begin with this word, but an instruction doesn't. */
const isFiller = (word: string): boolean => fillers.has(word.toLowerCase());

/** Shorter words are too similar to each other: `poll` was not meant as `pull`. */
const LEAST_LENGTH = 5;
/** From here on, a word with two mistakes still resembles no other. */
const LONG = 8;

/** The word in the table that `word` was most likely meant to be; `undefined` if it is one itself, or resembles none. */
function likelyVerb(word: string): string | undefined {
  const written = word.toLowerCase();
  if (methodOf('api', written) !== 'POST' || others.has(written)) return undefined;
  if (Object.hasOwn(everyday, written)) return everyday[written];
  return known.find((verb) => written === `${verb}s` || written === `${verb}es` || isSlipOf(verb, written));
}

function isSlipOf(verb: string, written: string): boolean {
  if (Math.max(verb.length, written.length) < LEAST_LENGTH) return isSwapped(verb, written);
  if (Math.min(verb.length, written.length) < LEAST_LENGTH - 1) return false;
  const most = verb.length >= LONG ? 2 : 1;
  return boundedDistance(written, verb, most) <= most;
}

/** Whether two neighbouring letters are swapped: `gte`, `lsit`. */
const isSwapped = (verb: string, written: string): boolean =>
  verb.length > 2 && [...verb].sort().join('') === [...written].sort().join('') && boundedDistance(written, verb, 1) <= 1;

/** Allowed characters of an HTTP header name (RFC 9110, token). */
const HEADER_NAME = /^[\w!#$%&'*+.^`|~-]+$/;

/** @param seen lower-case names of the headers before it; adds this one */
export function checkHeaderName(checker: Checker, name: Name, seen: Set<string>, isSent = true): void {
  if (seen.has(name.text.toLowerCase())) checker.report(catalogue.headerTwice(name.span, name.text));
  seen.add(name.text.toLowerCase());
  const meant = isSent ? meantHeader(name.text) : undefined;
  if (!HEADER_NAME.test(name.text)) checker.report(catalogue.badHeaderName(name.span, name.text, meant));
  else if (meant !== undefined) checker.report(catalogue.unusualHeader(name.span, name.text, meant));
}

const usual = [
  'Accept',
  'Accept-Charset',
  'Accept-Encoding',
  'Accept-Language',
  'Api-Key',
  'Authorization',
  'Cache-Control',
  'Content-Language',
  'Content-Type',
  'Cookie',
  'Idempotency-Key',
  'If-Match',
  'If-Modified-Since',
  'If-None-Match',
  'Origin',
  'Prefer',
  'Proxy-Authorization',
  'Referer',
  'User-Agent',
  'X-Api-Key',
  'X-Auth-Token',
  'X-Request-Id',
] as const;

/** Shorter names are too similar to each other. */
const SHORTEST_NAME = 6;

/** The common header that `name` misspells by one or two letters; `undefined` if `name` is common itself, or unlike any. */
function meantHeader(name: string): string | undefined {
  const folded = name.toLowerCase().replace(/[ _]/g, '-');
  if (folded.length < SHORTEST_NAME) return undefined;
  const same = usual.find((header) => header.toLowerCase() === folded);
  if (same !== undefined) return same.toLowerCase() === name.toLowerCase() ? undefined : same;
  const most = folded.length < 10 ? 1 : 2;
  return usual.find((header) => boundedDistance(folded, header.toLowerCase(), most) <= most);
}
