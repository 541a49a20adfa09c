// Finds every place of a file that names something: a variable, the item of a loop, a service, a table, a declared input. Lines that can't be
// parsed count, too, by their words.
import { tokenClass, wordCharacter } from '../compiler/1-layout/alphabet.js';
import { type Line, tokenSpan, tokenText } from '../compiler/1-layout/line.js';
import { isReference } from '../compiler/1-layout/scan-line.js';
import type { Block, Expression, Inputs, Reference, Statement, Workflow } from '../compiler/2-parse/tree.js';
import { assignedBy, blocksOf, expressionsOf, localsOf, operandsOf, statementsIn } from '../compiler/2-parse/walk.js';
import type { Span } from '../compiler/diagnostics/diagnostic.js';
import { fieldsOfPath, pathParts, writtenField } from '../compiler/vocabulary/field-names.js';

type SymbolKind = 'variable' | 'item' | 'service' | 'table' | 'input';

export interface Occurrence {
  readonly span: Span;
  readonly kind: SymbolKind;
  /** Equal for all places that name the same thing. */
  readonly symbol: string;
  readonly isDefinition: boolean;
}

/** A name that exists only in the lines under a loop. */
export interface LocalName {
  readonly name: string;
  /** Of the loop, 1-based. */
  readonly line: number;
}

export interface Names {
  /** By position. */
  readonly occurrences: readonly Occurrence[];
  readonly locals: readonly LocalName[];
}

type Scope = ReadonlyMap<string, string>;

const USING = wordCharacter('using') ?? '';
const WITH = wordCharacter('with');
const AND = wordCharacter('and');
const VALUES = [tokenClass.name, tokenClass.path, tokenClass.number, tokenClass.text];
/** These give items of a list, or the list in another order. */
const CHOOSING: ReadonlySet<string> = new Set(['first of', 'last of', 'reversed']);
/** Lines that name what they set or loop over in a place of its own, whatever follows. */
const DEFINING =
  /^(?:set ([\p{L}_][\p{L}\p{M}\p{Nd}_-]*) to\b|save the .* as ([\p{L}_][\p{L}\p{M}\p{Nd}_-]*)$|for each ([\p{L}_][\p{L}\p{M}\p{Nd}_-]*) (?:and ([\p{L}_][\p{L}\p{M}\p{Nd}_-]*) )?in\b)/du;

/** @param lines of the layout, by number @param faulty numbers of lines with an error, which may not be part of the tree */
export function findNames(
  text: string,
  workflow: Workflow,
  lines: ReadonlyMap<number, Line>,
  faulty: readonly number[] = [],
): Names {
  const finder = new NameFinder(text, lines);
  finder.declarations(workflow);
  finder.block(workflow.body, new Map());
  for (const number of faulty) finder.words(lines.get(number), new Map());
  return finder.names;
}

class NameFinder {
  readonly #text: string;
  readonly #lines: ReadonlyMap<number, Line>;
  readonly #found = new Map<number, Occurrence>();
  readonly #locals: LocalName[] = [];
  readonly #services = new Set<string>();
  readonly #inputs = new Set<string>();
  /** Of items of lists in the request, by their symbols, and of variables that only one line sets: where in the request they are from. */
  readonly #origins = new Map<string, string>();
  readonly #timesSet = new Map<string, number>();

  constructor(text: string, lines: ReadonlyMap<number, Line>) {
    this.#text = text;
    this.#lines = lines;
  }

