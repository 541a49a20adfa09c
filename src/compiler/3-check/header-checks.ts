// Checks the name of a header: of a service, or of one call.
import type { Name } from '../2-parse/tree.js';
import * as catalogue from '../diagnostics/catalogue/index.js';
import type { Checker } from './checker.js';
import { meantHeader } from './header-names.js';

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
