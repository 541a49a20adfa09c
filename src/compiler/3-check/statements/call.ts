// Checks a service call such as `get profile using GitHub`.
import { methodOf } from '../../../../runtime/services/verbs.js';
import type { Call } from '../../2-parse/tree.js';
import * as catalogue from '../../diagnostics/catalogue/index.js';
import { checkCallForm } from '../call-forms/call-form.js';
import { checkPairs } from '../check-pairs.js';
import type { Checker } from '../checker.js';
import { checkAnswer, checkSaves, checkSendOptions, findService } from './call-parts.js';

export function checkCall(checker: Checker, call: Call): void {
  const { at, running, pairs, where } = call;
  const service = findService(checker, call);
  checkPhrase(checker, call);
  if (at !== undefined) checker.expression(at);
  if (running !== undefined) checker.expression(running);
  checkPairs(checker, pairs);
  checkPairs(checker, where);
  checkSendOptions(checker, call);
  if (service !== undefined && service.kind !== 'broken') checkCallForm(checker, call, service);
  checkSaves(checker, call, service);
  if (!call.saves.some(({ what }) => what === 'result'))
    for (const word of call.phrase.slice(1)) checker.unsavedResults.set(word, call.line);
  checkAnswer(checker, call);
}

/** The second word of `order is get order using Shop`. */
const ASSIGNS = /^(?:is|becomes|equals)$/;
const isVerb = (word: string): boolean => methodOf('api', word) !== 'POST' || ['create', 'send', 'post', 'ask'].includes(word);

/** `set user to get user using GitHub` is also a call, and most likely not meant as one that starts with "set". */
function checkPhrase(checker: Checker, { phrase, service, span }: Call): void {
  const [first, variable, to, ...rest] = phrase;
  const written = (head: RegExp): string => checker.text.slice(span.start, span.end).replace(head, '');
  const place = { start: span.start, end: service.span.end };
  if (first !== undefined && ASSIGNS.test(variable ?? '') && to !== undefined && isVerb(to)) {
    checker.report(catalogue.callThatAssigns(place, first, written(/^\S+\s+\S+\s+/)));
    return;
  }
  if (first !== 'set' || to !== 'to' || variable === undefined || rest.length === 0) return;
  checker.report(catalogue.callThatSets(place, variable, written(/^set\s+\S+\s+to\s+/)));
}
