// Checks `look up … in … with …`: the names of the table, its results and conditions, the kinds of the values, and values that no row
// matches.
import type { CellTest } from '../../../../runtime/tables/table-types.js';
import type { DecisionTable, Heading } from '../../2-parse/declaration-tree.js';
import type { LookUp, Name, Pair } from '../../2-parse/tree.js';
import * as catalogue from '../../diagnostics/catalogue/index.js';
import { pathAsWritten } from '../../vocabulary/field-names.js';
import { type Checker, checkPairs, setVariable } from '../checker.js';
import { joinKinds, type Kind, operandWords, unknownKind } from '../kinds/kind.js';
import { requireDate } from '../kinds/require-date.js';
import { aNumber, requireKind } from '../kinds/require-kind.js';
import { normalTest, noteValue } from '../tables/cells.js';
import { type Looked, uncoveredValues } from '../tables/uncovered.js';

export function checkLookUp(checker: Checker, statement: LookUp): void {
  const { results, pairs, nothing, unread } = statement;
  const { scope } = checker;
  checkPairs(checker, pairs);
  const table = findTable(checker, statement);
  const success = scope.branch(() => {
    for (const result of results)
      setVariable(checker, result, table === undefined ? unknownKind : kindOfResult(table, result.text));
    for (const name of unread?.names ?? []) scope.set(name);
    // A misspelt result is reported here, and must not count as unknown below as well.
    for (const name of table === undefined ? [] : meantResults(checker, table, results)) scope.set(name);
  });
  if (table !== undefined && !checker.misheadedTables.has(table.name.text)) {
    checkResults(checker, table, results);
    const isRight = checkConditions(checker, table, statement);
    if (isRight && nothing === undefined && unread === undefined && !checker.faultyTables.has(table.name.text)) {
      const { text } = table.name;
      const { example, isComplete } = uncoveredValues(table, (name) => valueOfPair(checker, pairs, name));
      if (example !== undefined) checker.report(catalogue.uncovered(statement.span, text, example));
      if (!isComplete) checker.unfinishedTables.set(text, { ...checker.unfinishedTables.get(text), hasUntried: true });
    }
  }
  if (nothing === undefined) scope.join([success]);
  else scope.join([success, scope.branch(() => checker.block(nothing.body))]);
}

/** The table that is looked up; `undefined` if it does not exist or could not be read. */
function findTable(checker: Checker, { table: { text, span }, results, span: whole }: LookUp): DecisionTable | undefined {
  if (!checker.tables.has(text)) {
    const { tables } = checker;
    if (!tables.has(''))
      checker.report(
        catalogue.unknownTable(
          { span, suggestion: checker.closest(text, tables.keys()) },
          text,
          tables.size > 0,
          checker.text.slice(whole.start, whole.end),
          checker.text,
        ),
      );
    lookUpAll(checker);
    return undefined;
  }
  const read = checker.lookedUp.get(text) ?? new Set<string>();
  for (const result of results) read.add(result.text);
  checker.lookedUp.set(text, read);
  return checker.tables.get(text);
}

/** A misspelt name may be that of any table. Once is enough: a file may have thousands of tables, and as many misspelt names. */
function lookUpAll({ tables, lookedUp }: Checker): void {
  if (allLookedUp.has(lookedUp)) return;
  allLookedUp.add(lookedUp);
  for (const [name, table] of tables)
    if (name !== '') lookedUp.set(name, new Set([...(lookedUp.get(name) ?? []), ...resultsOf(table)]));
}

const allLookedUp = new WeakSet<Checker['lookedUp']>();

/** The names of the columns without conditions. */
function resultsOf(table: DecisionTable | undefined): readonly string[] {
  if (table === undefined) return [];
  const known = resultNames.get(table) ?? table.headings.flatMap(({ name, test }) => (test === undefined ? [name] : []));
  resultNames.set(table, known);
  return known;
}

const resultNames = new WeakMap<DecisionTable, readonly string[]>();

function checkResults(checker: Checker, table: DecisionTable, results: readonly Name[]): void {
  const known = resultsOf(table);
  const seen = new Set<string>();
  for (const { text, span } of results) {
    if (seen.has(text)) checker.report(catalogue.resultTwice(span, text));
    seen.add(text);
    if (known.includes(text) || known.length === 0) continue;
    checker.report(catalogue.unknownResult(span, table.name.text, text, checker.closest(text, known), known));
    // The intended column may be any of them.
    const read = checker.lookedUp.get(table.name.text);
    if (known.some((name) => read?.has(name) === false)) for (const name of known) read?.add(name);
  }
}

/** A misspelt result may be any of these; more are not worth the time. */
const MOST_MEANT = 20;

/** The results of the table that misspelt ones most likely mean. */
const meantResults = ({ closest }: Checker, table: DecisionTable, results: readonly Name[]): string[] => {
  const known = resultsOf(table);
  const asked = new Set(results.map(({ text }) => text));
  return results.flatMap(({ text }) => {
    if (known.includes(text)) return [];
    const near = closest(text, known);
    return near === undefined ? known.slice(0, MOST_MEANT).filter((name) => !asked.has(name)) : [near];
  });
};

