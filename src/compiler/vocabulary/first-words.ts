// What the first word of a line reveals before parsing: which statement it starts, and whether a block follows.
import { callOptionTable, type LineForm, sectionTable, serviceOptionTable } from './line-table.js';
import { type StatementForm, statementTable } from './statement-table.js';

const statements: readonly StatementForm[] = Object.values(statementTable);

const firstOf = (words: string): string => words.split(' ', 1)[0] ?? words;

/** Statements by first word; several may share one. */
const byFirstWord = new Map<string, StatementForm[]>();
for (const statement of statements) {
  if (statement.keyword === undefined) continue;
  const word = firstOf(statement.keyword);
  const sharing = byFirstWord.get(word);
  if (sharing === undefined) byFirstWord.set(word, [statement]);
  else sharing.push(statement);
}

/** The first words of statements. */
export const statementWords: readonly string[] = [...byFirstWord.keys()];

/** First word of the statement that another language calls `word`. */
export function wordForForeign(word: string): string | undefined {
  const meant = statements.find(({ foreign }) => foreign.includes(word.toLowerCase()))?.keyword;
  return meant === undefined ? undefined : firstOf(meant);
}

/** The statement that starts with `word`; if several do, the one that hints prefer. */
export const statementOf = (word: string): StatementForm | undefined => byFirstWord.get(word)?.[0];

/** A block must follow, can't follow, or the first word doesn't reveal it. */
type BlockUnder = 'must' | 'no' | 'may';

const blocks = new Map<string, BlockUnder>();
const learn = (word: string, answer: BlockUnder): void => {
  const known = blocks.get(word);
  blocks.set(word, known === undefined || known === answer ? answer : 'may');
};
const lineTables: readonly Readonly<Record<string, LineForm & { readonly isVerb?: boolean }>>[] = [
  sectionTable,
  callOptionTable,
  serviceOptionTable,
];
for (const table of lineTables)
  for (const word of Object.keys(table))
    learn(word, table[word]?.hasBlock === true ? 'must' : table[word]?.isVerb ? 'may' : 'no');
byFirstWord.forEach((forms, word) => {
  for (const { under } of forms) learn(word, under === 'nothing' ? 'no' : under === 'options' ? 'may' : 'must');
});

/** Whether a block follows a line that starts with `word`. Ignores calls, which may start with any word. */
export const blockUnder = (word: string): BlockUnder => blocks.get(word) ?? 'may';

/** Statements of which one is often written for another: a fix may change one into the other. All that give a value are alike. */
const ALIKE: Readonly<Record<string, string>> = {
  otherwise: 'if',
  on: 'if',
  repeat: 'for',
  skip: 'stop',
  add: 'set',
  ask: 'set',
  look: 'set',
  save: 'set',
};

/** The kind of statement that a line is, by its first word; `undefined` for lines that begin with other words. */
export function kindOfLine(line: string): string | undefined {
  const first = /^\s*([^\s:]{1,50})/.exec(line.slice(0, 500))?.[1] ?? '';
  // `at most 2 hours` and `wait up to 2 hours` are meant as another line under a call, `stop with "no stock"` as a rejection.
  if (/^\s*(?:at (?!the\b)|wait (?:at most|up to)\b|stop (?!the\b))/.test(line)) return undefined;
  if (/\busing\b/.test(line.replace(/"[^"]*"/g, ''))) return 'set';
  return byFirstWord.has(first) || first === 'on' || first === 'save' ? (ALIKE[first] ?? first) : undefined;
}
