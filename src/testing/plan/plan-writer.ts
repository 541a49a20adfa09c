// The plan while it is printed: its lines, how deep they stand, and the source that they quote.
import { oneLine } from '../../../runtime/one-line.js';
import type { Reference, Service, Text } from '../../compiler/2-parse/tree.js';
import type { Span } from '../../compiler/diagnostics/diagnostic.js';

export class PlanWriter {
  readonly lines: string[] = [];
  readonly services: ReadonlyMap<string, Service>;
  readonly #source: string;
  #depth = 0;

  constructor(source: string, services: ReadonlyMap<string, Service>) {
    this.#source = source;
    this.services = services;
  }

  line(text: string): void {
    this.lines.push(oneLine(`${'    '.repeat(this.#depth)}${text}`));
  }

  indented(print: () => void): void {
    this.#depth++;
    print();
    this.#depth--;
  }

  /** The words of the file. */
  source({ start, end }: Span): string {
    return this.#source.slice(start, end);
  }

  /** Quoted text without its quotes; what is filled in stands as `{name}`. */
  textOf({ parts }: Text): string {
    return parts.map((part) => (typeof part === 'string' ? part : `{${nameOf(part)}}`)).join('');
  }
}

const nameOf = ({ root, fields }: Reference): string => [root, ...fields].join('.');