/** The kind of all values in a column of results. */
function kindOfResult({ headings, rows }: DecisionTable, name: string): Kind {
  const column = headings.findIndex((heading) => heading.name === name && heading.test === undefined);
  if (column === -1) return unknownKind;
  const kinds = rows.map(({ cells }): Kind => {
    const cell = cells[column];
    const value = cell?.is === 'test' ? cell.test : undefined;
    if (typeof value === 'number') return { is: 'number', oneOf: [value] };
    if (typeof value === 'string') return { is: 'text', oneOf: [value] };
    if (typeof value === 'boolean') return { is: 'boolean' };
    return Array.isArray(value) ? { is: 'empty' } : unknownKind;
  });
  return kinds.length === 0 ? unknownKind : kinds.reduce(joinKinds);
}

function checkConditions(checker: Checker, table: DecisionTable, { pairs, span }: LookUp): boolean {
  const { conditions, names } = conditionsOf(table);
  const given = new Set(pairs.map(({ key }) => key.text));
  const unknown = pairs.filter(({ key }) => !names.includes(key.text));
  const missing = names.filter((name) => !given.has(name));
  for (const { key } of unknown) {
    const near = checker.closest(key.text, missing.length > 0 ? missing : names);
    // The table has no conditions at all, which is reported at its headings.
    if (names.length === 0) break;
    checker.report(catalogue.unknownCondition(key.span, table.name.text, key.text, near, names));
  }
  // A misspelt condition is reported only once.
  if (missing.length > unknown.length) checker.report(catalogue.conditionsLeftOut(span, table.name.text, missing, names));
  let isRight = unknown.length === 0 && missing.length === 0;
  for (const heading of conditions) {
    const pair = pairs.find(({ key }) => key.text === heading.name);
    if (pair !== undefined && !checkValue(checker, table, pair, heading, cellsOf(table, heading))) isRight = false;
  }
  return isRight;
}

interface Conditions {
  readonly conditions: readonly Heading[];
  readonly names: readonly string[];
}

function conditionsOf(table: DecisionTable): Conditions {
  let known = conditionsOfTables.get(table);
  if (known === undefined) {
    const conditions = table.headings.filter(({ test }) => test !== undefined);
    known = { conditions, names: [...new Set(conditions.map(({ name }) => name))] };
    conditionsOfTables.set(table, known);
  }
  return known;
}

const conditionsOfTables = new WeakMap<DecisionTable, Conditions>();

const cellsOf = ({ headings, rows }: DecisionTable, heading: Heading): CellTest[] => {
  const column = headings.indexOf(heading);
  return rows.flatMap(({ cells }) => {
    const cell = cells[column];
    const test = cell === undefined ? null : normalTest(cell);
    return test === null ? [] : [test];
  });
};

/** False if the look-up must fail, or can never find a row by this column. */
function checkValue(
  checker: Checker,
  table: DecisionTable,
  { value }: Pair,
  { name, test }: Heading,
  cells: readonly CellTest[],
): boolean {
  const kind = checker.kindOf(value);
  noteValue(table, name, kind);
  const heading = `${name} ${test ?? ''}`;
  if (cells.length === 0 || kind.is === 'unknown') return true;
  switch (test) {
    case 'is above':
    case 'is below':
    case 'is at least':
    case 'is at most':
      return !requireKind(checker, value, kind, heading, aNumber);
    case 'is before':
    case 'is after':
      return !requireDate(checker, value, kind, heading);
    case 'is':
      return !isNeverEqual(checker, value, kind, heading, cells);
    default:
      return true;
  }
}

function isNeverEqual(checker: Checker, value: Pair['value'], kind: Kind, heading: string, cells: readonly CellTest[]): boolean {
  if (kind.is !== 'number' && kind.is !== 'text' && kind.is !== 'boolean') return false;
  const values = cells.flatMap((cell) => (typeof cell === 'object' ? (cell?.slice(1) ?? []) : [cell]));
  const isOnlyValues = cells.every((cell) => typeof cell !== 'object' || cell?.[0] === 'one of');
  const type = { number: 'number', text: 'string', boolean: 'boolean' }[kind.is];
  if (!isOnlyValues || kind.orEmpty === true || values.some((one) => typeof one === type)) return false;
  const types = new Set(values.map((one) => typeof one));
  const words =
    types.size > 1 ? 'of other kinds' : types.has('string') ? 'texts' : types.has('number') ? 'numbers' : 'true or false';
  checker.report(catalogue.neverFits(value.span, operandWords(checker.text, value, kind), heading, words));
  return true;
}

/** Facts about the value for a condition. */
function valueOfPair(checker: Checker, pairs: readonly Pair[], name: string): Looked {
  const value = pairs.find(({ key }) => key.text === name)?.value;
  if (value === undefined) return { kind: unknownKind, fact: undefined };
  const fact = value.kind === 'reference' ? checker.scope.facts.get(pathAsWritten(value)) : undefined;
  return { kind: checker.kindOf(value), fact };
}
