// Generates declared inputs, requests that fit them or don't, and the pairs of calls that ask a workflow with such inputs.
import { fieldValue, json, putField } from './generate-data.js';
import { dates } from './generate-operations.js';
import type { ValueGenerator } from './generate-values.js';
import type { Input, InputKind, ItemKind, Limits } from './inputs.js';
import type { Tape } from './tape.js';
import type { Expr, Json, Pairs, Part } from './tree.js';
import { fields, fieldsOf, numbers, requestFields, texts } from './vocabulary.js';

const days = ['2026-01-31', '2026-03-01', '2026-12-24', '2024-02-29', '2025-12-31'] as const;
const times = ['2026-03-01T09:30', '2026-10-25T02:30:00', '2026-03-29T00:30:00Z', '2026-02-28T23:30+02:00'] as const;
const likes = ['*', 'a*', '?*', '##', '@@@', 'A?a', '*.*'] as const;
const addresses = ['ada@example.com', 'x.y@mail.example.org'] as const;
const noAddresses = ['ada@example', 'ada example.com', 'Ada <ada@example.com>', '@example.com', 'a@b@c.com'] as const;
const cells = ['12.50', '5', '-3', '0', 'yes', 'no', 'true', 'false', '1,5', '2026-03-01', 'Ada', '+5 %'] as const;

/** Declares every field that lines of a program read. */
export function generateInputs(tape: Tape): Input[] {
  return requestFields.map((name) => declared(tape, name, usualKind(tape, name)));
}

function declared(tape: Tape, name: string, kind: InputKind): Input {
  if (tape.chance(40)) return { name, kind, presence: 'optional' };
  // A record can't have a default, and neither can a list of them.
  const hasDefault = !/record|anything/.test(kind.is) && !(kind.is === 'list' && kind.of.is === 'record');
  return { name, kind, presence: hasDefault && tape.chance(25) ? { otherwise: defaultOf(tape, kind) } : undefined };
}

const defaultOf = (tape: Tape, kind: InputKind): Json =>
  // Only texts, numbers and yes or no have literals there.
  fitting(tape, kind.is === 'list' && kind.of.is === 'anything' ? { ...kind, of: { is: 'text' } } : kind);

/** Usually a kind whose values suit the lines that read the field. */
function usualKind(tape: Tape, name: string): InputKind {
  // Lines read the fields of its items.
  if (name === 'rows' && tape.chance(10)) return { is: 'anything' };
  if (name !== 'rows' && tape.chance(10)) return anyKind(tape);
  if (name === 'rows') return { is: 'list', of: { is: 'record', fields: rowFields(tape) }, ...count(tape) };
  if (fieldsOf.number.includes(name)) return tape.chance(80) ? numberKind(tape) : { is: 'choice', values: [1, 2.5, 100] };
  if (fieldsOf.text.includes(name))
    return tape.chance(70) ? textKind(tape) : { is: 'choice', values: ['a', 'Ada', 'back\\slash', '"q"', '{'] };
  if (fieldsOf.date.includes(name)) return dateKind(tape);
  if (fieldsOf.list.includes(name)) return { is: 'list', of: itemKind(tape), ...count(tape) };
  return tape.chance(40) ? { is: 'anything' } : anyKind(tape);
}

const rowFields = (tape: Tape): Input[] => [
  declared(tape, 'amount', numberKind(tape)),
  declared(tape, 'a', textKind(tape)),
  declared(tape, 'day', { is: 'date' }),
  ...(['b', 'key', 'items'] as const).map((name): Input => ({ name, kind: { is: 'anything' }, presence: 'optional' })),
];

function anyKind(tape: Tape): InputKind {
  switch (tape.below(6)) {
    case 0:
      return {
        is: 'choice',
        values: tape.one<readonly (string | number)[]>([
          ['a', 'b'],
          [1, 2],
          ['x', 1, '1'],
        ]),
      };
    case 1:
      return { is: 'record', fields: [declared(tape, 'a', itemKind(tape)), declared(tape, 'valueOf', textKind(tape))] };
    case 2:
      return { is: 'list', of: itemKind(tape), ...count(tape) };
    default:
      return itemKind(tape);
  }
}

