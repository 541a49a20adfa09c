// A file as an editor has it, with errors or without: takes its text, gives what every feature needs. Each part is computed once, when it is
// first asked for. Positions are UTF-16 offsets.
import { layout } from '../compiler/1-layout/layout.js';
import type { Line } from '../compiler/1-layout/line.js';
import { readLines } from '../compiler/2-parse/read-lines.js';
import { type Checked, type CheckOptions, checkFile, checkInTurns } from '../compiler/compile.js';
import { createLineMap } from '../compiler/diagnostics/locate.js';
import { type InTurns, runToEnd } from '../compiler/in-turns.js';
import { reindented } from '../format/format.js';
import { findNames, type Names, type Occurrence } from './names.js';

type LineMap = ReturnType<typeof createLineMap>;

export class WfDocument {
  readonly text: string;
  /** As messages name it. */
  readonly file: string;
  readonly #options: CheckOptions;
  #checked: Checked | undefined;
  #explained: Checked | undefined;
  #lines: readonly Line[] | undefined;
  #byNumber: Map<number, Line> | undefined;
  #names: Names | undefined;
  #lineMap: LineMap | undefined;
  #reindented: { readonly text: string | undefined } | undefined;

  constructor(text: string, file: string, options: CheckOptions = {}) {
    this.text = text;
    this.file = file;
    this.#options = options;
  }

  /** Its messages have no fixes. */
  get checked(): Checked {
    this.#checked ??= this.#explained ?? checkFile(this.text, this.file, { ...this.#options, offersFixes: false });
    return this.#checked;
  }

  /** With the fixes that work. Trying them takes a check each. */
  get explained(): Checked {
    return runToEnd(this.explainedInTurns());
  }

  *explainedInTurns(): InTurns<Checked> {
    this.#explained ??=
      this.#checked?.diagnostics.length === 0 ? this.#checked : yield* checkInTurns(this.text, this.file, this.#options);
    return this.#explained;
  }

  /** The lines at the margin. */
  get lines(): readonly Line[] {
    this.#lines ??= readLines(layout(this.text).tokens);
    return this.#lines;
  }

  /** Every line with tokens, by its number. */
  get byNumber(): ReadonlyMap<number, Line> {
    if (this.#byNumber === undefined) {
      this.#byNumber = new Map();
      for (const line of allLines(this.lines)) this.#byNumber.set(line.number, line);
    }
    return this.#byNumber;
  }

  get names(): Names {
    if (this.#names === undefined) {
      const { workflow, diagnostics } = this.checked;
      const faulty = diagnostics.filter(({ severity }) => severity === 'error').map(({ line }) => line);
      this.#names = findNames(this.text, workflow, this.byNumber, faulty);
    }
    return this.#names;
  }

  get lineMap(): LineMap {
    this.#lineMap ??= createLineMap(this.text);
    return this.#lineMap;
  }

  /** The line at an offset, as written. */
  lineOf(offset: number): string {
    return this.lineMap.textOf(this.lineMap.lineAt(offset)).trim();
  }

  /** The text with four spaces a level, if its levels are equally wide, but not that. */
  get reindented(): string | undefined {
    this.#reindented ??= { text: reindented(this.text) };
    return this.#reindented.text;
  }

  /** The name at this offset, or directly before it. */
  nameAt(offset: number): Occurrence | undefined {
    return this.names.occurrences.find(({ span }) => span.start <= offset && offset <= span.end);
  }

  /** All places that name the same thing. */
  placesOf({ symbol }: Occurrence): Occurrence[] {
    return this.names.occurrences.filter((other) => other.symbol === symbol);
  }

  /** Where a thing is declared or first set. */
  definitionOf(occurrence: Occurrence): Occurrence | undefined {
    return this.placesOf(occurrence).find(({ isDefinition }) => isDefinition);
  }
}

/** Lines and those under them, in the order of the file. */
export function* allLines(lines: readonly Line[]): Iterable<Line> {
  for (const line of lines) {
    yield line;
    yield* allLines(line.children);
  }
}
