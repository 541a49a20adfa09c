// Runs one statement through PostgreSQL's extended protocol, which accepts a single statement and sends values separately. Rows are
// counted as they arrive, and nothing is committed before the last one has been read.
import { EventEmitter } from 'node:events';
import { types } from 'pg';
import type { Failure } from '../../../runtime/services/call-errors.js';
import { mostRows, tooManyRows } from '../../../runtime/services/connector-errors.js';
import type { Value } from '../../../runtime/types.js';
import { parseJson } from '../../../runtime/values/json.js';
import { show } from '../../../runtime/values/values.js';
import { exactNumber } from './exact-number.js';
import { type Result, RowCollector } from './result.js';
import { Failed } from './session.js';
import type { BoundValue } from './statement.js';

/** Methods of pg's connection, some of which its types leave out. */
interface Wire {
  parse(message: { text: string; name: string; types: readonly number[] }): void;
  bind(message: { portal: string; statement: string; values: readonly (string | null)[]; binary: boolean }): void;
  describe(message: { type: 'P'; name: string }): void;
  execute(message: { portal: string; rows: number }): void;
  flush(): void;
  sync(): void;
  sendCopyFail(reason: string): void;
}

interface Field {
  readonly name: string;
  readonly dataTypeID: number;
}

interface DataRow {
  /** Length of the message in bytes, without its first byte. */
  readonly length: number;
  readonly fields: readonly (string | null)[];
}

/** For pg's `Client.query`, which calls the `handle…` methods. */
export class PostgresQuery extends EventEmitter {
  readonly result: Promise<Result>;
  readonly #text: string;
  readonly #values: readonly (string | null)[];
  readonly #collector = new RowCollector();
  #resolve: (result: Result) => void = () => {};
  #reject: (error: unknown) => void = () => {};
  #columns: readonly string[] | undefined;
  #readers: readonly ((text: string) => Value)[] = [];
  #affected = 0;
  #ended = false;

  /** @param giveUp called when the result is too large; the connection can't be used again */
  constructor(
    text: string,
    values: readonly (string | null)[],
    private readonly giveUp: () => void,
  ) {
    super();
    this.#text = text;
    this.#values = values;
    this.result = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    this.result.catch(() => {});
  }

  submit(wire: Wire): void {
    wire.parse({ text: this.#text, name: '', types: [] });
    wire.bind({ portal: '', statement: '', values: this.#values, binary: false });
    wire.describe({ type: 'P', name: '' });
    wire.execute({ portal: '', rows: mostRows + 1 });
    // No sync yet: the server commits when it receives one, and all rows have to be read before that.
    wire.flush();
  }

  handleRowDescription({ fields }: { readonly fields: readonly Field[] }): void {
    this.#columns = fields.map(({ name }) => name);
    this.#readers = fields.map(({ dataTypeID }) => postgresReader(dataTypeID));
  }

  handleDataRow({ length, fields }: DataRow): void {
    if (this.#ended) return;
    const row = fields.map((text, index) => (text === null ? null : (this.#readers[index]?.(text) ?? null)));
    const problem = this.#collector.add(row, length - 6 - 4 * fields.length);
    if (problem !== undefined) this.#stop(problem);
  }

  handlePortalSuspended(): void {
    this.#stop(tooManyRows());
  }

  handleCommandComplete({ text }: { readonly text: string }, wire: Wire): void {
    this.#affected = Number(/ (\d+)$/.exec(text)?.[1] ?? 0);
    wire.sync();
  }

  handleEmptyQuery(wire: Wire): void {
    wire.sync();
  }

  handleCopyInResponse(wire: Wire): void {
    wire.sendCopyFail('no data comes with this call');
  }

  handleCopyData(): void {}

  handleReadyForQuery(): void {
    if (this.#ended) return;
    this.#ended = true;
    const columns = this.#columns === undefined ? {} : { columns: this.#columns };
    this.#resolve({ ...columns, rows: this.#collector.rows, affected: this.#affected });
  }

  handleError(error: Error, wire: Wire): void {
    // After an error, the server ignores everything until the next sync.
    if ('severity' in error) wire.sync();
    this.#fail(error);
  }

  #stop(problem: Failure): void {
    this.#fail(new Failed(problem));
    this.giveUp();
  }

  #fail(error: unknown): void {
    this.#ended = true;
    this.#reject(error);
  }
}

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
const postgresReader = (oid: number): Read => readers.get(oid) ?? ((text) => text);

/** PostgreSQL infers the type of a text parameter from its place in the statement. */
export function postgresText(value: BoundValue): string | null {
  return value === null ? null : show(value);
}
