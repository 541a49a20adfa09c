// Checks a call of a folder: the first word says what to do, the file extension the format.
import { fileEnding, folderForms } from '../../../../runtime/services/call-forms.js';
import type { FolderTask } from '../../../../runtime/services/connector-types.js';
import type { Call, Service, Text } from '../../2-parse/tree.js';
import * as catalogue from '../../diagnostics/catalogue/index.js';
import type { Checker } from '../checker.js';
import { kindNames } from '../service-kinds.js';
import { refuseSending, refuseSqlParts, spanOfPairs } from './refused-parts.js';

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
