// Checks the declared inputs, and turns them into the module's description and into what the check knows of the request.
import { acceptRequest } from '../../../runtime/inputs/accept-request.js';
import type { InputField } from '../../../runtime/inputs/input-types.js';
import type { Value } from '../../../runtime/types.js';
import type { DeclaredInput, Inputs, Literal } from '../2-parse/tree.js';
import * as catalogue from '../diagnostics/catalogue/index.js';
import type { Checker } from './checker.js';
import { fieldKindOf } from './input-kinds.js';
import { literalValue, variableIn } from './input-literals.js';

export function checkInputs(checker: Checker, inputs: Inputs): InputField[] {
  const fields: InputField[] = [];
  const seen = new Set<string>();
  for (const input of inputs.fields) {
    const { name } = input;
    if (seen.has(name.text)) checker.report(catalogue.inputTwice(name.span, name.text));
    else if (input.kind === 'broken') fields.push({ name: name.text, kind: { is: 'anything' }, optional: true });
    else fields.push(checkField(checker, input));
    seen.add(name.text);
  }
  return fields;
}

function checkField(checker: Checker, input: DeclaredInput): InputField {
  const { presence, kind: written, fields, name } = input;
  const isRecord = (written.is === 'scalar' && written.name === 'record') || (written.is === 'list' && written.of === 'record');
  if (isRecord && fields === undefined)
    checker.report(catalogue.recordWithoutFields(written.span, name.text, written.is === 'list'));
  if (!isRecord && fields !== undefined) checker.report(catalogue.fieldsOfOtherKind(name.span, name.text));
  const known = fieldKindOf(checker, written, isRecord && fields !== undefined ? checkInputs(checker, fields) : []);
  // A line that could not be parsed may declare any field.
  const kind = isRecord && fields?.isWhole === false ? ({ is: 'anything' } as const) : known;
  const field: InputField = { name: name.text, kind };
  if (presence?.is === 'optional') return { ...field, optional: true };
  if (presence === undefined) return field;
  return { ...field, otherwise: defaultOf(checker, field, presence.value) };
}

/** Reports a default that does not fit. */
function defaultOf(checker: Checker, field: InputField, literal: Literal): Value {
  const variable = variableIn(literal);
  if (variable !== undefined) {
    checker.report(catalogue.defaultHasValue(literal.span, variable));
    return null;
  }
  if (field.kind.is === 'record') {
    checker.report(catalogue.noDefaultForRecord(literal.span));
    return null;
  }
  const value = literalValue(literal);
  const isEmptyText = value === '' && field.kind.is === 'text';
  // The rules for a request also apply to a default.
  const [problem] = isEmptyText ? [] : acceptRequest([{ ...field }], { [field.name]: value }).problems;
  if (problem !== undefined) {
    const isQuoted = field.kind.is === 'yes or no' && (value === 'yes' || value === 'no');
    const said = problem.problem.replace(' (true or false in JSON)', '');
    checker.report(
      catalogue.badDefault(literal.span, said, isQuoted ? `Write it without quotes: otherwise ${value}` : undefined),
    );
  }
  return value;
}
