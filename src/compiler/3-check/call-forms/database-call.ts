// Checks a database call: a table with pairs, or an SQL statement.
import { databaseForms } from '../../../../runtime/services/call-forms.js';
import type { Call, Service, Text } from '../../2-parse/tree.js';
import * as catalogue from '../../diagnostics/catalogue/index.js';
import type { Checker } from '../checker.js';
import { valuesInQuotes } from '../sql-quotes.js';
import { refuseSending, spanOfPairs } from './refused-parts.js';

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
  if (first !== undefined) checker.report(catalogue.valueInQuotes(first.span, [first.root, ...first.fields].join('.')));
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
  if (form.does === 'delete' && where.length === 0)
    checker.report(catalogue.missingWhere(span, verb, 'delete every row of the table'));
}
