// Generates a well-formed program from a tape, along with its request, the answers of its services, and the workflows that it calls.
import { blocksOf } from './calls-in.js';
import { answer } from './generate-data.js';
import { generateInputs, generateRequest } from './generate-inputs.js';
import { endsIn, StatementGenerator } from './generate-statements.js';
import { generateTables } from './generate-tables.js';
import { ValueGenerator } from './generate-values.js';
import type { Input } from './inputs.js';
import { type Counters, Place } from './place.js';
import type { Tape } from './tape.js';
import type { Part, Program, Stmt, Workflow } from './tree.js';

const zones = ['UTC', 'UTC', 'Europe/Berlin', 'America/New_York'] as const;
/** Names of called workflows. */
export const partNames = ['Discounts', 'Rules', 'Limits'] as const;

/** What a called workflow differs in. */
interface PartOptions {
  readonly isConcurrent: boolean;
}

export interface GeneratorOptions {
  /** Percentage of statements that are calls and waits, beyond the usual ones. */
  readonly effects?: number;
  /** It needs no other files. */
  readonly isAlone?: boolean;
  /** Whether it may declare inputs. With those, it may also read a field that they don't declare. */
  readonly hasInputs?: boolean;
}

export class Generator {
  readonly #tape: Tape;
  readonly #effects: number;
  readonly #isAlone: boolean;
  readonly #hasInputs: boolean;
  readonly #counters: Counters = { calls: 0, tables: 0 };

  constructor(tape: Tape, { effects = 0, isAlone = false, hasInputs = true }: GeneratorOptions = {}) {
    this.#tape = tape;
    this.#effects = effects;
    this.#isAlone = isAlone;
    this.#hasInputs = hasInputs;
  }

  program(): Program {
    const tape = this.#tape;
    const isRejected = tape.below(100) >= 88;
    const answers = Array.from({ length: 4 }, () => answer(tape));
    const zone = tape.one(zones);
    const parts = !this.#isAlone && tape.chance(35) ? this.#parts() : [];
    // Only commands read tables.
    const isText = this.#effects === 0 && tape.chance(10);
    const inputs = this.#inputs(tape, 35);
    const request = generateRequest(inputs === undefined ? tape : tape.branch(400), inputs, isText);
    return { ...this.#workflow(tape, parts, inputs, isRejected), zone, request, isText, answers };
  }

  /** Each may call those before it. */
  #parts(): Part[] {
    const parts: Part[] = [];
    for (let left = 1 + this.#tape.below(3); left > 0; left--) parts.push(this.#part(this.#tape.branch(150), [...parts]));
    return parts;
  }

  #part(tape: Tape, before: readonly Part[]): Part {
    const index = before.length;
    const isConcurrent = tape.chance(35);
    const zone = tape.one([undefined, ...zones]);
    const workflow = { ...this.#workflow(tape, before, this.#inputs(tape, 60), tape.chance(15), { isConcurrent }), zone };
    const outputs = [...new Set(outputsIn(workflow.body))];
    const file = `${tape.chance(25) ? 'rules/' : ''}part-${index}.wf`;
    return { service: partNames[index] ?? 'More', file, outputs, isConcurrent, workflow };
  }

  #inputs(tape: Tape, percent: number): Input[] | undefined {
    return this.#hasInputs && tape.chance(percent) ? generateInputs(tape.branch(200)) : undefined;
  }

  #workflow(
    tape: Tape,
    parts: readonly Part[],
    inputs: readonly Input[] | undefined,
    isRejected: boolean,
    part?: PartOptions,
  ): Omit<Workflow, 'zone'> {
    const place = new Place(tape, this.#counters, inputs);
    // A called workflow is short, so that something is left for its caller.
    if (part !== undefined) place.statements = 48;
    const tables = generateTables(tape.branch(300), this.#isAlone ? undefined : this.#counters);
    const { isConcurrent = false } = part ?? {};
    const values = new ValueGenerator(tape, place);
    const statements = new StatementGenerator(tape, place, values, { effects: this.#effects, tables, parts, isConcurrent });
    const calls = tape.chance(80) ? statements.callOfPart() : [];
    const start =
      this.#effects > 0
        ? Array.from({ length: part === undefined ? 3 + tape.below(4) : 1 + tape.below(2) }, () => statements.effect(0))
        : tape.some(part === undefined ? 6 : 2, (): Stmt => ({ k: 'set', line: { at: 0 }, ...statements.assignment(1) }));
    const body = [...calls, ...start, ...statements.block(0, part === undefined ? 12 : 4)];
    const isEnded = endsIn(body) || (part !== undefined && tape.chance(10));
    return { inputs, tables, parts, body: isEnded ? body : [...body, statements.last(isRejected)] };
  }
}

/** What its `complete` statements name. */
function outputsIn(body: readonly Stmt[]): string[] {
  return body.flatMap((statement) => [
    ...(statement.k === 'complete' ? statement.pairs.map(([key]) => key) : []),
    ...blocksOf(statement).flatMap(outputsIn),
  ]);
}
