// Checks calls of databases, folders and mail servers.
import type { FolderTask } from '../../../../runtime/services/connector-types.js';
import { databaseForms, fileEnding, folderForms, methodOf } from '../../../../runtime/services/verbs.js';
import type { Call, Reference, Service, Text } from '../../2-parse/tree.js';
import * as catalogue from '../../diagnostics/catalogue/index.js';
import { pathAsWritten } from '../../vocabulary/field-names.js';
import type { Checker } from '../checker.js';
import { kindNames, refuseSending, refuseSqlParts, spanOfPairs } from '../service-kinds.js';

export function checkDatabaseCall(checker: Checker, call: Call, service: Service): void {
  refuseSending(checker, call, service);
  if (call.running !== undefined) checkStatement(checker, call, call.running);
  else if (call.at === undefined || isEmpty(call.at)) checker.report(catalogue.missingTable(call.span, service.name.text));
  else checkTable(checker, call, service);
}

const isEmpty = ({ parts }: Text): boolean => parts.every((part) => typeof part === 'string' && part.trim() === '');

function checkStatement(checker: Checker, { at, pairs, where }: Call, running: Text): void {
  if (isEmpty(running)) checker.report(catalogue.emptyStatement(running.span));
  if (at !== undefined) checker.report(catalogue.tableAndStatement(running.span));
  for (const [part, given] of [
    ['with', pairs],
    ['where', where],
  ] as const) {
    const span = spanOfPairs(given);
    if (span !== undefined) checker.report(catalogue.pairsBesideStatement(span, part));
  }
  // The others are wrong because of the same quote.
  const [first] = valuesInQuotes(running);
  if (first !== undefined) checker.report(catalogue.valueInQuotes(first.span, pathAsWritten(first)));
}

function checkTable(checker: Checker, { phrase, span, pairs, where }: Call, service: Service): void {
  const [verb = ''] = phrase;
  const form = databaseForms.get(verb.toLowerCase());
  const start = { start: span.start, end: span.start + verb.length };
  if (form === undefined) {
    const near = checker.closest(verb, [...databaseForms.keys()]);
    checker.report(catalogue.unknownVerbOfDatabase(start, verb, service.name.text, near));
    return;
  }
  const whereSpan = spanOfPairs(where);
  if (form.does === 'insert' && whereSpan !== undefined) checker.report(catalogue.whereOnInsert(whereSpan, verb));
  if (form.does === 'update' && pairs.length === 0) checker.report(catalogue.missingColumns(span));
  else if (form.does === 'update' && where.length === 0)
    checker.report(catalogue.missingWhere(span, verb, 'change every row of the table'));
  if (form.does !== 'delete' || where.length > 0) return;
  const [before = '', after] = checker.text.slice(span.start, span.end).split(/ with (.*)/);
  const correct = after === undefined || pairs.length === 0 ? undefined : `${before} where ${after}`;
  checker.report(catalogue.missingWhere(span, verb, 'delete every row of the table', correct));
}

/** The start of a stretch without values → its end. PostgreSQL's `$tag$` ends with itself. */
const opening = /'|"|`|--|\/\*|\$[A-Za-z_]*\$/g;

const endOf = (open: string): string => (open === '--' ? '\n' : open === '/*' ? '*/' : open);

/** A doubled quote ends one text and starts the next, with the same effect. */
function valuesInQuotes({ parts }: Text): Reference[] {
  const found: Reference[] = [];
  let open: string | undefined;
  for (const part of parts) {
    if (typeof part !== 'string') {
      if (open !== undefined) found.push(part);
      continue;
    }
    let at = 0;
    while (at < part.length) {
      if (open !== undefined) {
        const end = part.indexOf(endOf(open), at);
        if (end === -1) break;
        at = end + endOf(open).length;
        open = undefined;
        continue;
      }
      opening.lastIndex = at;
      const next = opening.exec(part);
      if (next === null) break;
      [open] = next;
      at = next.index + open.length;
    }
  }
  return found;
}

/** Checks a call of a folder: the first word says what to do, the file extension the format. */
export function checkFolderCall(checker: Checker, call: Call, service: Service): void {
  const { at, phrase, span } = call;
  const [verb = ''] = phrase;
  refuseSqlParts(checker, call, service);
  refuseSending(checker, call, service);
  const does = folderForms.get(verb.toLowerCase());
  if (does === undefined) {
    const start = { start: span.start, end: span.start + verb.length };
    const words = ['get', 'list', 'save', 'add', 'delete'];
    checker.report(catalogue.unknownVerb(start, verb, kindNames.folder, words, checker.closest(verb, [...folderForms.keys()])));
    return;
  }
  const ignored = does === 'write' || does === 'append' ? undefined : spanOfPairs(call.pairs);
  if (ignored !== undefined) checker.report(catalogue.pairsWithoutUse(ignored, verb));
  if (at === undefined) {
    if (does !== 'list') checker.report(catalogue.missingFile(span, service.name.text));
    return;
  }
  if (leadsOut(at)) checker.report(catalogue.outsideOfFolder(at.span));
  if (does === 'read' || does === 'write' || does === 'append') checkContent(checker, call, at, does);
}

/** Whether the path leads out of the folder, whatever its values are. */
function leadsOut({ parts }: Text): boolean {
  const text = parts.map((part) => (typeof part === 'string' ? part : 'x')).join('');
  return /^([\\/]|[A-Za-z]:)/.test(text) || text.split(/[\\/]/).includes('..');
}

function checkContent(
  checker: Checker,
  { pairs, span, service: { text: service } }: Call,
  at: Text,
  does: FolderTask['does'],
): void {
  const last = at.parts[at.parts.length - 1];
  // If the name ends in a value, it is known only at run time.
  if (typeof last !== 'string') return;
  const ending = fileEnding(last);
  if (ending === undefined) {
    checker.report(catalogue.unknownFileEnding(at.span));
    return;
  }
  if (does === 'read' || ending === 'json') {
    if (does === 'append') checker.report(catalogue.cannotAppend(at.span, ending));
    return;
  }
  if (does === 'append' && ending === 'xlsx') {
    checker.report(catalogue.cannotAppend(at.span, ending));
    return;
  }
  const need = ending === 'txt' ? 'text' : does === 'append' ? 'row' : 'rows';
  const file = `A .${ending} file`;
  const verb = does === 'append' ? 'add line' : 'save report';
  if (pairs.some(({ key }) => key.text === need)) {
    for (const { key } of pairs)
      if (key.text !== need)
        checker.report(catalogue.unknownPair(key.span, key.text, `a folder for ${file.toLowerCase()}`, [need], undefined));
    return;
  }
  const whole = `${verb} using ${service} at "report.${ending}" with ${need} ${need === 'text' ? 'letter' : need}`;
  checker.report(catalogue.missingPair(span, need, file, whole));
}

/** The parts of a message. */
const mailKeys = ['to', 'cc', 'bcc', 'reply-to', 'subject', 'text', 'html', 'attachments'];
const example = 'send receipt using Post with to request.email and subject "Your order" and text letter';

/** Checks a call of a mail server: it sends, and its pairs are the parts of a message. */
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
