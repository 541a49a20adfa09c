// Diagnostics about sections, settings and service declarations.

import type { ServiceKind } from '../../../../runtime/services/service-types.js';
import { writtenField } from '../../vocabulary/field-names.js';
import type { Diagnostic, Misspelt, Span } from '../diagnostic.js';
import { likeThis, why } from '../hint-marks.js';
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
    hint: 'Put statements under workflow:, and people under services:, indented by 4 spaces. Only config:, inputs:, services:, tables: and workflow: start at the margin.',
  });

export const statementAtMargin = (span: Span, spaces: number): Diagnostic =>
  error('WF056', span, 'This statement starts at the margin, outside the workflow: section.', {
    hint: `Indent it by ${spaces} spaces, like the statements above. If lines belong below it, indent them by 4 more.`,
  });

export const besideSection = (span: Span, section: string): Diagnostic =>
  error('WF056', span, `Nothing can follow "${section}" on the same line.`, {
    hint: `Put it on the next line, indented by 4 spaces.`,
  });

export const indentedSection = (span: Span): Diagnostic =>
  error('WF056', span, 'A section must start at the margin, but this line is indented.', {
    hint: 'Remove the spaces before it, and indent the lines under it by 4 spaces.',
  });

/** A word of each kind of service, and a declaration. */
const serviceForms: Readonly<Record<ServiceKind, readonly [word: string, form: string]>> = {
  api: ['API', 'GitHub is an API at "https://api.github.com"'],
  webhook: ['webhook', 'Alerts is a webhook at "https://hooks.example.com/services/1"'],
  ai: ['AI', 'Writer is an AI using "openai/gpt-4o"'],
  plugin: ['plugin', 'Ledger is a plugin "./connectors/ledger.js"'],
  database: ['database', 'Shop is a database at "{env.DATABASE_URL}"'],
  mail: ['mail', 'Post is a mail server at "{env.SMTP_URL}"'],
  folder: ['folder', 'Reports is a folder at "./reports"'],
  workflow: ['workflow', 'Discounts is a workflow at "./discounts.wf"'],
  person: ['person', 'Finance is a person notified at "{env.FINANCE_URL}"'],
};

const everyForm = Object.values(serviceForms);

const everyService = `Declare a service in one of these ways:\n    ${everyForm.map(([, form]) => form).join('\n    ')}`;

const tableForm =
  'A table is not a service. Declare it below services:\n    tables:\n        Shipping cost is a table at "./shipping.csv"';

/**
 * @param words of the declaration; if they name a kind of service, only that kind is shown
 * @param meant the declaration in the words of the language, if that is clear
 */
export const badDeclaration = (
  { span, suggestion }: Misspelt,
  found: string,
  expected: readonly string[],
  words: readonly string[],
  meant: string | undefined,
): Diagnostic => {
  const [, form] = words.includes('team') ? serviceForms.person : (everyForm.find(([word]) => words.includes(word)) ?? []);
  return error('WF057', span, `I can't read this declaration. ${mismatch(found, expected)}`, {
    suggestion,
    hint:
      found === '"table"' ? tableForm : meant === undefined && form === undefined ? everyService : likeThis(meant ?? form ?? ''),
  });
};

const limitForms = 'with limit 100 calls a minute\n    with limit 5 calls at once';
const optionForms = {
  limit: limitForms,
  sign: 'sign in at "https://login.example.com/token" as "{env.CLIENT_ID}" with secret "{env.CLIENT_SECRET}" for "orders.read"',
  client: 'with client certificate "{env.CERT_FILE}" and key "{env.KEY_FILE}"',
} as const;

/** @param meant if it is one of these, only that form is shown */
export const badServiceOption = ({ span, suggestion }: Misspelt, meant: keyof typeof optionForms | undefined): Diagnostic =>
  error('WF058', span, "I can't read this line. It is not an option of a service.", {
    suggestion,
    hint:
      meant === undefined
        ? `Under a service, you can write:\n    with headers:\n        Authorization: "Bearer {env.API_KEY}"\n    with timeout 10 seconds\n    ${limitForms}`
        : likeThis(optionForms[meant]),
  });

export const noTimeAtAll = (span: Span): Diagnostic =>
  error('WF058', span, 'A time limit must be longer than 0.', {
    hint: 'Write it like this:\n    with timeout 10 seconds',
  });

export const repeatedServiceOption = (span: Span, what: string): Diagnostic =>
  error('WF058', span, `"${what}" appears twice under this service.`, { hint: 'Delete one of the two lines.' });

export const badHeader = (span: Span): Diagnostic =>
  error('WF059', span, "I can't read this header.", {
    hint: why(
      'Write one header per line: its name, a colon, and its value in quotes:\n    Authorization: "Bearer {env.API_KEY}"',
    ),
  });

export const badWorkingHours = (span: Span): Diagnostic =>
  error('WF060', span, "I can't read these working hours: each span has weekdays, and two times from 0:00 to 24:00.", {
    hint: 'Write it like this, with commas between spans:\n    working hours: "monday to friday 9:00 to 17:00"\n    working hours: "monday to friday 9:00 to 12:30, monday to friday 13:30 to 18:00"',
  });

