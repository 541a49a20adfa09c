// Converts between values of the language and PostgreSQL's text format.
import { types } from 'pg';
import type { Value } from '../../../runtime/types.js';
import { parseJson } from '../../../runtime/values/json.js';
import { show } from '../../../runtime/values/values.js';
import { exactNumber } from './exact-number.js';
import type { BoundValue } from './statement.js';

type Read = (text: string) => Value;

const boolean: Read = (text) => text === 't';
/** PostgreSQL writes doubles with enough digits to restore them. `NaN` and infinities remain text. */
const float: Read = (text) => (/^-?(\d|\.)/.test(text) ? Number(text) : text);
const json: Read = (text) => {
  const parsed = parseJson(text);
  return parsed.ok ? parsed.value : text;
};
/** `\x00ff` → base64, the usual form of bytes in JSON. */
const bytes: Read = (text) => (text.startsWith('\\x') ? Buffer.from(text.slice(2), 'hex').toString('base64') : text);
/** `2026-03-01 09:30:00+00` → `2026-03-01T09:30:00Z`. Leaves `infinity` and years BC unchanged. */
const time: Read = (text) => {
  const [, date, clock, offset = ''] = /^(\d{4,}-\d\d-\d\d) (\d\d:\d\d:\d\d(?:\.\d+)?)([+-]\d\d(?::\d\d)*)?$/.exec(text) ?? [];
  if (date === undefined) return text;
  return `${date}T${clock}${offset === '+00' ? 'Z' : /^[+-]\d\d$/.test(offset) ? `${offset}:00` : offset}`;
};

/** By type (pg_type.oid) and by type of its arrays. All other types remain text. */
const readers = new Map<number, Read>();
const readAs = (read: Read, ...oids: readonly (readonly [one: number, list: number])[]): void => {
  for (const [one, list] of oids) readers.set(one, read).set(list, listOf(read));
};

/** The actual signature; the package's types describe another release. Multidimensional arrays become lists of lists. */
const lists = types.arrayParser as unknown as {
  create(text: string, read: (item: string | null) => Value): { parse(): Value[] };
};

const listOf =
  (read: Read): Read =>
  (text) =>
    lists.create(text, (item) => (item === null ? null : read(item))).parse();

readAs(boolean, [16, 1000]);
readAs(exactNumber, [20, 1016], [21, 1005], [23, 1007], [26, 1028], [1700, 1231]);
readAs(float, [700, 1021], [701, 1022]);
readAs(time, [1114, 1115], [1184, 1185]);
readAs(json, [114, 199], [3802, 3807]);
readAs(bytes, [17, 1001]);
// Text, names, dates, identifiers: only their arrays need parsing.
readAs((text) => text, [25, 1009], [1043, 1015], [1042, 1014], [19, 1003], [1082, 1182], [2950, 2951]);

/** The parser for a type. */
export const postgresReader = (oid: number): Read => readers.get(oid) ?? ((text) => text);

/** PostgreSQL infers the type of a text parameter from its place in the statement. */
export function postgresText(value: BoundValue): string | null {
  return value === null ? null : show(value);
}
