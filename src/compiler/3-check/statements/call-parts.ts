// Checks what service calls and `ask` share: the service, what is saved, and failure handling.
import type { Ask, BrokenService, Call, Saved, Service } from '../../2-parse/tree.js';
import * as catalogue from '../../diagnostics/catalogue/index.js';
import type { Checker } from '../checker.js';
import { joinKinds, type Kind, numberKind, unknownKind } from '../kinds/kind.js';
import { reserved } from '../reserved.js';
import { kindNames } from '../service-kinds.js';
import { setVariable } from '../set-variable.js';

/** The service that is called; `undefined` if unknown, which is reported unless a broken declaration may be the one. */
export function findService(checker: Checker, { kind, service: name }: Call | Ask): Service | BrokenService | undefined {
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
export function checkSendOptions(checker: Checker, { headers, body }: Call | Ask): void {
  for (const { value } of headers) checker.expression(value);
  if (body !== undefined) checker.expression(body.value);
}

/** Only an AI returns a confidence; status and headers come with HTTP answers. */
export function checkSaves(checker: Checker, { saves }: Call | Ask, service: Service | BrokenService | undefined): void {
  if (service === undefined || service.kind === 'broken') return;
  const ofPerson = (what: Saved): boolean => what === 'comment' || what === 'person';
  for (const { what, span } of saves) {
    const fits = what === 'result' || (service.kind === 'person' ? ofPerson(what) : !ofPerson(what));
    if (!fits) checker.report(catalogue.notGiven(span, what, service.name.text, kindNames[service.kind]));
  }
  if (service.kind === 'ai' || service.kind === 'person') return;
  const hasStatus = service.kind === 'api' || service.kind === 'webhook' || service.kind === 'plugin';
  for (const { what, span } of saves)
    if (what === 'confidence' || (what !== 'result' && !ofPerson(what) && !hasStatus))
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

/** The state after the call: what it saves is certain only if a failure can't continue after it. */
export function checkAnswer(checker: Checker, { saves, service, onFailure, unread }: Call | Ask): void {
  const { scope } = checker;
  const kinds: Partial<Record<Saved, Kind>> = { status: numberKind, result: resultKind(checker, service.text) };
  if (unread?.nameless) scope.isOpen = true;
  const success = scope.branch(() => {
    for (const { what, name } of saves) setVariable(checker, name, kinds[what] ?? unknownKind);
    for (const name of unread?.names ?? []) if (!reserved.has(name)) scope.set(name);
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
