// Checks calls and questions to people, the lines under them, and that a call fits the kind of its service.
import { databaseForms, methodOf } from '../../../../runtime/services/verbs.js';
import type { Ask, BrokenService, Call, Expression, Saved, Service } from '../../2-parse/tree.js';
import * as catalogue from '../../diagnostics/catalogue/index.js';
import type { Span } from '../../diagnostics/diagnostic.js';
import { checkDatabaseCall, checkFolderCall, checkMailCall } from '../call-forms/connector-calls.js';
import { checkHttpCall } from '../call-forms/http-call.js';
import { checkWorkflowCall } from '../call-forms/workflow-call.js';
import { checkTimeSpan } from '../check-time-span.js';
import { type Checker, checkPairs, setVariable } from '../checker.js';
import { joinKinds, type Kind, listKind, numberKind, textsOf, unknownKind } from '../kinds/kind.js';
import { reserved } from '../scope.js';
import { kindNames, refuseSending, refuseSqlParts } from '../service-kinds.js';

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
  const value = phrase.find(
    (word) => word.includes('.') && (/^request\./.test(word) || checker.scope.look(word.split('.')[0] ?? '') !== undefined),
  );
  if (value !== undefined && first !== 'set') {
    const at = checker.text.indexOf(value, span.start);
    checker.report(catalogue.valueInPhrase({ start: at, end: at + value.length }, value));
  }
  const written = (head: RegExp): string => checker.text.slice(span.start, span.end).replace(head, '');
  const place = { start: span.start, end: service.span.end };
  if (first !== undefined && ASSIGNS.test(variable ?? '') && to !== undefined && isVerb(to)) {
    checker.report(catalogue.callThatAssigns(place, first, written(/^\S+\s+\S+\s+/)));
    return;
  }
  if (first !== 'set' || to !== 'to' || variable === undefined || rest.length === 0) return;
  checker.report(catalogue.callThatSets(place, variable, written(/^set\s+\S+\s+to\s+/)));
}

/** Checks `ask … to …`: an instruction to an AI, or a question to a person. */
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
  { instruction, addressed, choices, within, remind, timeout, onFailure, saves, unread, service: asked }: Ask,
  service: Service | BrokenService | undefined,
): void {
  if (within !== undefined) checkTimeSpan(checker, within, 'within');
  else if (service?.kind === 'person') checkDeadlineInQuestion(checker, asked.span.start, instruction.span);
  checkOptionInQuestion(checker, asked.span.start, instruction.span, choices === undefined && service?.kind === 'person');
  if (remind !== undefined) checkTimeSpan(checker, remind, 'remind every');
  if (addressed !== undefined) checker.expression(addressed.value);
  for (const item of choices?.items ?? []) checkChoice(checker, item);
  if (service === undefined || service.kind === 'broken') return;
  if (service.kind === 'person') {
    if (onFailure?.retry !== undefined) checker.report(catalogue.retryOfPerson(onFailure.retry.span));
    const isKept = saves.some(({ what }) => what === 'result') || unread !== undefined;
    if (choices !== undefined && !isKept) checker.report(catalogue.choiceWithoutEffect(choices.span, service.name.text));
    if (timeout !== undefined) checker.report(catalogue.timeoutOfPerson(timeout.span));
    if (service.notifiedBy !== undefined && addressed === undefined && unread === undefined)
      checker.report(catalogue.mailToNobody(asked.span, service.name.text));
    return;
  }
  const spans = [addressed?.span, within?.span, remind?.span];
  for (const span of spans) if (span !== undefined) checker.report(catalogue.onlyForPeople(span, service.name.text));
}

const DEADLINE = /\s(within (?:an?|\d{1,4}|[a-z]{3,6}) (?:working )?(?:minutes?|hours?|days?|weeks?))\.?"?$/;

/** `ask Finance to approve it within 3 days`: a limit in the words of the question, which no one enforces. */
function checkDeadlineInQuestion(checker: Checker, from: number, { end }: Span): void {
  const { text } = checker;
  const start = text.lastIndexOf('\n', from) + 1;
  const line = text.slice(start, end).trim();
  const [all = '', limit = ''] = DEADLINE.exec(line.slice(-80)) ?? [];
  if (all === '' || line.length > 300 || line.includes('\n')) return;
  const quote = all.endsWith('"') ? '"' : '';
  checker.report(catalogue.deadlineInQuestion({ start: end - all.length + 1, end }, limit, line.slice(0, -all.length) + quote));
}

