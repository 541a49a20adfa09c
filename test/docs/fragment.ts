// Turns lines of a workflow on a page into a whole file. Declares a service where a line uses one, and turns results that a comment
// promises (`# → 0.3`) into outputs.

const services: Readonly<Record<string, string>> = {
  GitHub: 'an API at "https://api.github.com"',
  Orders: 'an API at "https://orders.example.com"',
  Alerts: 'a webhook at "https://hooks.example.com/services/1"',
  Writer: 'an AI using "openai/gpt-4o"',
  Ledger: 'a plugin "./connectors/ledger.mjs"',
  Shop: 'a database at "{env.DATABASE_URL}"',
  Post: 'a mail server at "{env.SMTP_URL}"\n        from "Shop <shop@example.com>"',
  Reports: 'a folder at "./reports"',
};

/** `set total to 1 plus 2    # → 3` */
const PROMISE = /^ *set ([\p{L}_][\p{L}\p{Nd}_-]*) to .*# → (.+)$/gmu;

export interface Promised {
  readonly name: string;
  readonly value: unknown;
}

export const isWhole = (text: string): boolean => /^workflow:/m.test(text);

export function promisesOf(text: string): Promised[] {
  return [...text.matchAll(PROMISE)].map(([, name = '', written = '']) => ({
    name,
    value: written.trim() === 'empty' ? null : JSON.parse(written),
  }));
}

export function wholeFile(text: string): string {
  if (isWhole(text)) return text;
  const config = /^config:/m.test(text) ? '' : 'config:\n    name: "A page of the docs"\n\n';
  if (/^(config|inputs|services):/m.test(text))
    return `${config}${text}\nworkflow:\n    trigger: a page of the docs\n\n    complete\n`;
  const used = Object.entries(services).filter(([name]) => new RegExp(`\\b(using|ask) ${name}\\b`).test(text));
  const declared = used.length === 0 ? '' : `services:\n${used.map(([name, is]) => `    ${name} is ${is}\n`).join('')}\n`;
  const names = promisesOf(text).map(({ name }) => name);
  const end = names.length === 0 ? '' : `    complete with ${names.map((name) => `${name} ${name}`).join(' and ')}\n`;
  return `${config}${declared}workflow:\n    trigger: a page of the docs\n\n${text.replace(/^(?=.)/gm, '    ')}${end}`;
}
