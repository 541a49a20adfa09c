// What a line of `services:` most likely means, if a word of it is missing or another: `Shop is API "https://…"`, `Mail is an email service`.

interface Kind {
  /** Words for it, in lower case, with the article that most people use left out. */
  readonly words: RegExp;
  /** The declaration after the name, up to its target. */
  readonly form: string;
  /** Shown if the line has no target of its own; empty if it needs none. */
  readonly target: string;
}

const kinds: readonly Kind[] = [
  {
    words: /^(?:(?:rest|http|https|web|json)[ -]?)?(?:api|service|endpoint)$|^(?:rest|http|website|url|server)$/,
    form: 'is an API at',
    target: '"https://api.example.com"',
  },
  {
    words: /^(?:(?:slack|teams|discord|chat)\b.*|(?:web ?)?hook)$/,
    form: 'is a webhook at',
    target: '"{env.WEBHOOK_URL}"',
  },
  { words: /^(?:ai|llm|gpt|chatgpt|claude|(?:ai|language) model|model)$/, form: 'is an AI using', target: '"openai/gpt-4o"' },
  { words: /^(?:plug-?in|script|module|library|connector)$/, form: 'is a plugin', target: '"./connectors/ledger.js"' },
  {
    words: /^(?:(?:sql |postgres(?:ql)? |mysql )?(?:database|db)|sql|postgres(?:ql)?|mysql|sqlite)$/,
    form: 'is a database at',
    target: '"{env.DATABASE_URL}"',
  },
  {
    words: /^(?:(?:e-?mail|mail|smtp)(?: (?:service|server|account|address))?|mailbox)$/,
    form: 'is a mail server at',
    target: '"{env.SMTP_URL}"',
  },
  { words: /^(?:folder|directory|dir|share)$/, form: 'is a folder at', target: '"./reports"' },
  { words: /^(?:workflow|process|subprocess|sub-workflow)$/, form: 'is a workflow at', target: '"./discounts.wf"' },
  { words: /^(?:person|human|user|manager|boss|colleague|employee|approver|someone)$/, form: 'is a person', target: '' },
];

const article = /^(?:an?|the|our|my)$/i;
const preposition = /^(?:at|on|under|from|via|using|with)$/i;

/** The declaration in the words of the language; `undefined` if it resembles none. */
export function meantService(written: string): string | undefined {
  const target = /"[^"]*"$/.exec(written)?.[0];
  const words = written
    .slice(0, written.length - (target?.length ?? 0))
    .replace(':', ' ')
    .trim()
    .split(/\s+/);
  const [name = ''] = words.splice(0, words[1] === 'is' ? 2 : 1);
  if (article.test(words[0] ?? '')) words.shift();
  if (preposition.test(words.at(-1) ?? '')) words.pop();
  const kind = kinds.find((one) => one.words.test(words.join(' ').toLowerCase()));
  if (kind === undefined || !/^[\p{L}_]/u.test(name)) return undefined;
  return `${name} ${kind.form} ${kind.target === '' ? '' : (target ?? kind.target)}`.trimEnd();
}
