// Describes a name or a line: on hovering its meaning, as Markdown with text of the file always in code; and beside a variable its kind.
import type { DeclaredInput, Inputs, Statement } from '../compiler/2-parse/tree.js';
import { assignedBy, statementsIn } from '../compiler/2-parse/walk.js';
import { joinKinds, type Kind, kindName, listKind, requestKind, unknownKind } from '../compiler/3-check/kinds/kind.js';
import { kindOf } from '../compiler/3-check/kinds/kind-of.js';
import type { Span } from '../compiler/diagnostics/diagnostic.js';
import { fieldsOfPath } from '../compiler/vocabulary/field-names.js';
import type { WfDocument } from './document.js';
import type { Occurrence } from './names.js';

/** Characters of a value. */
const LONGEST_VALUE = 200;

interface Hover {
  readonly span: Span;
  readonly markdown: string;
}

/** The values of a test case's run at each line. */
export interface CaseValues {
  readonly name: string;
  /** By line, in a few words each: `total = 500`, `500 is above 100: yes`. */
  readonly lines: ReadonlyMap<number, readonly string[]>;
  /** Its request, without secrets. */
  readonly request: unknown;
}

export function hover(document: WfDocument, offset: number, values?: CaseValues): Hover | undefined {
  const found = about(document, offset);
  if (found === undefined || values === undefined) return found;
  const shown = valuesAt(document, offset, values);
  if (shown.length === 0) return found;
  return {
    ...found,
    markdown: `${found.markdown}\n\nIn the case ${inline(JSON.stringify(values.name))}:${code(shown.join('\n'))}`,
  };
}

/** Text of the file within a sentence. */
const inline = (text: string): string => `\`\`${text.replaceAll('`', "'").replace(/\s+/g, ' ')}\`\``;

/** The value of the name at a place: what the last line up to there set. Otherwise, what is known of the line. */
function valuesAt(document: WfDocument, offset: number, { lines, request }: CaseValues): readonly string[] {
  const number = document.lineMap.lineAt(offset);
  const own = lines.get(number) ?? [];
  const name = document.nameAt(offset);
  if (name === undefined) return own;
  if (name.kind === 'input') {
    let value = request;
    for (const field of fieldsOfPath(name.symbol.slice('input '.length)))
      value = typeof value === 'object' && value !== null && Object.hasOwn(value, field) ? Reflect.get(value, field) : undefined;
    return value === undefined ? own : [short(JSON.stringify(value))];
  }
  if (name.kind !== 'variable') return own;
  const start = `${document.text.slice(name.span.start, name.span.end)} = `;
  const set = [...lines].filter(([line]) => line <= number).sort(([one], [other]) => other - one);
  const found = set.flatMap(([, notes]) => notes.filter((note) => note.startsWith(start)))[0];
  return found === undefined ? own : [found];
}

const short = (text: string): string => (text.length <= LONGEST_VALUE ? text : `${text.slice(0, LONGEST_VALUE - 1)}…`);

function about(document: WfDocument, offset: number): Hover | undefined {
  const name = document.nameAt(offset);
  if (name !== undefined) return { span: name.span, markdown: aboutName(document, name) };
  const number = document.lineMap.lineAt(offset);
  const line = document.byNumber.get(number);
  if (line === undefined || offset < line.start || offset > line.end) return undefined;
  const kind = statementAt(document, number)?.kind ?? 'broken';
  return kind === 'broken' ? undefined : { span: { start: line.start, end: line.end }, markdown: sentences[kind] };
}

/** Code that can't be taken for anything else, whatever the file contains. */
const code = (text: string): string => `\n\n\`\`\`\`wf\n${text.replaceAll('````', '` ` ` `')}\n\`\`\`\``;

