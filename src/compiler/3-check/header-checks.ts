// Checks the name of a header: of a service, or of one call.
import type { Name } from '../2-parse/tree.js';
import * as catalogue from '../diagnostics/catalogue/index.js';
import type { Checker } from './checker.js';
import { meantHeader } from './header-names.js';

/** What an HTTP header's name may consist of (RFC 9110, token). */
const HEADER_NAME = /^[\w!#$%&'*+.^`|~-]+$/;

/** @param seen names in lower case of the headers before it; this one is added */
export function checkHeaderName(checker: Checker, name: Name, seen: Set<string>, isSent = true): void {
  if (seen.has(name.text.toLowerCase())) checker.report(catalogue.headerTwice(name.span, name.text));
  seen.add(name.text.toLowerCase());
  const meant = isSent ? meantHeader(name.text) : undefined;
  if (!HEADER_NAME.test(name.text)) checker.report(catalogue.badHeaderName(name.span, name.text, meant));
  else if (meant !== undefined) checker.report(catalogue.unusualHeader(name.span, name.text, meant));
}
