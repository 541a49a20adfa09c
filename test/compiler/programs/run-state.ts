// What a run of the evaluator keeps: its variables, the items of its loops, its log, and what it shares with the runs that it calls.
import type { Answers } from './answers.js';
import { Dates } from './date-operations.js';
import { startOfPrograms } from './seen.js';
import type { Workflow } from './tree.js';
import { isList, isRecord, TooBig, type Val } from './values.js';

/** More steps than any test program needs. A program beyond this is not worth running. */
const MOST_WORK = 20_000;

/** The program reads the time after a wait. */
export class UnknownTime extends Error {}

/** What a run shares with those that it calls. */
export interface World {
  readonly answers: Answers;
  readonly calls: unknown[];
  isUnordered: boolean;
  isCut: boolean;
  /** From then on, `now` and `today` depend on the clock of the run, which is tested elsewhere. */
  hasWaited: boolean;
  work: number;
}

export type LogLine = readonly [what: string, line: number | undefined, text: unknown, step: string | undefined];

/** A name that only exists in a block or an expression. */
export interface Item {
  readonly name: string;
  value: Val;
}

export class RunState {
  readonly workflow: Workflow;
  readonly zone: string;
  readonly world: World;
  readonly dates: Dates;
  readonly logs: LogLine[] = [];
  readonly steps: { readonly name: string; readonly line: number }[] = [];
  readonly failures: Val[] = [];
  request: Val = null;
  variables = new Map<string, Val>();
  items: readonly Item[] = [];
  /** The list that concurrent rounds add to, and what this round has added. */
  added: { readonly name: string; readonly items: Val[] } | undefined;

  constructor(workflow: Workflow, zone: string, world: World) {
    this.workflow = workflow;
    this.zone = zone;
    this.world = world;
    this.dates = new Dates(zone);
  }

  /** The item of the innermost loop of that name, or else the variable. */
  variable(name: string): Val {
    const item = this.items.findLast((one) => one.name === name);
    return item === undefined ? (this.variables.get(name) ?? null) : item.value;
  }

  set(name: string, value: Val): void {
    const item = this.items.findLast((one) => one.name === name);
    if (item === undefined) this.variables.set(name, value);
    else item.value = value;
  }

  /** @throws TooBig if it is more data than a test should hold */
  small(value: Val): Val {
    let size = 0;
    const walk = (part: Val): void => {
      if (++size > 2_000) throw new TooBig();
      if (typeof part === 'string' && part.length > 5_000) throw new TooBig();
      if (isList(part)) part.forEach(walk);
      else if (isRecord(part)) part.forEach(walk);
    };
    walk(value);
    this.world.work += size;
    return value;
  }

  /** The time of `now` and `today`. @throws UnknownTime after a wait */
  get now(): Date {
    if (this.world.hasWaited) throw new UnknownTime();
    return startOfPrograms;
  }

  /** The result of reading something where this name has this value. */
  within<T>(name: string, value: Val, read: () => T): T {
    this.items = [...this.items, { name, value }];
    this.work();
    const result = read();
    this.items = this.items.slice(0, -1);
    return result;
  }

  /** Counts a step of the run. */
  work(): void {
    if (++this.world.work > MOST_WORK) throw new TooBig();
  }

  /** @param down as many steps stay open */
  closeSteps(down = 0): void {
    while (this.steps.length > down) {
      const step = this.steps.at(-1);
      this.entry('end', step?.line, step?.name);
      this.steps.pop();
    }
  }

  entry(what: string, line: number | undefined, text: unknown): void {
    this.logs.push([what, line, text, this.steps.at(-1)?.name]);
  }
}
