// `${name}` and `{{name}}`: other languages insert values like this. Here, the sign or the inner braces stay in the text.
import type { Reference, Text } from '../2-parse/tree.js';
import * as catalogue from '../diagnostics/catalogue/index.js';
import { pathAsWritten } from '../vocabulary/field-names.js';
import type { Checker } from './checker.js';

/** A name in double braces. */
const DOUBLED = /(?<!\{)\$?\{\{\s*([^\s{}"]{1,100})\s*\}\}(?!\})/g;

export function checkForeignBraces(checker: Checker, { parts, span, isFaulty }: Text): void {
  if (isFaulty === true) return;
  for (const [index, part] of parts.entries()) {
    const before = parts[index - 1];
    if (typeof part === 'string' || typeof before !== 'string' || !before.endsWith('$') || mayBePrice(checker, part)) continue;
    const at = { start: part.span.start - 2, end: part.span.end + 1 };
    const written = checker.text.slice(at.start, at.end);
    if (written.startsWith('${') && written.endsWith('}')) checker.report(catalogue.dollarBraces(at, written.slice(1)));
  }
  const written = checker.text.slice(span.start, span.end);
  checkPlaceholders(checker, written, span.start);
  if (!written.includes('{{')) return;
  const inserted = new Set(parts.flatMap((part) => (typeof part === 'string' ? [] : [pathAsWritten(part)])));
  for (const { 0: all, 1: name = '', index } of written.matchAll(DOUBLED)) {
    // Who also inserts it knows the difference.
    if (inserted.has(name) || !isKnown(checker, name)) continue;
    const start = span.start + index;
    checker.report(catalogue.doubleBraces({ start, end: start + all.length }, name));
  }
}

/** A segment of a path that other tools fill in: `:id`, `[id]`, `<id>`, `$id`; and a name without braces. */
const SEGMENT =
  /(?<=\/)(?::([A-Za-z_][\w.-]{0,60})|[[<]([A-Za-z_][\w.-]{0,60})[\]>]|\$([A-Za-z_][\w.-]{0,60})|(request\.[\w.-]{1,60}))(?=\/|\?|"|$)/g;
/** A known value in brackets, in any text. */
const BRACKETS = /[[<%](request\.[\w.-]{1,60})[\]>%]/g;

/** A text that is a known value's name, and such a name in what a person or an AI is asked. */
const NAME_ALONE = /^"(request\.[\w.-]{1,60})"$/g;
const NAME_ASKED = /(?<![\w.{[<%-])request\.[\w.-]{0,60}\w(?![\w}])/g;

/** `"/customers/:number"`, `"Dear [request.name]"`, `"request.name"` */
function checkPlaceholders(checker: Checker, written: string, start: number): void {
  const isPath = /^"\/[^\s]*"$/.test(written);
  const bare = written.startsWith('"') ? NAME_ALONE : NAME_ASKED;
  const found = isPath ? written.matchAll(SEGMENT) : [...written.matchAll(BRACKETS), ...written.matchAll(bare)];
  for (const { 0: all, index, ...groups } of found) {
    const name = groups[1] ?? groups[2] ?? groups[3] ?? groups[4] ?? all;
    const inserted = [name, `request.${name}`].find((one) => isKnown(checker, one) && isDeclared(checker, one));
    if (!isPath && inserted === undefined) continue;
    const isAlone = all === `"${name}"`;
    checker.report(
      catalogue.placeholder(
        { start: start + index, end: start + index + all.length },
        isAlone ? all : `"${all}"`,
        inserted && (isAlone ? inserted : `{${inserted}}`),
      ),
    );
  }
}

/** Whether a field of the request can exist. */
function isDeclared({ scope }: Checker, name: string): boolean {
  const [root, field = ''] = name.split('.', 2);
  const request = root === 'request' ? scope.request : undefined;
  return request?.is !== 'record' || request.fields === undefined || request.fields.has(field);
}

/** `${total}` is a total in dollars. */
function mayBePrice(checker: Checker, reference: Reference): boolean {
  if (reference.root === 'env') return false;
  const { is } = checker.kindOf(reference);
  return is === 'number' || is === 'unknown' || is === 'empty';
}

function isKnown({ scope }: Checker, name: string): boolean {
  const [root = '', field] = name.split('.', 2);
  return root === 'request' || root === 'env' ? field !== undefined && field !== '' : scope.look(root) !== undefined;
}
