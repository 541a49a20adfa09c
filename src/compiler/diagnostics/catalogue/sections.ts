// Diagnostics about sections, settings and service declarations.
import type { Diagnostic, Span } from '../diagnostic.js';
import { error } from './make.js';
import { mismatch } from './syntax.js';

export const noWorkflow = (span: Span): Diagnostic =>
  error('WF053', span, 'This file has no workflow: section.', {
    hint: 'A workflow file has these sections, in this order:\n    config:\n        name: "Order review"\n        version: 1\n\n    inputs:\n        order is a text\n\n    services:\n        GitHub is an API at "https://api.github.com"\n\n    workflow:\n        trigger: when an order is placed\n        complete',
  });

export const sectionOutOfOrder = (span: Span, section: string, before: string): Diagnostic =>
  error('WF054', span, `The ${section}: section must come before ${before}:.`, {
    hint: 'Put the sections in this order: config:, inputs:, services:, tables:, workflow:.',
  });

export const sectionTwice = (span: Span, section: string): Diagnostic =>
  error('WF055', span, `This file already has a ${section}: section.`, {
    hint: 'Move these lines into the first one.',
  });

export const outsideSections = (span: Span, suggestion: string | undefined): Diagnostic =>
  error('WF056', span, 'This line is outside every section.', {
    suggestion,
    hint: 'Put statements under workflow:, indented by 4 spaces. Only config:, inputs:, services:, tables: and workflow: start at the margin.',
  });

export const besideSection = (span: Span, section: string): Diagnostic =>
  error('WF056', span, `Nothing can follow "${section}" on the same line.`, {
    hint: `Put it on the next line, indented by 4 spaces.`,
  });

export const indentedSection = (span: Span): Diagnostic =>
  error('WF056', span, 'A section must start at the margin, but this line is indented.', {
    hint: 'Remove the spaces before it, and indent the lines under it by 4 spaces.',
  });

const forms: Readonly<Record<string, string>> = {
  API: 'GitHub is an API at "https://api.github.com"',
  webhook: 'Alerts is a webhook at "https://hooks.example.com/services/1"',
  AI: 'Writer is an AI using "openai/gpt-4o"',
  plugin: 'Ledger is a plugin "./connectors/ledger.js"',
  database: 'Shop is a database at "{env.DATABASE_URL}"',
  mail: 'Post is a mail server at "{env.SMTP_URL}"',
  folder: 'Reports is a folder at "./reports"',
  workflow: 'Discounts is a workflow at "./discounts.wf"',
  person: 'Finance is a person notified at "{env.FINANCE_URL}"',
};

const serviceForms = `Declare a service in one of these ways:\n    ${Object.values(forms).join('\n    ')}`;

const tableForm =
  'A table is not a service. Declare it below services:\n    tables:\n        Shipping cost is a table at "./shipping.csv"';

/**
 * @param words of the declaration; if they name a kind of service, only that kind is shown
 * @param meant the declaration in the words of the language, if that is clear
 */
export const badDeclaration = (
  span: Span,
  found: string,
  expected: readonly string[],
  suggestion: string | undefined,
  words: readonly string[],
  meant: string | undefined,
): Diagnostic => {
  const kind = words.includes('team') ? 'person' : Object.keys(forms).find((name) => words.includes(name));
  return error('WF057', span, `I can't read this declaration. ${mismatch(found, expected)}`, {
    suggestion,
    hint:
      found === '"table"'
        ? tableForm
        : meant === undefined && kind === undefined
          ? serviceForms
          : `Write it like this:\n    ${meant ?? forms[kind ?? '']}`,
  });
};

const limitForms = 'with limit 100 calls a minute\n    with limit 5 calls at once';
const optionForms = {
  limit: limitForms,
  sign: 'sign in at "https://login.example.com/token" as "{env.CLIENT_ID}" with secret "{env.CLIENT_SECRET}" for "orders.read"',
  client: 'with client certificate "{env.CERT_FILE}" and key "{env.KEY_FILE}"',
} as const;

/** @param meant if it is one of these, only that form is shown */
export const badServiceOption = (
  { span, suggestion }: { readonly span: Span; readonly suggestion: string | undefined },
  meant: keyof typeof optionForms | undefined,
): Diagnostic =>
  error('WF058', span, "I can't read this line. It is not an option of a service.", {
    suggestion,
    hint:
      meant === undefined
        ? `Under a service, you can write:\n    with headers:\n        Authorization: "Bearer {env.API_KEY}"\n    with timeout 10 seconds\n    ${limitForms}`
        : `Write it like this:\n    ${optionForms[meant]}`,
  });

