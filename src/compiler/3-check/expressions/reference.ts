// Checks a name that is read: an error if no path sets it, a warning if only some paths do.
import type { Reference } from '../../2-parse/tree.js';
import * as catalogue from '../../diagnostics/catalogue/index.js';
import { pathAsWritten, writtenField } from '../../vocabulary/field-names.js';
import type { Checker } from '../checker.js';
import { fieldKind, itemKind, type Kind, kindName, unknownKind } from '../kinds/kind.js';
import { isCertainlyWrong, type Need } from '../kinds/require-kind.js';
import type { Scope } from '../scope.js';
import { type DeclaredRecord, explainUndeclared, explainUnknownName, mayBeText, oneOfList } from './unknown-name.js';

const constants = ['true', 'false', 'empty'] as const;

function* withConstants(scope: Scope): Iterable<string> {
  yield* scope.names();
  yield* constants;
}

/** Constants of other languages. */
const foreignConstants: Readonly<Record<string, string>> = {
  null: 'empty',
  nil: 'empty',
  none: 'empty',
  nothing: 'empty',
  undefined: 'empty',
  yes: 'true',
  no: 'false',
};

/** Text contains no constants: a name in its braces is never meant as one. */
export const checkReferenceInText = (checker: Checker, reference: Reference): void => check(checker, reference, true);

export const checkReference = (checker: Checker, reference: Reference): void => check(checker, reference, false);

function check(checker: Checker, reference: Reference, inText: boolean): void {
  checkName(checker, reference, inText);
  checkFields(checker, reference);
}

const needsFields: Need = { kinds: ['record', 'list'], words: 'a record before it', allowsEmpty: true };

const hasNoField = (kind: Kind, field: string): boolean =>
  isCertainlyWrong(kind, needsFields) && !(field === 'count' && kind.is === 'text');

/** The record certainly lacks this field, and there is a variable with its name, which was most likely meant. */
const isLikeVariable = ({ scope }: Checker, kind: Kind, field: string): boolean =>
  kind.is === 'record' && kind.isWhole === true && kind.fields?.has(field) === false && scope.look(field) !== undefined;

const isPosition = (field: string): boolean => /^\d+$/.test(field);

const isFieldOfList = (kind: Kind, field: string): boolean => kind.is === 'list' && field !== 'count' && !isPosition(field);

/** A name for an item in an example. */
const freeWord = ({ scope }: Checker): string =>
  ['item', 'each-item'].find((word) => scope.look(word) === undefined) ?? 'one-item';

/** The record without this field, if all its fields are known. For a list, the record of its items. */
function undeclaredIn(kind: Kind, field: string): DeclaredRecord | undefined {
  const record = isFieldOfList(kind, field) ? itemKind(kind) : kind;
  const isKnown = record.is === 'record' && (record.isDeclared === true || record.outputsOf !== undefined);
  return isKnown && record.fields?.has(field) === false ? record : undefined;
}

/** Numbers, texts and booleans have no fields; a record whose fields are all known has no others. */
function checkFields(checker: Checker, reference: Reference): void {
  const { root, fields, span } = reference;
  let kind = checker.scope.kindOf(root) ?? unknownKind;
  let path = root;
  for (const field of fields) {
    const undeclared = undeclaredIn(kind, field);
    if (undeclared !== undefined) {
      checker.report(explainUndeclared(checker, reference, [path, field], undeclared, kind.is === 'list'));
      return;
    }
    // HTTP knows no case, and the names of headers have come in lower case.
    if (path === 'received.headers' && field !== field.toLowerCase()) {
      checker.report(catalogue.undeclaredField(span, path, field, pathAsWritten(reference).toLowerCase(), []));
      return;
    }
    if (hasNoField(kind, field)) {
      checker.report(catalogue.wrongKind(span, `"${path}" is ${kindName(kind)}`, `.${field}`, needsFields.words, undefined));
      return;
    }
    if (isFieldOfList(kind, field) && !checker.ofEachItem.has(reference))
      checker.report(catalogue.fieldOfList(span, path, field, freeWord(checker)));
    if (isLikeVariable(checker, kind, field)) checker.report(catalogue.fieldLikeVariable(span, path, field));
    kind = fieldKind(kind, field);
    path = `${path}.${writtenField(field)}`;
  }
}

function checkName(checker: Checker, reference: Reference, inText: boolean): void {
  const { root, fields, span } = reference;
  const { scope } = checker;
  if (!scope.isItem(root)) {
    if (root === 'now' || root === 'today') return;
    if (root === 'request') {
      if (fields.length > 0) checker.facts.requestFields.add(fields.map(writtenField).join('.'));
      return;
    }
    if (root === 'received') {
      checker.facts.readsReceived = true;
      return;
    }
    if (root === 'env') {
      const [variable] = fields;
      if (variable === undefined) checker.report(catalogue.bareEnvironment(span));
      else checker.facts.env.add(variable);
      return;
    }
    if (root === 'failure' && scope.inFailure) return;
  }
  const certainty = scope.look(root);
  if (certainty === 'set') {
    checker.facts.definite.add(reference);
    return;
  }
  if (checker.reported.has(root)) return;
  checker.reported.add(root);
  const place = { start: span.start, end: span.start + root.length };
  if (certainty === 'maybe') {
    checker.report(catalogue.maybeUnset(place, root, checker.grown.has(root)));
    return;
  }
  if (scope.isOpen) return;
  if (scope.wasOfRound(root)) checker.report(catalogue.outsideRound(place, root));
  else if (scope.wasItem(root)) checker.report(oneOfList(checker.text, reference) ?? catalogue.itemOutsideLoop(place, root));
  else if (root === 'failure') checker.report(catalogue.unknownFailure(place));
  else {
    const explained = explainUnknownName(checker, reference, inText);
    if (explained !== undefined) {
      checker.report(explained);
      return;
    }
    if (checker.unknownNames.has(root)) return;
    checker.unknownNames.add(root);
    // Text contains no constants.
    const isAlone = fields.length === 0 && !inText;
    const suggestion = checker.closest(root, isAlone ? withConstants(scope) : scope.names());
    const name = pathAsWritten(reference);
    const constant = constants.find((word) => word === suggestion);
    if (constant !== undefined && root.toLowerCase() === constant) checker.report(catalogue.wrongCase(place, root, constant));
    else {
      const folded = root.toLowerCase();
      const foreign = isAlone && Object.hasOwn(foreignConstants, folded) ? foreignConstants[folded] : undefined;
      const meant = foreign ?? suggestion;
      const mayBeInput = meant !== undefined && foreign === undefined && meant.toLowerCase() !== folded && meant !== 'request';
      const asText = !inText && foreign === undefined && mayBeText(checker, reference);
      checker.report(catalogue.unknownVariable(place, name, { suggestion: meant, mayBeInput, mayBeText: asText }));
    }
  }
}
