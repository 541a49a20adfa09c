// Checks `ask … to …`: an instruction to an AI, or a question to a person.
import type { Ask, BrokenService, Expression, Service } from '../../2-parse/tree.js';
import * as catalogue from '../../diagnostics/catalogue/index.js';
import { refuseSending } from '../call-forms/refused-parts.js';
import { checkPairs } from '../check-pairs.js';
import type { Checker } from '../checker.js';
import { reserved } from '../reserved.js';
import { checkAnswer, checkSaves, checkSendOptions, findService } from './call-parts.js';

export function checkAsk(checker: Checker, ask: Ask): void {
  const service = findService(checker, ask);
  checker.expression(ask.instruction);
  checkPairs(checker, ask.pairs);
  checkSendOptions(checker, ask);
  refuseSending(checker, ask, { kind: 'ai' });
  checkQuestion(checker, ask, service);
  checkSaves(checker, ask, service);
  checkAnswer(checker, ask);
}

/** A choice is a value: neither several with a word between them nor a text without its quotes. */
function checkChoice(checker: Checker, item: Expression): void {
  if (item.kind === 'logic') {
    const written = item.operands.map(({ span }) => checker.text.slice(span.start, span.end));
    checker.report(catalogue.joinedChoices(item.span, item.operator, written));
  } else if (item.kind === 'reference' && item.fields.length === 0 && isUnknown(checker, item.root))
    checker.report(catalogue.unquotedChoice(item.span, item.root));
  else checker.expression(item);
}

const isUnknown = ({ scope }: Checker, name: string): boolean =>
  scope.look(name) === undefined && !scope.isItem(name) && !reserved.has(name) && name !== 'failure';

/** Only people choose, have days to answer and get reminders. A question that failed is not asked again. */
function checkQuestion(
  checker: Checker,
  { choices, within, remind, onFailure, saves, unread }: Ask,
  service: Service | BrokenService | undefined,
): void {
  for (const duration of [within, remind])
    if (duration !== undefined && duration.amount < 0) checker.report(catalogue.negativeTime(duration.span));
  for (const item of choices?.items ?? []) checkChoice(checker, item);
  if (service === undefined || service.kind === 'broken') return;
  if (service.kind === 'person') {
    if (onFailure?.retry !== undefined) checker.report(catalogue.retryOfPerson(onFailure.retry.span));
    const isKept = saves.some(({ what }) => what === 'result') || unread !== undefined;
    if (choices !== undefined && !isKept) checker.report(catalogue.choiceWithoutEffect(choices.span, service.name.text));
    return;
  }
  const spans = [choices?.span, within?.span, remind?.span];
  for (const span of spans) if (span !== undefined) checker.report(catalogue.onlyForPeople(span, service.name.text));
}