function itemKind(tape: Tape): ItemKind {
  switch (tape.below(7)) {
    case 0:
      return { is: 'anything' };
    case 1:
      return textKind(tape);
    case 2:
      return { is: 'yes or no' };
    case 3:
      return { is: 'email address' };
    case 4:
      return dateKind(tape);
    default:
      return numberKind(tape);
  }
}

function textKind(tape: Tape): ItemKind {
  const limits = tape.below(8);
  if (limits === 0) return { is: 'text', like: tape.one(likes) };
  if (limits > 3) return { is: 'text' };
  return { is: 'text', ...(limits < 3 && { least: tape.below(3) }), ...(limits > 1 && { most: 2 + tape.below(9) }) };
}

function numberKind(tape: Tape): ItemKind {
  const is = tape.chance(25) ? 'whole number' : 'number';
  return is === 'number'
    ? { is, ...limits(tape, tape.one([-3.5, 0, 0.1, 1]), tape.one([2, 100, 12345.678])) }
    : { is, ...limits(tape, tape.one([-2, 0, 1]), tape.one([3, 100])) };
}

function dateKind(tape: Tape): ItemKind {
  if (tape.chance(60)) return { is: 'date', ...limits(tape, tape.one(['2024-02-29', '2026-01-31']), '2026-12-24') };
  return { is: 'time', ...limits(tape, '2026-02-28T23:30+02:00', tape.one(['2026-10-25T02:30', '2026-03-29T02:30:00Z'])) };
}

function limits<T>(tape: Tape, low: T, high: T): Limits<T> {
  if (tape.chance(70)) return {};
  const least = tape.one<Limits<T>>([{}, { from: low }, { above: low }, { from: low, to: high }]);
  // `from … to …` takes no other limit.
  return least.to === undefined ? { ...least, ...tape.one<Limits<T>>([{}, { to: high }, { below: high }]) } : least;
}

interface Count {
  readonly least?: number;
  readonly most?: number;
}

function count(tape: Tape): Count {
  if (tape.chance(75)) return {};
  const least = tape.below(2);
  return tape.one<Count>([{ least }, { most: 3 }, { least, most: 3 }]);
}

/** A request that usually fits: so the programs get somewhere. @param isText its values are cells of a table */
export function generateRequest(tape: Tape, inputs: readonly Input[] | undefined, isText: boolean): { [key: string]: Json } {
  const request: { [key: string]: Json } = {};
  if (inputs === undefined) {
    for (const field of [...requestFields.slice(0, 10), ...tape.some(4, () => tape.one(fields))])
      putField(request, field, fieldValue(tape, field));
    return request;
  }
  const isValid = tape.chance(75);
  fill(tape, inputs, isValid ? 0 : 12, request);
  if (isText)
    for (const [name, value] of Object.entries(request))
      if (value === null || typeof value !== 'object') putField(request, name, cellOf(tape, value));
  return request;
}

function fill(tape: Tape, inputs: readonly Input[], wrong: number, request: { [key: string]: Json }): void {
  for (const { name, kind, presence } of inputs) {
    if (presence === undefined ? tape.chance(wrong) : tape.chance(25)) {
      if (tape.chance(50)) putField(request, name, tape.one([null, null, '']));
    } else if (tape.chance(wrong)) putField(request, name, tape.chance(50) ? json(tape, 1) : odd(tape));
    else putField(request, name, fitting(tape, kind, wrong));
  }
  if (tape.chance(20)) putField(request, 'undeclared', 'x');
}

/** As a CSV file or a sheet has it. */
function cellOf(tape: Tape, value: Json): Json {
  if (tape.chance(10)) return tape.one(cells);
  if (value === true) return tape.one(['yes', 'true']);
  if (value === false) return tape.one(['no', 'false']);
  return typeof value === 'number' && tape.chance(80) && Math.abs(value) >= 0.000001 ? String(value) : value;
}