const OPTION =
  /,? (?:and )?(choose from (?:"[^"\n]{0,80}"(?:, |,| or |$)){2,9}|save the (?:result|comment|person) as [\w-]{1,60})$/;

/** `ask Finance to approve it and choose from "yes", "no"`: buttons in the words of the question, which no one sees. */
function checkOptionInQuestion(checker: Checker, from: number, { end }: Span, hasNoChoices: boolean): void {
  const { text } = checker;
  const line = text.slice(text.lastIndexOf('\n', from) + 1, end).trim();
  const [all = '', option = ''] = line.length > 300 || line.includes('\n') ? [] : (OPTION.exec(line) ?? []);
  if (option.startsWith('save') || (option !== '' && hasNoChoices))
    checker.report(catalogue.optionInQuestion({ start: end - option.length, end }, option, line.slice(0, -all.length)));
}

/** The service that is called; `undefined` if unknown, which is reported unless a broken declaration may be the one. */
function findService(checker: Checker, { kind, service: name }: Call | Ask): Service | BrokenService | undefined {
  const service = checker.services.get(name.text);
  checker.usedServices.add(name.text);
  if (service === undefined) {
    const { names, hasNameless } = candidatesOf(checker, kind);
    const near = checker.closest(name.text, names);
    // Most likely a misspelt declared service, which must not be reported as unused as well.
    if (near !== undefined) checker.usedServices.add(near);
    else if (!checker.usesAny.has(kind)) for (const meant of names) checker.usedServices.add(meant);
    if (near === undefined) checker.usesAny.add(kind);
    // A declaration with an invalid name may be the one.
    if (hasNameless) return undefined;
    checker.report((kind === 'ask' ? catalogue.unknownAi : catalogue.unknownService)(name.span, name.text, near));
  } else if (kind === 'ask' && service.kind !== 'ai' && service.kind !== 'person' && service.kind !== 'broken') {
    checker.report(catalogue.notAnAi(name.span, name.text, kindNames[service.kind]));
  } else if (kind === 'call' && (service.kind === 'ai' || service.kind === 'person')) {
    checker.report((service.kind === 'ai' ? catalogue.callOfAi : catalogue.callOfPerson)(name.span, name.text));
  }
  return service;
}

interface Candidates {
  /** The services that such a statement may mean. */
  readonly names: readonly string[];
  readonly hasNameless: boolean;
}

/** Collected once per file, which may have thousands of services and of statements that misspell them. */
const gathered = new WeakMap<Checker, Map<string, Candidates>>();

function candidatesOf(checker: Checker, kind: 'call' | 'ask'): Candidates {
  const known = gathered.get(checker) ?? new Map<string, Candidates>();
  gathered.set(checker, known);
  const before = known.get(kind);
  if (before !== undefined) return before;
  const services = [...checker.services.values()];
  const candidates = {
    names: services
      .filter((other) => kind === 'call' || other.kind === 'ai' || other.kind === 'person' || other.kind === 'broken')
      .map((other) => other.name.text),
    hasNameless: services.some((other) => other.kind === 'broken' && other.nameless),
  };
  known.set(kind, candidates);
  return candidates;
}

/** Checks the values of the lines that say how a call is sent. */
function checkSendOptions(checker: Checker, { headers, body, timeout }: Call | Ask): void {
  if (timeout !== undefined) checkTimeSpan(checker, timeout, 'with timeout');
  for (const { value } of headers) checker.expression(value);
  if (body !== undefined) checker.expression(body.value);
}

const fromHttp = ['result', 'status', 'response headers'] as const;

/** The parts of an answer that lines under a call can save. */
const savable: Readonly<Record<Service['kind'], readonly Saved[]>> = {
  api: fromHttp,
  webhook: fromHttp,
  plugin: fromHttp,
  ai: [...fromHttp, 'confidence'],
  person: ['result', 'comment', 'person'],
  database: ['result'],
  mail: ['result'],
  folder: ['result'],
  workflow: ['result'],
};

function checkSaves(checker: Checker, { saves }: Call | Ask, service: Service | BrokenService | undefined): void {
  if (service === undefined || service.kind === 'broken') return;
  for (const { what, span } of saves)
    if (!savable[service.kind].includes(what))
      checker.report(catalogue.notGiven(span, what, service.name.text, kindNames[service.kind]));
}

/** A called workflow answers with its outputs, each of which may be missing on some paths. */
function resultKind({ called }: Checker, service: string): Kind {
  const checked = called.get(service)?.checked;
  // Without outputs, it most likely always rejects.
  if (checked === undefined || checked.facts.outputKeys.size === 0) return unknownKind;
  const fields = new Map([...checked.facts.outputKeys].map((key) => [key, unknownKind] as const));
  return { is: 'record', fields, outputsOf: service };
}

/** A row or nothing: `get invoices using DB at "invoices"`; or all rows. */
function rowKind({ text, services }: Checker, { phrase, service, span }: Call): Kind | undefined {
  if (services.get(service.text)?.kind !== 'database') return undefined;
  if (databaseForms.get(phrase[0] ?? '')?.wish === 'rows') return listKind;
  if (phrase[0] !== 'get') return undefined;
  const written = text.slice(span.start, service.span.end).replace(/^get\b/, 'list');
  return { is: 'record', rowOf: written, orEmpty: true };
}

/** One of the choices, if all are written in the file. */
function choiceKind(checker: Checker, { choices }: Ask): Kind | undefined {
  const texts = choices?.items.map((item) => textsOf(checker.kindOf(item)));
  if (texts === undefined || texts.length === 0 || texts.includes(undefined)) return undefined;
  return { is: 'text', oneOf: [...new Set(texts.flatMap((some) => some ?? []))], isChoice: true };
}

/** The state after the call: what it saves is certain only if a failure can't continue after it. */
function checkAnswer(checker: Checker, call: Call | Ask): void {
  const { saves, service, onFailure, onSuccess, unread } = call;
  const { scope } = checker;
  const waiting = onFailure?.retry?.waiting;
  if (waiting !== undefined) checkTimeSpan(checker, waiting, 'waiting');
  const known = call.kind === 'ask' ? choiceKind(checker, call) : rowKind(checker, call);
  const confidence: Kind = { is: 'number', limits: { from: 0, to: 1 }, isShare: true };
  const kinds: Partial<Record<Saved, Kind>> = {
    status: numberKind,
    confidence,
    result: known ?? resultKind(checker, service.text),
  };
  if (unread?.nameless) scope.isOpen = true;
  const success = scope.branch(() => {
    for (const { what, name } of saves) setVariable(checker, name, kinds[what] ?? unknownKind);
    for (const name of unread?.names ?? []) if (!reserved.has(name)) scope.set(name);
    if (onSuccess !== undefined) checker.block(onSuccess.body);
  });
  const handler = onFailure?.body;
  if (handler === undefined) {
    scope.join([success]);
    return;
  }
  const failure = scope.branch(() => {
    const status = saves.find((save) => save.what === 'status');
    if (status !== undefined) {
      // A failing answer had a status; without an answer, the variable keeps its value.
      const before = scope.kindOfTarget(status.name.text);
      if (scope.look(status.name.text) === 'set') scope.set(status.name.text, joinKinds(before ?? unknownKind, numberKind));
      else scope.mayBeSet(status.name.text);
    }
    scope.withFailure(() => checker.block(handler));
  });
  scope.join([success, failure]);
}

type FormCheck = (checker: Checker, call: Call, service: Service) => void;

const checkPlainCall: FormCheck = (checker, call, service) => {
  refuseSqlParts(checker, call, service);
  refuseSending(checker, call, service);
};

const forms: Readonly<Record<Service['kind'], FormCheck>> = {
  api: checkHttpCall,
  webhook: checkHttpCall,
  ai: checkPlainCall,
  plugin: checkPlainCall,
  person: checkPlainCall,
  database: checkDatabaseCall,
  mail: checkMailCall,
  folder: checkFolderCall,
  workflow: checkWorkflowCall,
};

function checkCallForm(checker: Checker, call: Call, service: Service): void {
  forms[service.kind](checker, call, service);
}
