// The declared inputs in a plan: one line each, and below a record its fields.
import type { FieldKind, InputField } from '../../../runtime/inputs/input-types.js';
import { kindWords } from '../../../runtime/inputs/input-words.js';
import type { PlanWriter } from './plan-writer.js';

export function printInputs(plan: PlanWriter, fields: readonly InputField[]): void {
  plan.line('takes');
  plan.indented(() => {
    for (const field of fields) printField(plan, field);
  });
}

function printField(plan: PlanWriter, { name, kind, optional, otherwise }: InputField): void {
  const missing = optional === true ? ', optional' : otherwise === undefined ? '' : `, otherwise ${JSON.stringify(otherwise)}`;
  plan.line(`${name}: ${kind.is === 'anything' ? kind.is : kindWords(kind, false)}${missing}`);
  const inside = fieldsOf(kind);
  plan.indented(() => {
    for (const field of inside) printField(plan, field);
  });
}

/** The fields of a record, or of the records in a list. */
const fieldsOf = (kind: FieldKind): readonly InputField[] =>
  kind.is === 'record' ? kind.fields : kind.is === 'list' ? fieldsOf(kind.of) : [];
