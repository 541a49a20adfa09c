// One statement on its way through PostgreSQL's extended protocol. The server takes one statement only, and each value apart from it; its
// rows are counted as they arrive, and nothing is committed before the last of them was taken.
import { EventEmitter } from 'node:events';
import type { Failure } from '../../../runtime/call-errors.js';
import { mostRows, tooManyRows } from '../../../runtime/connector-errors.js';
import type { Value } from '../../../runtime/types.js';
import { postgresReader } from './postgres-values.js';
import { type Result, RowCollector } from './result.js';
import { Failed } from './session.js';

/** What is used of pg's connection; its types know less than it does. */
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
  /** Bytes of the message after its first one. */
  readonly length: number;
  readonly fields: readonly (string | null)[];
}

/** To be given to pg's `Client.query`, which calls the `handle…` methods. */
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

  /** @param giveUp is called where rows must not be waited for any longer: the connection is of no more use */
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
    // Without a sync: the server commits at that, and it is sent once all rows have been taken.
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
    // The server ignores everything up to the sync after an error of its own.
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
