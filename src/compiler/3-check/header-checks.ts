// Checks the name of a header: of a service, or of one call.
import type { Name } from '../2-parse/tree.js';
import * as catalogue from '../diagnostics/catalogue/index.js';
import { boundedDistance } from '../diagnostics/edit-distance.js';
import type { Checker } from './checker.js';

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
const LEAST_LENGTH = 6;

/** The common header that `name` misspells by one or two letters; `undefined` if `name` is common itself, or unlike any. */
function meantHeader(name: string): string | undefined {
  const folded = name.toLowerCase().replace(/[ _]/g, '-');
  if (folded.length < LEAST_LENGTH) return undefined;
  const same = usual.find((header) => header.toLowerCase() === folded);
  if (same !== undefined) return same.toLowerCase() === name.toLowerCase() ? undefined : same;
  const most = folded.length < 10 ? 1 : 2;
  return usual.find((header) => boundedDistance(folded, header.toLowerCase(), most) <= most);
}
