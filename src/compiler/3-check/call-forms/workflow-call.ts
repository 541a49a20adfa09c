// Checks a call of another workflow: its pairs are the request, validated against the inputs of that workflow.
import { acceptRequest } from '../../../../runtime/inputs/accept-request.js';
import type { FieldKind, InputField } from '../../../../runtime/inputs/input-types.js';
import { kindWords } from '../../../../runtime/inputs/input-words.js';
import type { Value } from '../../../../runtime/types.js';
import type { Call, Expression, Pair, Service } from '../../2-parse/tree.js';
import * as catalogue from '../../diagnostics/catalogue/index.js';
import type { Checker } from '../checker.js';
import { type Kind, kindName } from '../kinds/kind.js';
import { kindNames, refuseSending, refuseSqlParts } from '../service-kinds.js';

export function checkWorkflowCall(checker: Checker, call: Call, service: Service): void {
  refuseSqlParts(checker, call, service);
  refuseSending(checker, call, service);
  if (call.at !== undefined) checker.report(catalogue.partNotForKind(call.at.span, 'at', service.name.text, kindNames.workflow));
  const inputs = checker.called.get(service.name.text)?.checked.facts.inputs;
  if (inputs !== undefined) checkRequest(checker, call, service.name.text, inputs);
}

function checkRequest(checker: Checker, { pairs, span }: Call, service: string, inputs: readonly InputField[]): void {
  const names = inputs.map(({ name }) => name);
  const meant = new Set<string>();
  for (const pair of pairs) {
    const field = inputs.find(({ name }) => name === pair.key.text);
    if (field !== undefined) checkPair(checker, pair, field, service);
    else {
      const near = checker.closest(pair.key.text, names);
      if (near !== undefined) meant.add(near);
      checker.report(catalogue.unknownInput(pair.key.span, pair.key.text, service, near, names));
    }
  }
  for (const { name, kind, optional, otherwise } of inputs) {
    if (optional === true || otherwise !== undefined || meant.has(name)) continue;
    if (!pairs.some(({ key }) => key.text === name)) checker.report(catalogue.missingInput(span, name, service, words(kind)));
  }
}

const words = (kind: FieldKind): string => (kind.is === 'anything' ? 'something' : kindWords(kind, false));

function checkPair(checker: Checker, { key, value }: Pair, field: InputField, service: string): void {
  const report = (problem: string, name = key.text): void =>
    checker.report(catalogue.wrongInput({ start: key.span.start, end: value.span.end }, name, service, problem));
  const fixed = fixedValue(value);
  if (fixed !== undefined) {
    const [problem] = acceptRequest([field], { [field.name]: fixed }).problems;
    if (problem !== undefined) report(problem.problem.replace(/ \((?:true or false|an object) in JSON\)/, ''), problem.field);
    return;
  }
  const kind = checker.kindOf(value);
  const wanted = kindsOf[field.kind.is];
  if (kind.is === 'unknown' || wanted === undefined) return;
  if (kind.is === 'empty' && (field.optional === true || field.otherwise !== undefined)) return;
  if (!wanted.includes(kind.is)) report(`must be ${words(field.kind)}, and is ${kindName(kind)}`);
}

/** The values that a field of each kind can have; any kind if nothing is certain. */
const kindsOf: Readonly<Record<FieldKind['is'], readonly Kind['is'][] | undefined>> = {
  text: ['text'],
  number: ['number'],
  'whole number': ['number'],
  date: ['text'],
  time: ['text'],
  'email address': ['text'],
  'yes or no': ['boolean'],
  choice: ['text', 'number'],
  record: ['record'],
  list: ['list'],
  anything: undefined,
};

/** The value of a literal; `undefined` for anything known only at run time. */
function fixedValue(expression: Expression): Value {
  switch (expression.kind) {
    case 'number':
    case 'constant':
      return expression.value;
    case 'text': {
      const { parts, isFaulty } = expression;
      return isFaulty !== true && parts.every((part) => typeof part === 'string') ? parts.join('') : undefined;
    }
    case 'list': {
      const items = expression.items.map(fixedValue);
      return items.includes(undefined) ? undefined : items;
    }
    default:
      return undefined;
  }
}
