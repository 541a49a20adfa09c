// Finds the lines of an old version at which a run can begin to differ from one of the new version: a run that reaches none of them does the
// same in both.
import type { Block, Statement } from '../compiler/2-parse/tree.js';
import { assignedBy, blocksOf, statementsIn } from '../compiler/2-parse/walk.js';
import { type Checked, checkFile } from '../compiler/compile.js';
import type { Span } from '../compiler/diagnostics/diagnostic.js';
import { findNames } from '../language-service/names.js';
import { headOf } from './changed-settings.js';

type ComparedText = Pick<Checked, 'text' | 'workflow'>;

/** A block, and where it ends. */
interface Part {
  readonly text: string;
  readonly block: Block;
  readonly end: number;
}

/** `undefined`: any run can differ, because something above the workflow has changed that decides what runs do. */
export function changedLines(old: ComparedText, now: ComparedText): ReadonlySet<number> | undefined {
  if (headOf(old).ofRuns !== headOf(now).ofRuns) return undefined;
  const lines = new Set<number>();
  compare(partOf(old), partOf(namedLike(old, now)), 0, lines);
  return lines;
}

/** The lines at which a change decides what runs do, as far as that can be told. */
export function changedDecisions(old: ComparedText, now: ComparedText): ReadonlySet<number> {
  const lines = changedLines(old, now);
  if (lines !== undefined) return lines;
  const [before, after] = [tablesOf(old), tablesOf(now)];
  const lookUps = [...statementsIn(old.workflow.body)].filter((one) => one.kind === 'look up');
  return new Set(lookUps.filter(({ table: { text } }) => before.get(text) !== after.get(text)).map(({ line }) => line));
}

const tablesOf = ({ workflow: { tables } }: ComparedText): ReadonlyMap<string, string> =>
  new Map(tables.map((table) => [table.name.text, JSON.stringify(table, (key, value) => (PLACES.has(key) ? undefined : value))]));

/** Of a node: they move with the lines above it. */
const PLACES: ReadonlySet<string> = new Set(['span', 'line']);

/** The new version with the names that variables have in the old one, if some have other names: nothing in a run shows them. */
function namedLike(old: ComparedText, now: ComparedText): ComparedText {
  const [before, after] = [variablesOf(old), variablesOf(now)];
  const [gone, added] = [namesIn(before), namesIn(after)].map((names, index, both) =>
    names.filter((name) => both[1 - index]?.includes(name) !== true),
  );
  if (gone === undefined || added === undefined || added.length === 0 || gone.length !== added.length) return now;
  const columns = [old, now].flatMap(({ workflow }) =>
    [...statementsIn(workflow.body)].flatMap((one) => (one.kind === 'look up' ? one.results.map(({ text }) => text) : [])),
  );
  if (columns.some((name) => gone.includes(name) || added.includes(name))) return now;
  const nameOf = new Map(added.map((name, index) => [name, gone[index] ?? name]));
  let text = now.text;
  for (const { span, name } of after.reverse())
    text = text.slice(0, span.start) + (nameOf.get(name) ?? name) + text.slice(span.end);
  const renamed = checkFile(text, 'renamed.wf');
  return renamed.diagnostics.some(({ severity }) => severity === 'error') ? now : renamed;
}

const variablesOf = ({ text, workflow }: ComparedText): { readonly span: Span; readonly name: string }[] =>
  findNames(text, workflow, new Map()).occurrences.flatMap(({ kind, span }) =>
    kind === 'variable' || kind === 'item' ? [{ span, name: text.slice(span.start, span.end) }] : [],
  );

const namesIn = (variables: readonly { readonly name: string }[]): string[] => [...new Set(variables.map(({ name }) => name))];

/**
 * The words of the lines that only one of two texts has, and of the lines that set the variables among them. Among them are the fields of a
 * request that decide whether it shows the change.
 */
export function namesInChanges(old: ComparedText, now: ComparedText): ReadonlySet<string> {
  const linesOf = ({ text }: ComparedText): string[] => text.split('\n').map((line) => line.trim());
  const [before, after] = [new Set(linesOf(old)), new Set(linesOf(now))];
  const changed = [...[...before].filter((line) => !after.has(line)), ...[...after].filter((line) => !before.has(line))];
  const wordsOf = (line: string): readonly string[] => line.match(/[\p{L}_][\p{L}\p{N}_-]*/gu) ?? [];
  const names = new Set(changed.flatMap(wordsOf));
  for (const version of [old, now]) {
    const lines = linesOf(version);
    for (const statement of [...statementsIn(version.workflow.body)].reverse())
      if (assignedBy(statement).some(({ name }) => names.has(name)))
        for (const word of wordsOf(lines[statement.line - 1] ?? '')) names.add(word);
  }
  return names;
}

const partOf = ({ text, workflow: { body } }: ComparedText): Part => ({ text, block: body, end: text.length });

/** @param owner the line that leads into the block */
function compare(old: Part, now: Part, owner: number, lines: Set<number>): void {
  let before = owner;
  for (let index = 0; index < Math.max(old.block.length, now.block.length); index++) {
    const [one, other] = [old.block[index], now.block[index]];
    if (one === undefined || other === undefined || !compareStatements(one, other, endOf(old, index), endOf(now, index)))
      // Lines after this place in the block are reached only through it.
      return void lines.add(one?.line ?? before);
    before = one.line;
  }

  /** Whether both do the same up to their blocks, which are compared one by one. */
  function compareStatements(one: Statement, other: Statement, oneEnd: number, otherEnd: number): boolean {
    const [whole, changed] = [old.text.slice(one.span.start, oneEnd), now.text.slice(other.span.start, otherEnd)];
    if (whole.trimEnd() === changed.trimEnd() || (onlyLogs(one) && onlyLogs(other))) return true;
    const [blocks, others] = [partsIn(one, old.text, oneEnd), partsIn(other, now.text, otherEnd)];
    if (blocks === undefined || others === undefined || blocks.heads !== others.heads) return false;
    for (const [index, part] of blocks.parts.entries()) {
      const second = others.parts[index];
      if (second !== undefined) compare(part, second, one.line, lines);
    }
    return true;
  }
}

/** A line that no run can differ by: nobody compares what is logged, and this never fails. */
const onlyLogs = (statement: Statement): boolean =>
  statement.kind === 'log' &&
  statement.value.kind === 'text' &&
  statement.value.parts.every((part) => typeof part === 'string' || part.fields.length === 0);

const endOf = ({ block, end }: Part, index: number): number => block[index + 1]?.span.start ?? end;

/** The blocks of a statement that consists of nothing else but the lines that lead into them. */
function partsIn(statement: Statement, text: string, end: number): { heads: string; parts: Part[] } | undefined {
  if (!['if', 'for each', 'for each field', 'repeat', 'step'].includes(statement.kind)) return undefined;
  const heads =
    statement.kind === 'if'
      ? [...statement.branches, ...(statement.otherwise === undefined ? [] : [statement.otherwise])].map(({ span }) => span)
      : // The name of a step is only shown.
        statement.kind === 'step'
        ? []
        : [statement.span];
  return {
    heads: heads.map((span) => text.slice(span.start, span.end)).join('\n'),
    parts: blocksOf(statement).map((block, index) => ({ text, block, end: heads[index + 1]?.start ?? end })),
  };
}