  get names(): Names {
    const occurrences = [...this.#found.values()].sort((one, other) => one.span.start - other.span.start);
    return { occurrences, locals: this.#locals };
  }

  declarations({ services, tables, inputs, body }: Workflow): void {
    for (const { name } of services) {
      this.#services.add(name.text);
      this.#add(name.span, 'service', name.text, true);
    }
    for (const service of services)
      if (service.kind === 'person' && service.notifiedBy !== undefined && this.#services.has(service.notifiedBy.text))
        this.#add(service.notifiedBy.span, 'service', service.notifiedBy.text, false);
    for (const { name } of tables) this.#add(name.span, 'table', name.text, true);
    if (inputs !== undefined) this.#declaredInputs(inputs, '');
    for (const statement of statementsIn(body))
      for (const { name } of assignedBy(statement)) this.#timesSet.set(name, (this.#timesSet.get(name) ?? 0) + 1);
  }

  #declaredInputs({ fields }: Inputs, owner: string): void {
    for (const field of fields) {
      const path = `${owner}${writtenField(field.name.text)}`;
      this.#inputs.add(path);
      this.#add(field.name.span, 'input', path, true);
      if ('fields' in field && field.fields !== undefined) this.#declaredInputs(field.fields, `${path}.`);
    }
  }

  /** Only where the text has the name, so that nothing else is ever changed. */
  #add(span: Span, kind: SymbolKind, name: string, isDefinition: boolean, symbol = `${kind} ${name}`): void {
    const shown = kind === 'input' ? (pathParts(name).at(-1)?.written ?? '') : name;
    if (this.#found.has(span.start) || this.#text.slice(span.start, span.end).replace(/\s+/g, ' ') !== shown) return;
    this.#found.set(span.start, { span, kind, symbol, isDefinition });
  }

  #variable(span: Span, name: string, scope: Scope, isDefinition: boolean): void {
    const local = scope.get(name);
    this.#add(span, local === undefined ? 'variable' : 'item', name, isDefinition && local === undefined, local);
  }

  block(block: Block, scope: Scope): void {
    for (const statement of block) this.#statement(statement, scope);
  }

  #statement(statement: Statement, scope: Scope): void {
    for (const { expression } of expressionsOf(statement)) this.#expression(expression, scope);
    for (const { name, span } of assignedBy(statement)) if (span !== undefined) this.#variable(span, name, scope, true);
    if (statement.kind === 'call' || statement.kind === 'ask')
      this.#add(statement.service.span, 'service', statement.service.text, false);
    if (statement.kind === 'look up') this.#add(statement.table.span, 'table', statement.table.text, false);
    if (statement.kind === 'set' && statement.fields.length === 0 && this.#timesSet.get(statement.target.text) === 1)
      this.#cameFrom(`variable ${statement.target.text}`, statement.value, scope);
    const inner = new Map(scope);
    if (statement.kind === 'broken') this.#broken(this.#lines.get(statement.line), statement.body, inner);
    // A branch whose condition could not be parsed has its whole line in place of it.
    if (statement.kind === 'if')
      for (const { condition, line, span, body } of statement.branches)
        if (condition.span === span) this.#broken(this.#lines.get(line), body, inner);
    // As in the filter of the loop, which has the same item.
    for (const { text, span } of localsOf(statement)) this.#item(text, span, statement.line, inner);
    if (statement.kind === 'for each') this.#cameFrom(inner.get(statement.item.text), statement.list, scope);
    for (const under of blocksOf(statement)) this.block(under, inner);
  }

  #expression(expression: Expression, scope: Scope): void {
    if (expression.kind === 'reference') this.#reference(expression, scope);
    let inside = scope;
    if (expression.kind === 'iteration') {
      const { item } = expression;
      const symbol = `item ${item.text} ${item.span.start}`;
      inside = new Map(scope).set(item.text, symbol);
      this.#add(item.span, 'item', item.text, true, symbol);
      this.#cameFrom(symbol, expression.list, scope);
    }
    if (expression.kind === 'arranged' && expression.pathSpan !== undefined) {
      const origin = this.#originOf(expression.list, scope);
      if (origin !== undefined) this.#inputPath(expression.path, expression.pathSpan.start, origin);
    }
    for (const { expression: operand } of operandsOf(expression))
      this.#expression(operand, expression.kind === 'iteration' && operand === expression.list ? scope : inside);
  }