export const unknownLanguage = (span: Span, name: string, suggestion: string | undefined, known: readonly string[]): Diagnostic =>
  error('WF060', span, `I don't know the language "${name}".`, {
    suggestion,
    hint: `Months and weekdays can be written in ${known.join(', ')}:\n    language: "de"`,
  });

export const badSetting = (span: Span, key: string, form: string, reason: string | undefined): Diagnostic => {
  const like = likeThis(form);
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

/** @param isWhole whether the braces have no sign before them that must go as well */
export const onlyEnvironment = (span: Span, name: string, isWhole: boolean): Diagnostic =>
  error('WF030', span, `A declaration can only use {env.NAME}, not {${name}}.`, {
    suggestion: isWhole && /^[A-Z][A-Z0-9_]+$/.test(name) ? `env.${name}` : undefined,
    hint: 'Services are set up before a run starts. Put values from the run into the path or the pairs of a call.',
  });

export const emptyModule = (span: Span): Diagnostic =>
  error('WF066', span, 'A plugin needs the path of a module or the name of a package.', { hint: everyService });

export const foreignModule = (span: Span): Diagnostic =>
  error('WF066', span, 'This is neither the path of a file nor the name of a package.', {
    hint: 'Begin a path with a dot; an address such as https: or data:, or a module of Node.js such as fs, can never be a plugin:\n    Ledger is a plugin "./connectors/ledger.js"',
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

/** @param required the fields that a request must have @param declared the line of the first */
export const scheduleWithoutRequest = (span: Span, required: readonly string[], declared: string): Diagnostic => {
  const [line, end] = declared.endsWith(':') ? [declared.slice(0, -1), ':'] : [declared, ''];
  const shown = required.length > 3 ? [...required.slice(0, 2), `${required.length - 2} other fields`] : required;
  const names = shown.length < 2 ? shown.join('') : `${shown.slice(0, -1).join(', ')} and ${shown.at(-1)}`;
  return error('WF246', span, `This schedule starts the workflow without a request, but inputs: requires ${names}.`, {
    hint: `Make each field optional, or give it a value with ", otherwise":\n    ${line}, optional${end}`,
  });
};

export const unknownTimezone = (span: Span, name: string, suggestion: string | undefined): Diagnostic =>
  error('WF087', span, `I don't know the time zone "${name}".`, {
    suggestion,
    hint: 'Use a name from the IANA list, such as Europe/Berlin, America/New_York, Africa/Lagos or UTC.',
  });

const inputForms = `Write one field per line, such as:
    customer is a text
    email is an email address
    quantity is a whole number at least 1
    express is yes or no, otherwise no
    country is one of "DE", "AT", "CH"
    due is a date, optional
    tags is a list of texts, optional
    address is a record:
        street is a text`;

/** @param example the corrected line */
export const badInput = (
  span: Span,
  found: string,
  expected: readonly string[],
  suggestion: string | undefined,
  example: string | undefined,
): Diagnostic =>
  error('WF093', span, `I can't read this field. ${mismatch(found, expected)}`, {
    suggestion,
    hint: example !== undefined ? likeThis(example) : suggestion === undefined ? inputForms : undefined,
  });

export const requiredInput = (span: Span, word: string): Diagnostic =>
  error('WF093', span, `"${word}" is not needed: every field is required unless its line ends in ", optional".`, {
    hint: 'Delete the word.',
  });

export const recordOnOneLine = (span: Span, example: string): Diagnostic =>
  error('WF093', span, "I can't read this field. The fields of a record go below it, one per line.", {
    hint: likeThis(example),
  });

export const listOfLists = (span: Span, name: string): Diagnostic =>
  error('WF093', span, "I can't read this field. The items of a list can't be lists themselves.", {
    hint: `Make them records with a list inside, or leave their kind open:\n    ${name} is a list of records:\n        values is a list of numbers\n    ${name} is anything`,
  });

export const inputTwice = (span: Span, name: string): Diagnostic =>
  error('WF094', span, `The field "${name}" is declared twice.`, { hint: 'Rename or delete one of the two.' });

/** @param kind what can't have this limit: `a number` */
export const limitOnOtherKind = (span: Span, kind: string, hint: string): Diagnostic =>
  error('WF095', span, `This is not a limit of ${kind}.`, { hint });

export const limitOfOtherKind = (span: Span, found: string, need: string): Diagnostic =>
  error('WF095', span, `This limit must be ${need}, but it is ${found}.`);

export const limitIsNoDate = (span: Span, written: string, form: 'date' | 'time', why: string | undefined): Diagnostic =>
  error('WF095', span, `"${written}" is not a ${form}${why === undefined ? '' : `: ${why}`}.`, {
    hint: `Write ${form === 'date' ? 'dates as year-month-day: "2026-03-01"' : 'times as in "2026-03-01T09:30"'}`,
  });

export const limitsCross = (span: Span, low: string, high: string): Diagnostic =>
  error('WF095', span, `Nothing is between ${low} and ${high}: ${low} is more than ${high}.`, {
    hint: 'Put the smaller value first.',
  });

/** @param what `value`, `whole number` */
export const emptyRange = (span: Span, what: string, limits: string): Diagnostic =>
  error('WF095', span, `No ${what} can be ${limits}.`, { hint: 'Change one of the limits.' });

export const limitTwice = (span: Span): Diagnostic =>
  error('WF095', span, 'This field already has this limit.', { hint: 'Delete one of the two.' });

export const badCount = (span: Span, written: string): Diagnostic =>
  error('WF095', span, `A count must be a whole number from 0 to 1,000,000,000, but it is ${written}.`);

export const limitHasValue = (span: Span, name: string): Diagnostic =>
  error('WF095', span, `A limit is fixed: it can't contain {${name}}.`, {
    hint: 'To compare with a value of the run, use if and reject in the workflow.',
  });

export const mixedChoices = (span: Span): Diagnostic =>
  error('WF095', span, 'The values after "one of" must be texts in quotes, or numbers.', {
    hint: 'Write them like this:\n    country is one of "DE", "AT", "CH"',
  });

export const choiceTwice = (span: Span, value: string): Diagnostic =>
  error('WF095', span, `${value} is listed twice.`, { hint: 'Delete one of the two.' });

/** @param problem completes "It …" */
export const badDefault = (span: Span, problem: string, hint: string | undefined): Diagnostic =>
  error('WF096', span, `The value after "otherwise" does not fit this field: it ${problem}.`, { hint });

function dayOfTheRun(declaration: string, value: string): string {
  const name = declaration.split(' ', 1)[0] ?? 'day';
  // `received` can be a field, but no variable.
  const day = name === 'received' ? 'the-day' : name;
  return `Make the field optional, and set the value in the workflow:\n    ${declaration}, optional\nand:\n    set ${day} to request.${name}\n    if ${day} is empty:\n        set ${day} to ${value}`;
}

/** @param declaration the line up to "otherwise" */
export const defaultNotFixed = (span: Span, found: string, declaration: string): Diagnostic =>
  error('WF096', span, `The value after "otherwise" must be fixed, but I found ${found}.`, {
    hint: /^"(?:today|now)"$/.test(found)
      ? dayOfTheRun(declaration, found.slice(1, -1))
      : 'Write a text in quotes, a number, yes, no, or [] for an empty list. Put a date in quotes.',
  });

export const defaultHasValue = (span: Span, name: string): Diagnostic =>
  error('WF096', span, `The value after "otherwise" is fixed: it can't contain {${name}}.`, {
    hint: `Make the field optional, and set the value in the workflow:\n    if request.note is empty:\n        set note to "{${name}}"`,
  });

export const noDefaultForRecord = (span: Span): Diagnostic =>
  error('WF096', span, 'A record takes no "otherwise".', {
    hint: 'Write ", optional" here, or give its fields an "otherwise".',
  });

/** @param owner what the field is read from: `request.address` @param names of the declared fields */
export const undeclaredField = (
  span: Span,
  owner: string,
  field: string,
  suggestion: string | undefined,
  names: readonly string[],
): Diagnostic =>
  error(
    'WF097',
    span,
    `"${owner}" has no field "${field}"${owner === 'received' ? '' : owner === 'received.headers' ? ': names of headers are in lower case' : ': inputs: does not declare it'}.`,
    {
      suggestion,
      hint:
        suggestion !== undefined
          ? undefined
          : owner === 'received'
            ? `Its fields are ${names.join(', ')}.`
            : `${names.length === 0 ? 'Declare it' : `The fields are ${names.map(writtenField).join(', ')}. If the workflow needs another one, declare it`} under inputs:\n    ${writtenField(field)} is a text`,
    },
  );

/** `set line.total to …` in one loop, `line.total` in another. */
export const fieldOfEarlierRound = (span: Span, owner: string, field: string): Diagnostic =>
  error(
    'WF097',
    span,
    `"${owner}" has no field "${field}" here: it was set on the item of another loop, whose changes end with its round.`,
    {
      hint: `To keep them, add each item to a list, and use that list below:\n    add ${owner} to ${owner}s`,
    },
  );

export const recordWithoutFields = (span: Span, name: string, isList: boolean): Diagnostic =>
  error('WF098', span, `The fields of "${name}" are missing.`, {
    hint: why(
      `Put a colon at the end of the line, and the fields below it, indented by 4 more spaces:\n    ${name} is ${isList ? 'a list of records' : 'a record'}:\n        street is a text`,
    ),
  });

export const fieldsOfOtherKind = (span: Span, name: string): Diagnostic =>
  error('WF098', span, `Only a record, or a list of records, has fields below it, but "${name}" is neither.`, {
    hint: `Write "${name} is a record:" or "${name} is a list of records:", or delete the lines below.`,
  });
