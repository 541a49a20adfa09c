// The values that a run had at each line: what it set, what its conditions compared, the row that fitted, the item of a round. From executing
// the run once more, when someone looks.
import type { BranchOfRun, Redactor, Value } from '../../runtime/types.js';
import { jsonSize } from '../../runtime/values/json.js';
import { isRecord } from '../../runtime/values/record.js';
import type { Expression, If, Reference, Statement } from '../compiler/2-parse/tree.js';
import { isLoop, referencesIn, statementsIn } from '../compiler/2-parse/walk.js';
import type { Emitted } from '../compiler/compile.js';
import { valueKnown } from './alternatives.js';
import { branchTaken, type ExplainedRun } from './explain-run.js';
import { type BranchValues, FollowedValues } from './followed-values.js';

/** The facts about a line, in a few words each, and the number of those left out. */
export interface LineValues {
  readonly shown: readonly string[];
  readonly more: number;
}

/** Notes to keep of each line: a loop may come by thousands of times. */
const MOST_OF_A_LINE = 3;
/** Characters of a value. */
const LONGEST = 60;

/** Formats a note when the secrets of the run are known. */
type Note = (redactor: Redactor) => string;

type Recalled = Pick<ExplainedRun, 'checked' | 'reachable' | 'request' | 'execute'>;

/** @param only notes inside these loops in these rounds: line of the loop, and the round from 1 */
export async function valuesBeside(
  run: Recalled,
  only: readonly (readonly [line: number, round: number])[] = [],
): Promise<ReadonlyMap<number, LineValues>> {
  const notes = new Notes(run, only);
  const { redactor } = await run.execute(run.request, {
    onReach: (index, _stored, branch) => notes.reach(run.reachable[index], branch),
    onLog(entry, branch) {
      if (entry.type === 'set' && typeof entry.name === 'string')
        notes.set(entry.name, entry.value ?? null, entry.line ?? 0, branch);
    },
  });
  return notes.written(redactor);
}

class Notes {
  readonly #run: Recalled;
  readonly #only: ReadonlyMap<number, number>;
  readonly #statements: readonly Statement[];
  readonly #ifs: readonly If[];
  /** The last line inside each loop, by its line. */
  readonly #loops = new Map<number, number>();
  readonly #known: FollowedValues;
  /** Of the branch that was heard of last. */
  #scope: BranchValues;
  readonly #notes = new Map<number, { readonly kept: Note[]; more: number }>();
  /** The line of the statement that is being executed. */
  #line = 0;

  constructor(run: Recalled, only: readonly (readonly [line: number, round: number])[]) {
    this.#run = run;
    this.#only = new Map(only);
    this.#statements = [...statementsIn(run.checked.workflow.body)];
    this.#ifs = this.#statements.filter((statement) => statement.kind === 'if');
    for (const loop of this.#statements) {
      if (!isLoop(loop.kind)) continue;
      const inside = 'body' in loop && Array.isArray(loop.body) ? [...statementsIn(loop.body)] : [];
      this.#loops.set(loop.line, Math.max(loop.line, ...inside.map(({ line }) => line)));
    }
    this.#known = new FollowedValues(run.checked, this.#statements, [['request', run.request]]);
    this.#scope = this.#known.scopeOf(undefined);
  }

  set(name: string, value: Value, line: number, branch: BranchOfRun | undefined): void {
    this.#scope = this.#known.scopeOf(branch);
    this.#scope.values.set(name, value);
    this.#note(line, (redactor) => `${name} = ${briefly(value, redactor)}`);
  }

