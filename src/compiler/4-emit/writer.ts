// Collects the lines of the module together with their positions in the `.wf` file.
import { encode, type SourceMapMappings } from '@jridgewell/sourcemap-codec';

export interface SourceMap {
  readonly version: 3;
  readonly sources: readonly string[];
  readonly sourcesContent: readonly string[];
  readonly names: readonly string[];
  readonly mappings: string;
}

/** A place in the source, both counted from 0. */
export interface Origin {
  readonly line: number;
  readonly column: number;
}

export class Writer {
  readonly #lines: string[] = [];
  readonly #mappings: SourceMapMappings = [];
  #depth = 0;

  /** Adds one line; `origin` maps it to the source. */
  line(code: string, origin?: Origin): void {
    const indent = '  '.repeat(this.#depth);
    this.#lines.push(code === '' ? '' : indent + code);
    this.#mappings.push(origin === undefined ? [] : [[indent.length, 0, origin.line, origin.column]]);
  }

  /** Adds the lines that `body` writes, one level deeper. */
  indented(body: () => void): void {
    this.#depth++;
    body();
    this.#depth--;
  }

  /** Number of lines. */
  get length(): number {
    return this.#lines.length;
  }

  /** Inserts lines before the line at `index`, at the current depth; `origin` maps them to the source. */
  insert(index: number, lines: readonly string[], origin?: Origin): void {
    const indent = '  '.repeat(this.#depth);
    this.#lines.splice(index, 0, ...lines.map((line) => (line === '' ? '' : indent + line)));
    const mapping = (): SourceMapMappings[number] =>
      origin === undefined ? [] : [[indent.length, 0, origin.line, origin.column]];
    this.#mappings.splice(index, 0, ...lines.map(mapping));
  }

  /** Inserts lines at the depth of the next line. */
  insertIndented(index: number, lines: readonly string[]): void {
    this.insert(
      index,
      lines.map((line) => '  '.repeat(this.#depth) + line),
    );
  }

  get code(): string {
    return `${this.#lines.join('\n')}\n`;
  }

  sourceMap(source: string, content: string): SourceMap {
    return { version: 3, sources: [source], sourcesContent: [content], names: [], mappings: encode(this.#mappings) };
  }
}
