// Renames what is at a place of a file: every place that names it, and the keys of its test cases that are about it.
import { type IdentifierNode, type MemberNode, parse, type ValueNode } from '@humanwhocodes/momoa';
import { isReference } from '../compiler/1-layout/scan-line.js';
import { statementsIn } from '../compiler/2-parse/walk.js';
import type { TextEdit } from '../compiler/diagnostics/working-fixes.js';
import { fieldsOfPath } from '../compiler/vocabulary/field-names.js';
import type { WfDocument } from './document.js';
import type { Occurrence } from './names.js';

type Renaming =
  | { readonly isPossible: true; readonly edits: readonly TextEdit[]; readonly caseEdits: readonly TextEdit[] }
  /** A sentence. */
  | { readonly isPossible: false; readonly reason: string };

/** Under `on failure:` and in `repeat`, these are not variables. */
const PARTLY_BUILT_IN = new Set(['failure', 'round']);

/** @param cases text of the case file, if there is one */
export function rename(document: WfDocument, offset: number, newName: string, cases: string | undefined): Renaming {
  const name = document.nameAt(offset);
  if (name === undefined) return { isPossible: false, reason: 'Only variables, inputs, services and tables can be renamed.' };
  if (document.definitionOf(name) === undefined || PARTLY_BUILT_IN.has(document.text.slice(name.span.start, name.span.end)))
    return { isPossible: false, reason: 'This name is part of the language, or no line sets it.' };
  if (name.kind === 'variable' && isColumn(document, name))
    return { isPossible: false, reason: 'This is a column of a table: rename it in the table, too.' };
  const isName =
    name.kind === 'table' ? /^[\p{L}_][\p{L}\p{M}\p{Nd}_ -]*$/u.test(newName) : isReference(newName) && !newName.includes('.');
  if (!isName)
    return {
      isPossible: false,
      reason: `"${newName}" can't be a name: it starts with a letter, and has only letters, digits, - and _.`,
    };
  const places = document.placesOf(name);
  const isTaken = document.names.occurrences.some(
    (other) =>
      other.symbol !== name.symbol &&
      other.kind === name.kind &&
      document.text.slice(other.span.start, other.span.end) === newName,
  );
  if (isTaken && name.kind !== 'input')
    return { isPossible: false, reason: `"${newName}" is already something else in this file.` };
  const edits = places.map(({ span }) => ({ span, newText: newName }));
  return { isPossible: true, edits, caseEdits: cases === undefined ? [] : editsOfCases(name, newName, cases) };
}

/** Whether a line takes it from a table, which then has a column of this name. */
function isColumn({ text, checked }: WfDocument, { span }: Occurrence): boolean {
  const name = text.slice(span.start, span.end);
  for (const statement of statementsIn(checked.workflow.body))
    if (statement.kind === 'look up' && statement.results.some((result) => result.text === name)) return true;
  return false;
}

function editsOfCases({ kind, symbol }: Occurrence, newName: string, text: string): TextEdit[] {
  const root = parsed(text);
  const list = root?.type === 'Object' ? fieldOf(root, 'cases') : root;
  const old = symbol.slice(symbol.indexOf(' ') + 1);
  return itemsOf(list).flatMap((one) => {
    if (kind === 'input') return keysAt(fieldOf(one, 'input'), fieldsOfPath(old), newName);
    if (kind !== 'service') return [];
    const calls = itemsOf(fieldOf(fieldOf(one, 'expect'), 'calls'));
    return [
      ...keysAt(fieldOf(one, 'mocks'), [old], newName),
      ...calls.flatMap((call) => nameEdit(fieldOf(call, 'service'), old, newName)),
    ];
  });
}

/** Nothing for a file that is not JSON: `wf test` says so. */
function parsed(text: string): ValueNode | undefined {
  try {
    return parse(text).body;
  } catch {
    return undefined;
  }
}

const itemsOf = (node: ValueNode | undefined): ValueNode[] =>
  node?.type === 'Array' ? node.elements.map(({ value }) => value) : [];

const keyOf = ({ name }: MemberNode): string => (name.type === 'String' ? name.value : name.name);

const fieldOf = (node: ValueNode | undefined, key: string): ValueNode | undefined =>
  node?.type === 'Object' ? node.members.find((member) => keyOf(member) === key)?.value : undefined;

/** The keys at the end of a path; lists on the way are gone through. */
function keysAt(node: ValueNode | undefined, path: readonly string[], newName: string): TextEdit[] {
  if (node?.type === 'Array') return itemsOf(node).flatMap((item) => keysAt(item, path, newName));
  const [first = '', ...rest] = path;
  if (node?.type !== 'Object') return [];
  return node.members
    .filter((member) => keyOf(member) === first)
    .flatMap(({ name, value }) => (rest.length > 0 ? keysAt(value, rest, newName) : nameEdit(name, first, newName)));
}

const nameEdit = (node: ValueNode | IdentifierNode | undefined, old: string, newName: string): TextEdit[] =>
  node?.type === 'String' && node.value === old
    ? [{ span: { start: node.loc.start.offset, end: node.loc.end.offset }, newText: JSON.stringify(newName) }]
    : [];
