// The syntax of lines that are not statements: section heads, settings, and the options of a call. Also tells from the first word of a
// line, before parsing, which statement it starts, and whether a block follows.
import { type StatementForm, statementTable } from './statement-table.js';

interface LineForm {
  readonly example: string;
  /** Whether lines are indented under it. */
  readonly hasBlock: boolean;
}

type LineTable = Readonly<Record<string, LineForm>>;

/** First word of a section's head → how it is written, in the required order. */
export const sectionTable = {
  config: { example: 'config:', hasBlock: true },
  inputs: { example: 'inputs:', hasBlock: true },
  services: { example: 'services:', hasBlock: true },
  tables: { example: 'tables:', hasBlock: true },
  workflow: { example: 'workflow:', hasBlock: true },
} as const satisfies LineTable;

interface CallOptionForm extends LineForm {
  /** The start of a line directly under `ask … to:` that is this option rather than part of the instruction. */
  readonly beginsWith: RegExp | undefined;
  /** Whether calls often begin with the same word, so that only the rest of the line tells them apart. */
  readonly isVerb?: boolean;
}

/** First word of a line under a call or under `on failure:` → how it is written. */
export const callOptionTable = {
  save: {
    example: 'save the result as profile',
    hasBlock: false,
    beginsWith: /^save the (\w+ as|result|status|response|confidence|comment|person)\b/,
  },
  addressed: { example: 'addressed to request.manager-email', hasBlock: false, beginsWith: /^addressed to\b/ },
  choose: { example: 'choose from "approve", "decline"', hasBlock: false, beginsWith: /^choose from\b/ },
  within: {
    example: 'within 3 days',
    hasBlock: false,
    beginsWith: /^within (?:.* )?(?:second|minute|hour|day|week|month|year)s?$/,
  },
  remind: { example: 'remind every 1 day', hasBlock: false, beginsWith: /^remind every\b/ },
  on: { example: 'on failure:', hasBlock: true, beginsWith: /^on (?:failure|success)\b/ },
  retry: { example: 'retry 3 times waiting 5 seconds', hasBlock: false, beginsWith: undefined },
  if: { example: 'if still failing:', hasBlock: true, beginsWith: undefined },
  with: { example: 'with headers:', hasBlock: true, beginsWith: /^with (?:headers|timeout)\b/ },
  send: { example: 'send rows as the body', hasBlock: false, isVerb: true, beginsWith: /^send .* as the body\b/ },
  sent: { example: 'sent as PUT', hasBlock: false, beginsWith: /^sent as\b/ },
  at: { example: 'at most once', hasBlock: false, beginsWith: /^at most once\b/ },
} as const satisfies Readonly<Record<string, CallOptionForm>>;

/** First word of a line under a declaration of a service → how it is written. */
const serviceOptionTable = {
  with: { example: 'with timeout 10 seconds', hasBlock: false },
  sign: {
    example: 'sign in at "https://login.example.com/token" as "{env.CLIENT_ID}" with secret "{env.CLIENT_SECRET}"',
    hasBlock: false,
  },
  from: { example: 'from "Shop <shop@example.com>"', hasBlock: false },
} as const satisfies LineTable;

/** Key of a setting → how it is written. */
export const configExamples: Readonly<Record<string, string>> = {
  name: 'name: "Order review"',
  version: 'version: 1',
  description: 'description: "Looks at each new order"',
  timeout: 'timeout: 5 minutes',
  timezone: 'timezone: "Europe/Berlin"',
  schedule: 'schedule: "weekday at 9:00"',
  holidays: 'holidays: ["2026-12-25", "2027-01-01"]',
  'once for each': 'once for each: request.invoice-number',
  'find by': 'find by: request.customer, request.order',
  'keep for': 'keep for: 30 days',
  'working hours': 'working hours: "monday to friday 9:00 to 17:00"',
  language: 'language: "de"',
  signature: 'signature: "github"',
  secret: 'secret: "{env.GITHUB_SECRET}"',
  answer: 'answer: accepted',
  status: 'status when rejected: 422',
  runs: 'runs at once: 5',
};

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
  // `at most 2 hours` and `wait up to 2 hours` are meant as another line under a call, `stop with "no stock"` as a rejection, `for 2 days` as a limit.
  if (/^\s*(?:at (?!the\b)|wait (?:at most|up to)\b|stop (?!the\b)|for (?!each\b|every\b|all\b))/.test(line)) return undefined;
  if (/\busing\b/.test(line.replace(/"[^"]*"/g, ''))) return 'set';
  return byFirstWord.has(first) || first === 'on' || first === 'save' ? (ALIKE[first] ?? first) : undefined;
}