const odd = (tape: Tape): Json => tape.one([...noAddresses, ...dates, 0.1 + 0.2, 5, '12', true, [], {}]);

/** A value that fits this kind, except for limits that few values keep. */
export function fitting(tape: Tape, kind: InputKind, wrong = 0): Json {
  switch (kind.is) {
    case 'anything':
      return json(tape, 1);
    case 'yes or no':
      return tape.one([true, false]);
    case 'email address':
      return tape.one(addresses);
    case 'choice':
      return kind.values[tape.below(kind.values.length)] ?? 'a';
    case 'text':
      return text(tape, kind);
    case 'number':
    case 'whole number':
      return number(tape, kind);
    case 'date':
      return within(kind, days, tape);
    case 'time':
      return kind.from === undefined && kind.above === undefined && kind.to === undefined && kind.below === undefined
        ? tape.one(times)
        : '2026-03-01T09:30:00.250Z';
    case 'list': {
      const length = Math.min(Math.max(kind.least ?? 0, tape.below(4)), kind.most ?? 3) + (tape.chance(wrong) ? 3 : 0);
      return Array.from({ length }, () => (tape.chance(wrong) ? odd(tape) : fitting(tape, kind.of, wrong)));
    }
    case 'record': {
      const made: { [key: string]: Json } = {};
      fill(tape, kind.fields, wrong, made);
      return made;
    }
  }
}

function text(tape: Tape, { least = 1, most = 11, like }: Extract<ItemKind, { is: 'text' }>): string {
  if (like !== undefined)
    return { '*': 'x', 'a*': 'ab', '?*': '😀', '##': '07', '@@@': 'éab', 'A?a': 'Ada', '*.*': '..' }[like] ?? 'x';
  const fit = texts.filter((one) => one !== '' && [...one].length >= least && [...one].length <= most);
  return fit[tape.below(fit.length)] ?? 'ab';
}

function number(tape: Tape, { is, from, to, above, below }: Extract<ItemKind, { is: 'number' | 'whole number' }>): number {
  const fit = numbers
    .map(Number)
    .filter((one) => is === 'number' || Number.isInteger(one))
    .filter((one) => one >= (from ?? one) && one <= (to ?? one))
    .filter((one) => (above === undefined || one > above) && (below === undefined || one < below));
  return fit[tape.below(fit.length)] ?? 1;
}

function within({ from, to, above, below }: Limits<string>, all: readonly string[], tape: Tape): string {
  const fit = all
    .filter((one) => one >= (from ?? one) && one <= (to ?? one))
    .filter((one) => (above === undefined || one > above) && (below === undefined || one < below));
  return fit[tape.below(fit.length)] ?? '2026-03-01';
}

/** The request of a called workflow. Without inputs, it is anything. */
export function partPairs(tape: Tape, { workflow: { inputs } }: Part, values: ValueGenerator): Pairs {
  if (inputs === undefined)
    return requestFields.filter(() => tape.chance(25)).map((name) => [name, written(fieldValue(tape, name))] as const);
  return inputs.flatMap(({ name, kind, presence }): Pairs => {
    if (presence === undefined ? tape.chance(2) : tape.chance(70)) return [];
    const usual = kind.is === 'text' ? 'text' : kind.is === 'number' ? 'number' : kind.is === 'list' ? 'list' : 'any';
    if (tape.chance(3)) return [[name, values.typed(usual, 2)]];
    return [[name, written(fitting(tape, kind))]];
  });
}

/** The literal of a value. A number of JSON may have no literal. */
export function written(value: Json): Expr {
  if (value === null || typeof value === 'boolean') return { k: 'constant', value };
  if (typeof value === 'string') return { k: 'text', parts: [value] };
  if (typeof value === 'number') return { k: 'number', written: /^-?\d+(\.\d+)?$/.test(String(value)) ? String(value) : '7' };
  if (Array.isArray(value)) return { k: 'list', items: value.map(written) };
  return { k: 'record', pairs: Object.entries(value).map(([key, item]) => [key, written(item)]) };
}