export const noTimeAtAll = (span: Span): Diagnostic =>
  error('WF058', span, 'A time limit must be longer than 0.', {
    hint: 'Write it like this:\n    with timeout 10 seconds',
  });

export const repeatedServiceOption = (span: Span, what: string): Diagnostic =>
  error('WF058', span, `"${what}" appears twice under this service.`, { hint: 'Delete one of the two lines.' });

export const badHeader = (span: Span): Diagnostic =>
  error('WF059', span, "I can't read this header.", {
    hint: 'Write one header per line: its name, a colon, and its value in quotes:\n    Authorization: "Bearer {env.API_KEY}"',
  });

export const badSetting = (span: Span, key: string, form: string, reason: string | undefined): Diagnostic => {
  const like = `Write it like this:\n    ${form}`;
  return error('WF060', span, `This is not a valid value for "${key}".`, {
    hint: reason === undefined ? like : reason.includes('\n') ? reason : `${reason} ${like}`,
  });
};

export const settingTwice = (span: Span, key: string): Diagnostic =>
  error('WF061', span, `"${key}" is set twice in config:.`, { hint: 'Delete one of the two lines.' });

export const misplacedTrigger = (span: Span): Diagnostic =>
  error('WF063', span, '"trigger:" must be the first line of workflow:, and can appear only once.', {
    hint: 'Move it directly below "workflow:", indented by 4 spaces.',
  });

export const serviceTwice = (span: Span, name: string): Diagnostic =>
  error('WF027', span, `The service "${name}" is declared twice.`, { hint: 'Rename or delete one of the two.' });

export const badAddress = (span: Span): Diagnostic =>
  error('WF028', span, 'A service address must start with http:// or https://, followed by a host.', {
    hint: 'For example "https://api.example.com", or "{env.API_URL}" to take the address from the environment.',
  });

export const unknownProvider = (span: Span, found: string, suggestion: string | undefined): Diagnostic =>
  error('WF029', span, `I don't know the AI "${found}". Write a provider, a slash and a model.`, {
    suggestion,
    hint: 'The providers are openai, anthropic and ollama:\n    Writer is an AI using "openai/gpt-4o"',
  });

export const onlyEnvironment = (span: Span, name: string): Diagnostic =>
  error('WF030', span, `A declaration can only use {env.NAME}, not {${name}}.`, {
    hint: 'Services are set up before a run starts. Put values from the run into the path or the pairs of a call.',
  });

export const emptyModule = (span: Span): Diagnostic =>
  error('WF066', span, 'A plugin needs the path of a module or the name of a package.', { hint: serviceForms });

export const foreignModule = (span: Span): Diagnostic =>
  error('WF066', span, 'This is neither the path of a file nor the name of a package.', {
    hint: 'Begin a path with a dot; an address such as https: or data: can never be a plugin:\n    Ledger is a plugin "./connectors/ledger.js"',
  });

export const fixedModule = (span: Span): Diagnostic =>
  error('WF030', span, "The module of a plugin is fixed: it can't contain {…}.", {
    hint: 'Write out the path:\n    Ledger is a plugin "./connectors/ledger.js"',
  });

export const badHeaderName = (span: Span, name: string, suggestion: string | undefined): Diagnostic =>
  error('WF059', span, `"${name}" is not a valid header name.`, {
    suggestion,
    hint: 'Use the letters A to Z, digits and hyphens, as in X-Api-Key.',
  });

export const badSchedule = (span: Span, problem: string, hint: string): Diagnostic => error('WF245', span, problem, { hint });

/** @param required the fields that a request must have */
export const scheduleWithoutRequest = (span: Span, required: readonly string[]): Diagnostic => {
  const [first = ''] = required;
  const shown = required.length > 3 ? [...required.slice(0, 2), `${required.length - 2} other fields`] : required;
  const names = shown.length < 2 ? shown.join('') : `${shown.slice(0, -1).join(', ')} and ${shown.at(-1)}`;
  return error('WF246', span, `This schedule starts the workflow without a request, but inputs: requires ${names}.`, {
    hint: `Make each field optional, or give it a default:\n    ${first} is a text, optional\n    ${first} is a text, otherwise "all"`,
  });
};

export const unknownTimezone = (span: Span, name: string, suggestion: string | undefined): Diagnostic =>
  error('WF087', span, `I don't know the time zone "${name}".`, {
    suggestion,
    hint: 'Use a name from the IANA list, such as Europe/Berlin, America/New_York, Africa/Lagos or UTC.',
  });