  /** @param symbol of a variable with this value, or of the item of a loop over it: a list and its items have the same fields */
  #cameFrom(symbol: string | undefined, value: Expression, scope: Scope): void {
    const origin = this.#originOf(value, scope);
    if (symbol !== undefined && origin !== undefined && origin !== '') this.#origins.set(symbol, origin);
  }

  /** The path of what the value is, or is chosen from, in the request; the empty path for the request itself. */
  #originOf(value: Expression, scope: Scope): string | undefined {
    if (value.kind === 'group') return this.#originOf(value.inner, scope);
    if (value.kind === 'iteration' && value.form === 'filter') return this.#originOf(value.list, scope);
    if (value.kind === 'arranged' && value.how === 'sorted') return this.#originOf(value.list, scope);
    const [operand] = value.kind === 'builtin' && CHOOSING.has(value.name) ? value.operands : [];
    if (operand !== undefined) return this.#originOf(operand, scope);
    if (value.kind !== 'reference') return undefined;
    const owner = this.#ownerOf(value.root, scope);
    return owner === undefined ? undefined : [owner, ...value.fields.map(writtenField)].filter(Boolean).join('.');
  }

  #ownerOf(root: string, scope: Scope): string | undefined {
    const local = scope.get(root);
    return local === undefined && root === 'request' ? '' : this.#origins.get(local ?? `variable ${root}`);
  }

  #reference({ root, fields, span }: Reference, scope: Scope): void {
    const { start } = span;
    const owner = this.#ownerOf(root, scope);
    if (owner !== '') this.#variable({ start, end: start + root.length }, root, scope, false);
    if (owner !== undefined) this.#inputPath(fields, start + root.length + 1, owner);
  }

  #inputPath(fields: readonly string[], from: number, owner: string): void {
    let start = from;
    let path = owner;
    for (const field of fields.map(writtenField)) {
      path += path === '' ? field : `.${field}`;
      if (!this.#inputs.has(path)) return;
      this.#add({ start, end: start + field.length }, 'input', path, false);
      start += field.length + 1;
    }
  }

  /**
   * The words of a line that could not be parsed, and of those below that are no statements: what they set as far as that can be seen, names of
   * services, and anything that may be a variable.
   */
  #broken(line: Line | undefined, body: Block, scope: Map<string, string>): void {
    if (line === undefined) return;
    const written = this.#text.slice(line.start, line.end);
    for (const [from, to] of DEFINING.exec(written)
      ?.indices?.slice(1)
      .filter((found) => found !== undefined) ?? []) {
      const [name, span] = [written.slice(from, to), { start: line.start + from, end: line.start + to }];
      if (written.startsWith('for')) this.#item(name, span, line.number, scope);
      else this.#variable(span, name, scope, true);
    }
    this.words(line, scope);
    for (const child of line.children)
      if (!body.some((statement) => statement.line === child.number)) this.#broken(child, body, scope);
  }

  #item(name: string, span: Span, line: number, scope: Map<string, string>): void {
    const symbol = `item ${name} ${span.start}`;
    scope.set(name, symbol);
    this.#locals.push({ name, line });
    this.#add(span, 'item', name, true, symbol);
  }

  words(line: Line | undefined, scope: Scope): void {
    if (line === undefined) return;
    // Also in braces, whatever else is in them, and in a text without its second quotation mark.
    for (const { index, 0: braces } of this.#text.slice(line.start, line.end).matchAll(/(?<!\{)\{[^{}]*/g))
      for (const { index: inside, 0: written } of braces.matchAll(/[\p{L}_][\p{L}\p{M}\p{Nd}_.-]*/gu))
        if (isReference(written)) this.#written(written, line.start + index + inside, scope);
    // The words for a call are no names.
    for (let index = line.shape.indexOf(USING) + 1; index < line.shape.length; index++) {
      const token = line.shape.charAt(index);
      if ((token !== tokenClass.name && token !== tokenClass.path) || isKey(line.shape, index)) continue;
      const written = tokenText(line, this.#text, index);
      const { start } = tokenSpan(line, index);
      if (this.#services.has(written)) this.#add({ start, end: start + written.length }, 'service', written, false);
      else this.#written(written, start, scope);
    }
  }

  #written(written: string, start: number, scope: Scope): void {
    const [root = '', ...fields] = fieldsOfPath(written);
    this.#reference({ kind: 'reference', root, fields, span: { start, end: start + written.length } }, scope);
  }
}

/** Whether a name is that of a value in `with name value and other value`. */
const isKey = (shape: string, index: number): boolean =>
  (shape.charAt(index - 1) === WITH || shape.charAt(index - 1) === AND) && VALUES.includes(shape.charAt(index + 1));