function aboutName(document: WfDocument, name: Occurrence): string {
  const definition = document.definitionOf(name);
  const declared = definition === undefined ? '' : code(document.lineOf(definition.span.start));
  const shown = document.text.slice(name.span.start, name.span.end);
  switch (name.kind) {
    case 'input': {
      const field = inputAt(document.checked.workflow.inputs, fieldsOfPath(name.symbol.slice('input '.length)));
      return `An input${field === undefined ? '' : `: ${document.text.slice(field.kind.span.start, field.kind.span.end)}`}.${declared}`;
    }
    case 'service':
      return `A service.${declared}`;
    case 'table':
      return `A decision table.${declared}`;
    case 'item':
      return `The item of a loop.${declared}`;
    case 'variable': {
      const kind = kindsOf(document).get(shown) ?? unknownKind;
      const words = kind.is === 'unknown' ? 'A variable' : `A variable: ${kindName(kind)}`;
      return `${words}. It is first set here:${declared}`;
    }
  }
}

function inputAt(inputs: Inputs | undefined, path: readonly string[]): DeclaredInput | undefined {
  const [first, ...rest] = path;
  const field = inputs?.fields.find(({ name }) => name.text === first);
  if (field === undefined || !('fields' in field)) return undefined;
  return rest.length === 0 ? field : inputAt(field.fields, rest);
}

/** The kinds of variables, as far as the lines that set them show. */
export function kindsOf({ checked }: WfDocument): ReadonlyMap<string, Kind> {
  const { workflow, facts } = checked;
  const kinds = new Map<string, Kind>();
  if (facts.inputs !== undefined) kinds.set('request', requestKind(facts.inputs, workflow.inputs?.isWhole === true));
  for (const statement of statementsIn(workflow.body))
    for (const { name, value, span } of assignedBy(statement)) {
      // A variable that a line with a mistake may set has no known kind.
      if (span === undefined) continue;
      const kind = value === 'list' ? listKind : value === 'unknown' ? unknownKind : kindOf(value, (other) => kinds.get(other));
      const known = kinds.get(name);
      kinds.set(name, known === undefined ? kind : joinKinds(known, kind));
    }
  return kinds;
}

/** The statement that begins on a line. */
export function statementAt({ checked }: WfDocument, number: number): Statement | undefined {
  for (const statement of statementsIn(checked.workflow.body)) if (statement.line === number) return statement;
  return undefined;
}

const sentences: Readonly<Record<Exclude<Statement['kind'], 'broken'>, string>> = {
  step: 'A named part of the workflow.',
  'at the same time': 'Runs the lines below at the same time, until all have ended.',
  set: 'Sets a variable or a field.',
  add: 'Appends a value to a list.',
  log: 'Writes a line to the log of the run.',
  if: 'Runs the lines below if the condition is true.',
  'for each': 'Runs the lines below once for each item of a list.',
  'for each field': 'Runs the lines below once for each field of a record.',
  repeat: 'Runs the lines below several times.',
  skip: 'Goes on with the next round of the loop.',
  stop: 'Leaves the loop.',
  wait: 'Waits for this long.',
  'wait until': 'Waits until a date or time.',
  'wait for': 'Waits for a message.',
  'look up': 'Takes the first row of a table that fits, and sets variables to its results.',
  call: 'Calls a service. The lines below say what to keep of its answer, and what to do if it fails.',
  ask: 'Asks a person or an AI.',
  complete: 'Ends the run as completed, with these outputs.',
  reject: 'Ends the run as rejected, with this reason.',
};

/** The kind of a variable, beside the place where it is first set. */
export interface Hint {
  /** Where it is shown: after the name. */
  readonly offset: number;
  readonly label: string;
}

export function inlayHints(document: WfDocument): Hint[] {
  const kinds = kindsOf(document);
  const seen = new Set<string>();
  return document.names.occurrences.flatMap(({ kind, isDefinition, symbol, span }) => {
    if (kind !== 'variable' || !isDefinition || seen.has(symbol)) return [];
    seen.add(symbol);
    const known = kinds.get(document.text.slice(span.start, span.end));
    return known === undefined || known.is === 'unknown' ? [] : [{ offset: span.end, label: kindName(known) }];
  });
}
