// Turns the limits of `inputs:` into domains of the fields of the request.
import type { FieldKind, InputField, ValueLimits } from '../../runtime/inputs/input-types.js';
import { writtenField } from '../compiler/vocabulary/field-names.js';
import {
  allNumbers,
  anything,
  asWhole,
  BOOLEAN,
  type Domain,
  EMPTY,
  type Interval,
  ITEMS,
  kindsDomain,
  LIST,
  meet,
  NUMBER,
  numberDomain,
  numbersAbove,
  numbersBelow,
  numbersFrom,
  numbersTo,
  onlyNumber,
  RECORD,
  TEXT,
} from './domain.js';

/** The domain of each declared field, by its key: `request.customer.name`. */
export function inputDomains(fields: readonly InputField[], owner = 'request'): [string, Domain][] {
  return fields.flatMap(({ name, kind, optional, otherwise }): [string, Domain][] => {
    const key = `${owner}.${writtenField(name)}`;
    const domain = kindDomain(kind);
    const mayBeEmpty = optional === true && otherwise === undefined;
    const own: [string, Domain] = [key, mayBeEmpty ? { ...domain, kinds: domain.kinds | EMPTY } : domain];
    if (kind.is === 'list') return [own, ...itemDomains(kind.of, key)];
    // The fields of an optional record are empty if it is.
    return kind.is === 'record' && !mayBeEmpty ? [own, ...inputDomains(kind.fields, key)] : [own];
  });
}

/** Items are all alike. `request.lines[0]` stands for each of them, and for none that may not exist, as `request.lines.0` does. */
function itemDomains(kind: FieldKind, list: string): [string, Domain][] {
  const key = `${list}[0]`;
  const own: [string, Domain] = [key, kindDomain(kind)];
  if (kind.is === 'record') return [own, ...inputDomains(kind.fields, key)];
  return kind.is === 'list' ? [own, ...itemDomains(kind.of, key)] : [own];
}

function kindDomain(kind: FieldKind): Domain {
  switch (kind.is) {
    case 'text':
      return { ...kindsDomain(TEXT), texts: { ...anything.texts, not: kind.least === 0 ? [] : [''] } };
    case 'number':
      return numberDomain(limitsInterval(kind));
    case 'whole number':
      return asWhole(numberDomain(limitsInterval(kind))) ?? kindsDomain(NUMBER);
    case 'date':
    case 'time':
    case 'email address':
      return { ...kindsDomain(TEXT), texts: { ...anything.texts, not: [''] } };
    case 'yes or no':
      return kindsDomain(BOOLEAN);
    case 'choice':
      return choiceDomain(kind.values);
    case 'record':
      return kindsDomain(RECORD);
    case 'list':
      return kindsDomain((kind.least ?? 0) > 0 ? ITEMS : LIST);
    case 'anything':
      return anything;
  }
}

function choiceDomain(values: readonly (string | number)[]): Domain {
  const texts = values.filter((value) => typeof value === 'string');
  const numbers = values.filter((value) => typeof value === 'number').sort((one, other) => one - other);
  return {
    kinds: (texts.length > 0 ? TEXT : 0) | (numbers.length > 0 ? NUMBER : 0),
    isWhole: false,
    numbers: numbers.length > 0 ? numbers.map(onlyNumber) : [allNumbers],
    texts: texts.length > 0 ? { ...anything.texts, only: texts } : anything.texts,
  };
}

function limitsInterval(limits: ValueLimits<number>): Interval {
  const all = [
    ...(limits.from === undefined ? [] : [numbersFrom(limits.from)]),
    ...(limits.to === undefined ? [] : [numbersTo(limits.to)]),
    ...(limits.above === undefined ? [] : [numbersAbove(limits.above)]),
    ...(limits.below === undefined ? [] : [numbersBelow(limits.below)]),
  ];
  return all.reduce((one, other) => meet(one, other) ?? one, allNumbers);
}
