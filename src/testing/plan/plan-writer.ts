// Writes the lines of a plan, with their indentation and source text, and reaches the printers of nested blocks.

import { oneLine } from '../../../runtime/values/one-line.js';
import type { Block, Service, Text } from '../../compiler/2-parse/tree.js';
import type { Span } from '../../compiler/diagnostics/diagnostic.js';
import { pathAsWritten } from '../../compiler/vocabulary/field-names.js';
import { printBlock } from './print-block.js';

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

  block(block: Block): void {
    printBlock(this, block);
  }

  /** The statements of a block, one level deeper. */
  nested(block: Block): void {
    this.indented(() => this.block(block));
  }

  /** The text of the file. */
  source({ start, end }: Span): string {
    return this.#source.slice(start, end);
  }

  /** Quoted text without its quotes, with values as `{name}`. */
  textOf({ parts }: Text): string {
    return parts.map((part) => (typeof part === 'string' ? part : `{${pathAsWritten(part)}}`)).join('');
  }
}
