// Explains lines under `config:` and `services:` that are written in everyday words.

import type { ServiceKind } from '../../../../runtime/services/service-types.js';
import { why } from '../../diagnostics/hint-marks.js';
import { webhookProviders } from '../../vocabulary/webhook-providers.js';

interface Kind {
  /** Words for it, in lower case, with the article that most people use left out. */
  readonly words: RegExp;
  /** The declaration after the name, up to its target. */
  readonly form: string;
  /** Shown if the line has no target of its own; empty if it needs none. */
  readonly target: string;
}

const kinds: Readonly<Record<ServiceKind, Kind>> = {
  api: {
    words: /^(?:(?:rest|http|https|web|json)[ -]?)?(?:api|service|endpoint)$|^(?:rest|http|website|url|server)$/,
    form: 'is an API at',
    target: '"https://api.example.com"',
  },
  webhook: {
    words: /^(?:(?:slack|teams|discord|chat)\b.*|(?:web ?)?hook)$/,
    form: 'is a webhook at',
    target: '"{env.WEBHOOK_URL}"',
  },
  ai: { words: /^(?:ai|llm|gpt|chatgpt|claude|(?:ai|language) model|model)$/, form: 'is an AI using', target: '"openai/gpt-4o"' },
  plugin: { words: /^(?:plug-?in|script|module|library|connector)$/, form: 'is a plugin', target: '"./connectors/ledger.js"' },
  database: {
    words: /^(?:(?:sql |postgres(?:ql)? |mysql )?(?:database|db)|sql|postgres(?:ql)?|mysql|sqlite)$/,
    form: 'is a database at',
    target: '"{env.DATABASE_URL}"',
  },
  mail: {
    words: /^(?:(?:e-?mail|mail|smtp)(?: (?:service|server|account|address))?|mailbox)$/,
    form: 'is a mail server at',
    target: '"{env.SMTP_URL}"',
  },
  folder: { words: /^(?:folder|directory|dir|share)$/, form: 'is a folder at', target: '"./reports"' },
  workflow: { words: /^(?:workflow|process|subprocess|sub-workflow)$/, form: 'is a workflow at', target: '"./discounts.wf"' },
  person: { words: /^(?:person|human|user|manager|boss|colleague|employee|approver|someone)$/, form: 'is a person', target: '' },
};

const article = /^(?:an?|the|our|my)$/i;
const preposition = /^(?:at|on|under|from|via|using|with)$/i;

/** A server that is declared further down is not searched for. */
const FARTHEST = 20_000;
const NOTIFIED =
  /^([\p{L}_][\p{L}\p{N}_-]*) is an? (person|team),? (?:(?:who |that )?(?:is |are )?(?:notified|informed|told|asked|reached|contacted|reminded)|with) (?:by|via|through|over|at|with|on)? ?(?:an? |the )?(?:e-?mails?|mails?)(?: address)?(?: (?:at|to|on) .*| "[^"]*".*)?$/u;

/** `Manager is a person notified by mail at "m@example.com"` */
function notifiedByMail(written: string, text: string): string | undefined {
  const [, name, kind] = NOTIFIED.exec(written) ?? [];
  if (name === undefined) return undefined;
  const server = /^ {4}([\p{L}_][\p{L}\p{N}_-]*) is an? mail server\b/mu.exec(text.slice(0, FARTHEST))?.[1];
  const [address] = /"[^"\s@]+@[^"\s]+"/.exec(written) ?? ['request.manager-email'];
  return `${server === undefined ? 'Post is a mail server at "{env.SMTP_URL}"\n    ' : ''}${name} is a ${kind} notified by ${server ?? 'Post'}\nUnder each question, say whom it is for:\n    addressed to ${address}`;
}

/** The declaration in the words of the language; `undefined` if it resembles none. @param text the whole file */
export function meantService(written: string, text: string): string | undefined {
  const comma = /^(\S{1,100} is an? (?:person|team)), ?(notified (?:by|at) \S.*)$/.exec(written);
  if (comma !== null) return `${comma[1]} ${comma[2]}`;
  const notified = notifiedByMail(written, text);
  if (notified !== undefined) return notified;
  const target = /"[^"]*"$/.exec(written)?.[0];
  const words = written
    .slice(0, written.length - (target?.length ?? 0))
    .replace(':', ' ')
    .trim()
    .split(/\s+/);
  const [name = ''] = words.splice(0, words[1] === 'is' ? 2 : 1);
  if (article.test(words[0] ?? '')) words.shift();
  if (preposition.test(words.at(-1) ?? '')) words.pop();
  const kind = Object.values(kinds).find((one) => one.words.test(words.join(' ').toLowerCase()));
  if (kind === undefined || !/^[\p{L}_]/u.test(name)) return undefined;
  return `${name} ${kind.form} ${kind.target === '' ? '' : (target ?? kind.target)}`.trimEnd();
}

/** @param written what follows the key in the file, including its colon */
export function settingReason(key: string, written: string): string | undefined {
  const value = written.trim().replace(/^(?:at once|when rejected) ?(?=:)/, '');
  if (!value.startsWith(':')) return why(`Write a colon after "${key}".`);
  return reasonOf(key, value.slice(1).trim());
}

function reasonOf(key: string, value: string): string | undefined {
  switch (key) {
    case 'name':
    case 'description':
    case 'schedule':
    case 'timezone':
      return value !== '' && !value.includes('"') && value.length <= 80
        ? why(`Put it in double quotes:\n    ${key}: "${value.replace(/^['‘’“”„]|['‘’“”]$/g, '')}"`)
        : undefined;
    case 'signature':
      return `It names the provider of the webhook: ${webhookProviders.map((provider) => `"${provider}"`).join(', ')}.`;
    case 'secret':
      return 'A secret never stands in the file. Name the environment variable that contains it.';
    case 'status':
      return 'It needs a status from 400 to 499.';
    case 'runs':
      return 'It needs a whole number, 1 or more.';
    case 'find by':
      return 'It needs fields of the request, separated by commas.';
    case 'timeout':
      return 'It needs a number and a unit: minutes, hours or days, for example.';
    case 'keep for':
      return 'It needs a number and a unit: days or weeks, for example.';
    case 'version':
      return why('It needs a whole number, without quotes.');
    case 'holidays': {
      const days = value.match(/\d{4}-\d{2}-\d{2}/g) ?? [];
      return days.length > 0 && days.length <= 10
        ? why(`Put each date in quotes, and the list in brackets:\n    holidays: [${days.map((day) => `"${day}"`).join(', ')}]`)
        : undefined;
    }
    default:
      return undefined;
  }
}
