// Checks service calls and `ask`: the service, what is sent, what is saved, and the handling of failure.

import type { Ask, BrokenService, Call, Service } from '../2-parse/tree.js';
import * as catalogue from '../diagnostics/catalogue/index.js';
import { type Checker, reserved } from './checker.js';
import { checkExpression } from './expressions.js';
import { checkBlock, checkPairs, setVariable } from './statements.js';

/** What a kind of service is called in a sentence. */
export const kindNames: Readonly<Record<Service['kind'], string>> = {
  api: 'an API',
  webhook: 'a webhook',
  ai: 'an AI',
  plugin: 'a plugin',
};

export function checkCall(checker: Checker, call: Call | Ask): void {
  const service = findService(checker, call);
  if (call.kind === 'call') checkPhrase(checker, call);
  checkExpressions(checker, call);
  if (service !== undefined && service.kind !== 'broken') {
    if (call.kind === 'call' && service.kind === 'webhook' && call.at !== undefined)
      checker.report(catalogue.pathOnWebhook(call.at.span, service.name.text));
    for (const save of call.saves) {
      if (save.what === 'confidence' && service.kind !== 'ai')
        checker.report(catalogue.notGiven(save.span, save.what, service.name.text, kindNames[service.kind]));
    }
  }
  checkEnd(checker, call);
}

function findService(checker: Checker, { kind, service: name }: Call | Ask): Service | BrokenService | undefined {
  const service = checker.services.get(name.text);
  checker.usedServices.add(name.text);
  if (service === undefined) {
    const candidates = [...checker.services.values()]
      .filter((other) => kind === 'call' || other.kind === 'ai' || other.kind === 'broken')
      .map((other) => other.name.text);
    const near = checker.closest(name.text, candidates);
    // It stands for a declared one, most likely the one that is close: that it seems unused is no fault of its own.
    for (const meant of near === undefined ? candidates : [near]) checker.usedServices.add(meant);
    // A declaration whose name cannot be read may be the one.
    if ([...checker.services.values()].some((other) => other.kind === 'broken' && other.nameless)) return undefined;
    checker.report((kind === 'ask' ? catalogue.unknownAi : catalogue.unknownService)(name.span, name.text, near));
  } else if (kind === 'ask' && service.kind !== 'ai' && service.kind !== 'broken') {
    checker.report(catalogue.notAnAi(name.span, name.text, kindNames[service.kind]));
  } else if (kind === 'call' && service.kind === 'ai') {
    checker.report(catalogue.callOfAi(name.span, name.text));
  }
  return service;
}

/** `set user to get user using GitHub` is a call as well, and most likely not meant as one that begins with "set". */
function checkPhrase(checker: Checker, { phrase, service, span }: Call): void {
  const [first, variable, to, ...rest] = phrase;
  if (first !== 'set' || to !== 'to' || variable === undefined || rest.length === 0) return;
  const written = checker.text.slice(span.start, span.end).replace(/^set\s+\S+\s+to\s+/, '');
  checker.report(catalogue.callThatSets({ start: span.start, end: service.span.end }, variable, written));
}

function checkExpressions(checker: Checker, call: Call | Ask): void {
  if (call.kind === 'ask') checkExpression(checker, call.instruction);
  else if (call.at !== undefined) checkExpression(checker, call.at);
  checkPairs(checker, call.pairs);
}

/** What holds after the call: what it saves is certain only where a failure cannot go on behind it. */
function checkEnd(checker: Checker, { saves, onFailure, unread }: Call | Ask): void {
  const { scope } = checker;
  if (unread?.nameless) scope.isOpen = true;
  const success = scope.branch(() => {
    for (const save of saves) setVariable(checker, save.name);
    for (const name of unread?.names ?? []) if (!reserved.has(name)) scope.set(name);
  });
  const handler = onFailure?.body;
  if (handler === undefined) {
    scope.join([success]);
    return;
  }
  const failure = scope.branch(() => {
    const status = saves.find((save) => save.what === 'status');
    if (status !== undefined) scope.mayBeSet(status.name.text);
    scope.withFailure(() => checkBlock(checker, handler));
  });
  scope.join([success, failure]);
}
