// Converts the declared inputs to what the check knows about the request.
import type { FieldKind, InputField } from '../../../../runtime/inputs/input-types.js';
import { booleanKind, dateKind, type Kind, listOfKind, orEmpty, textKind, timeKind, unknownKind } from './kind.js';

/** @param isWhole false if a line could not be parsed: other fields may be declared */
export const requestKind = (fields: readonly InputField[], isWhole: boolean): Kind => ({
  is: 'record',
  fields: new Map(fields.map((field) => [field.name, fieldKindOfInput(field)])),
  ...(isWhole ? { isDeclared: true } : {}),
});

const fieldKindOfInput = ({ kind, optional }: InputField): Kind =>
  optional === true ? orEmpty(kindOfInput(kind)) : kindOfInput(kind);

function kindOfInput(kind: FieldKind): Kind {
  switch (kind.is) {
    case 'text':
    case 'email address':
      return textKind;
    case 'number':
    case 'whole number': {
      const { is, ...limits } = kind;
      const whole = is === 'whole number' ? ({ isWhole: true } as const) : {};
      return { is: 'number', ...whole, ...(Object.keys(limits).length === 0 ? {} : { limits }) };
    }
    case 'date':
      return dateKind;
    case 'time':
      return timeKind;
    case 'yes or no':
      return booleanKind;
    case 'choice':
      return choiceKind(kind.values);
    case 'record':
      return requestKind(kind.fields, true);
    case 'list':
      return listOfKind(kindOfInput(kind.of));
    case 'anything':
      return unknownKind;
  }
}

function choiceKind(values: readonly (string | number)[]): Kind {
  const texts = values.filter((value): value is string => typeof value === 'string');
  if (texts.length === values.length) return { is: 'text', oneOf: texts, isChoice: true };
  const numbers = values.filter((value): value is number => typeof value === 'number');
  return texts.length === 0 ? { is: 'number', oneOf: numbers } : unknownKind;
}
