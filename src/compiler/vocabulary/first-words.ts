// What the first word of a line reveals before parsing: which statement it starts, and whether a block follows.
import { callOptionTable, sectionTable, serviceOptionTable } from './line-table.js';
import { type StatementForm, statementTable } from './statement-table.js';

const statements: readonly StatementForm[] = Object.values(statementTable);

const firstOf = (words: string): string => words.split(' ', 1)[0] ?? words;

/** Statements by first word; several may share one. */
const byFirstWord = new Map<string, StatementForm[]>();
for (const statement of statements) {
  if (statement.keyword === undefined) continue;
  const word = firstOf(statement.keyword);
  byFirstWord.set(word, [...(byFirstWord.get(word) ?? []), statement]);
}

/** The first words of statements. */
export const statementWords: readonly string[] = [...byFirstWord.keys()];

const toWord = new Map(
  statements.flatMap(({ keyword, foreign }) =>
    keyword === undefined ? [] : foreign.map((name) => [name, firstOf(keyword)] as const),
  ),
);

/** First word of the statement that another language calls `word`. */
export const wordForForeign = (word: string): string | undefined => toWord.get(word.toLowerCase());

/** The statement that starts with `word`; if several do, the one that hints prefer. */
export const statementOf = (word: string): StatementForm | undefined => byFirstWord.get(word)?.[0];

/** A block must follow, can't follow, or the first word doesn't reveal it. */
type BlockUnder = 'must' | 'no' | 'may';

const blocks = new Map<string, BlockUnder>();
const learn = (word: string, answer: BlockUnder): void => {
  const known = blocks.get(word);
  blocks.set(word, known === undefined || known === answer ? answer : 'may');
};
for (const table of [sectionTable, callOptionTable, serviceOptionTable])
  for (const [word, { hasBlock, ...more }] of Object.entries(table))
    learn(word, hasBlock ? 'must' : 'isVerb' in more ? 'may' : 'no');
for (const [word, forms] of byFirstWord)
  for (const { under } of forms) learn(word, under === 'nothing' ? 'no' : under === 'options' ? 'may' : 'must');

/** Whether a block follows a line that starts with `word`. Ignores calls, which may start with any word. */
export const blockUnder = (word: string): BlockUnder => blocks.get(word) ?? 'may';