  reach(place: Emitted['reachable'][number] | undefined, branch: BranchOfRun | undefined): void {
    if (place === undefined) return;
    const loop = this.#known.reach(place, branch);
    this.#scope = this.#known.scopeOf(branch);
    if (place.kind === 'statement') this.#line = place.line;
    else if (place.kind === 'row') {
      const { line, text, file } = place;
      const at = this.#line;
      this.#note(at, (redactor) =>
        redactor.text(file === undefined ? `the row in line ${line} fits` : `${text} of ${file} fits`),
      );
      if (file === undefined) this.#note(line, () => `fits in line ${at}`);
    } else if (loop === undefined) this.#decide(place);
    else if (loop.kind === 'for each') {
      const item = this.#scope.values.get(loop.item.text);
      const round = this.#scope.rounds.get(loop.line) ?? 0;
      if (item !== undefined && (this.#only.get(loop.line) ?? round) === round)
        this.#note(loop.line, (redactor) => `${round}: ${briefly(item, redactor)}`);
    }
  }

  /** Each condition up to the branch that was taken. */
  #decide(place: Emitted['reachable'][number]): void {
    const taken = branchTaken(this.#ifs, place.line, place.text);
    if (taken === undefined) return;
    for (const [index, { condition, line }] of taken.statement.branches.entries()) {
      if (index > taken.index) return;
      const words = this.#isFull(line) ? undefined : this.#condition(condition);
      const answer = index === taken.index ? 'yes' : 'no';
      this.#note(line, (redactor) => `${words === undefined ? '' : `${words(redactor)}: `}${answer}`);
    }
  }

  /** The condition with values in place of the names; `undefined` if it has none that are known. */
  #condition(condition: Expression): Note | undefined {
    const { text } = this.#run.checked;
    const found = outermost([...referencesIn(condition)]).flatMap((reference) => {
      const value = valueKnown(text, reference, this.#scope.values);
      return value === undefined ? [] : [{ span: reference.span, value }];
    });
    if (found.length === 0) return undefined;
    return (redactor) => {
      let shown = '';
      let at = condition.span.start;
      for (const { span, value } of found) {
        shown += `${text.slice(at, span.start)}${briefly(value, redactor)}`;
        at = span.end;
      }
      return redactor.text(`${shown}${text.slice(at, condition.span.end)}`.replace(/\s+/g, ' '));
    };
  }

  #isFull = (line: number): boolean => (this.#notes.get(line)?.kept.length ?? 0) >= MOST_OF_A_LINE;

  #note(line: number, note: Note): void {
    if (!this.#counts(line)) return;
    const known = this.#notes.get(line);
    if (known === undefined) this.#notes.set(line, { kept: [note], more: 0 });
    else if (known.kept.length < MOST_OF_A_LINE) known.kept.push(note);
    else known.more++;
  }

  /** Whether a line is in the chosen rounds of the loops around it. */
  #counts(line: number): boolean {
    for (const [loop, round] of this.#only) {
      const last = this.#loops.get(loop) ?? loop;
      if (loop < line && line <= last && this.#scope.rounds.get(loop) !== round) return false;
    }
    return true;
  }

  written(redactor: Redactor): Map<number, LineValues> {
    return new Map([...this.#notes].map(([line, { kept, more }]) => [line, { shown: kept.map((note) => note(redactor)), more }]));
  }
}

/** In the order of the text, without those that are part of another. */
const outermost = (references: Reference[]): Reference[] =>
  references
    .sort((one, other) => one.span.start - other.span.start || other.span.end - one.span.end)
    .filter(({ span }, index, all) => !all.slice(0, index).some((other) => other.span.end >= span.end));

/** Large values are only described: walking them for each line would take too long. */
function briefly(value: Value, redactor: Redactor): string {
  if (value === null || value === undefined) return 'empty';
  if (typeof value === 'string') return cut(JSON.stringify(redactor.text(value.slice(0, 4 * LONGEST))));
  if (typeof value === 'object' && jsonSize(value, 2 * LONGEST) > 2 * LONGEST)
    return Array.isArray(value) ? count(value.length, 'item') : count(Object.keys(value).length, 'field');
  const clean = redactor.value(value);
  return cut(isRecord(clean) || Array.isArray(clean) ? JSON.stringify(clean) : redactor.text(String(clean)));
}

const count = (size: number, noun: string): string => `${size} ${noun}${size === 1 ? '' : 's'}`;

const cut = (text: string): string => (text.length <= LONGEST ? text : `${text.slice(0, LONGEST - 1)}…`);
