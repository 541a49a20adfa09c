// Diagnostics about calls, the lines under them, calls of other workflows, and concurrent branches.

import type { Diagnostic, Misspelt, Span } from '../diagnostic.js';
import { writeLines } from '../hint-marks.js';
import { error, warning } from './make.js';

/** @param words the first words that this kind of service knows */
export const unknownVerb = (
  span: Span,
  verb: string,
  kind: string,
  words: readonly string[],
  suggestion: string | undefined,
): Diagnostic =>
  error('WF200', span, `I don't know what "${verb}" means for ${kind}.`, {
    suggestion,
    hint: `The first word says what to do: ${words.join(', ')}.`,
  });

export const unknownVerbOfDatabase = (span: Span, verb: string, service: string, suggestion: string | undefined): Diagnostic =>
  error('WF200', span, `I don't know what "${verb}" means for a table of a database.`, {
    suggestion,
    hint: `The first word says what to do: get, list, count, create, update or delete. With your own SQL, it can be any word:\n    ${verb} rows using ${service} running "select …"`,
  });

export const notSending = (span: Span, verb: string): Diagnostic =>
  error('WF200', span, `A mail server only sends, so I don't know what "${verb}" means here.`, {
    hint: 'Start the call with send:\n    send receipt using Post with to request.email and subject "Your order" and text letter',
  });

/** @param correct the whole line, where it says which rows after "with" */
export const missingWhere = (span: Span, verb: string, everything: string, correct?: string): Diagnostic =>
  error('WF201', span, `This would ${everything}: "${verb}" needs "where" to say which rows you mean.`, {
    hint:
      correct === undefined
        ? `Write it like this:\n    ${verb} order using Shop at "orders"${everything.startsWith('change') ? ' with status "paid"' : ''} where id request.id\nIf you do mean every row, say so in SQL:\n    ${verb} orders using Shop running "…"`
        : writeLines(correct),
  });

export const missingTable = (span: Span, service: string): Diagnostic =>
  error('WF202', span, `This call doesn't name a table of "${service}".`, {
    hint: `Name the table, or write your own SQL:\n    list orders using ${service} at "orders" with status "open"\n    list totals using ${service} running "select day, sum(total) as total from orders group by day"`,
  });

export const emptyStatement = (span: Span): Diagnostic =>
  error('WF202', span, 'The SQL statement is empty.', {
    hint: 'Write it after "running":\n    list totals using Shop running "select day, sum(total) as total from orders group by day"',
  });

export const missingFile = (span: Span, service: string): Diagnostic =>
  error('WF202', span, `This call doesn't name a file of "${service}".`, {
    hint: `Name the file after "at":\n    save report using ${service} at "daily-{today}.csv" with rows rows`,
  });

export const missingColumns = (span: Span): Diagnostic =>
  error('WF202', span, "This update doesn't say what to change.", {
    hint: 'Write the new values after "with":\n    update order using Shop at "orders" with status "paid" where id request.id',
  });

/** @param part `at`, `running`, `where`, `with` */
export const partNotForKind = (span: Span, part: string, service: string, kind: string): Diagnostic =>
  error('WF203', span, `"${service}" is ${kind}, and its calls take no "${part}".`, {
    hint: part === 'at' ? 'Remove the "at …".' : `Only a database takes "${part}".`,
  });

export const tableAndStatement = (span: Span): Diagnostic =>
  error('WF203', span, 'A call has either "at" and the name of a table, or "running" and an SQL statement.', {
    hint: 'Delete one of the two.',
  });

export const pairsBesideStatement = (span: Span, part: string): Diagnostic =>
  error('WF203', span, `"${part}" can't go with "running": the SQL statement says everything.`, {
    hint: 'Use the values in the statement, in braces and without quotes around them:\n    list orders using Shop running "select * from orders where total > {request.limit}"',
  });

export const whereOnInsert = (span: Span, verb: string): Diagnostic =>
  error('WF203', span, `"${verb}" creates a new row, so "where" makes no sense here.`, {
    hint: 'To change an existing row, start with update.',
  });

export const valueInQuotes = (span: Span, written: string): Diagnostic =>
  error('WF204', span, `The value {${written}} is inside quotes or a comment of the SQL.`, {
    hint: `Remove the quotes around it. The database gets the value separately, so it needs none:\n    … where email = {${written}}`,
  });

/** @param known what calls of this kind take */
export const unknownPair = (
  span: Span,
  key: string,
  kind: string,
  known: readonly string[],
  suggestion: string | undefined,
): Diagnostic =>
  error('WF205', span, `Calls of ${kind} take no "${key}".`, { suggestion, hint: `They take ${known.join(', ')}.` });

/** @param need `to`, `rows` @param example of the whole call */
export const missingPair = (span: Span, need: string, what: string, example: string): Diagnostic =>
  error('WF205', span, `${what} needs "${need}".`, { hint: `Write it like this:\n    ${example}` });

/** @param verb of a call that would ignore its pairs */
export const pairsWithoutUse = (span: Span, verb: string): Diagnostic =>
  error('WF205', span, `"${verb}" would ignore these values: in a folder, only save and add take values.`, {
    hint: 'Delete them. To find certain files or rows, look through the result:\n    for each file in files where file.name ends with ".csv":',
  });

export const notOverHttp = (span: Span, line: string, kind: string): Diagnostic =>
  error('WF206', span, `"${line}" is only for APIs and webhooks, and this is ${kind}.`, { hint: 'Delete this line.' });

export const unknownMethod = (span: Span, written: string, suggestion: string | undefined): Diagnostic =>
  error('WF207', span, `I don't know the method "${written}".`, {
    suggestion,
    hint: 'The methods are GET, POST, PUT, PATCH and DELETE.',
  });

export const methodOfWebhook = (span: Span): Diagnostic =>
  error('WF207', span, 'A webhook is always sent as POST.', { hint: 'Delete this line, or declare the service as an API.' });

export const bodyWithPairs = (span: Span): Diagnostic =>
  error('WF207', span, 'This call has both "with" and a separate body.', {
    hint: 'The pairs after "with" would be the body. Send either the pairs or one value as the body.',
  });

export const bodyOfGet = (span: Span): Diagnostic =>
  error('WF207', span, 'This call is sent as GET, which has no body.', {
    hint: 'Start it with another word, such as send or create, or add the line:\n    sent as POST',
  });

export const badDatabaseAddress = (span: Span): Diagnostic =>
  error('WF208', span, 'This is not the address of a database.', {
    hint: 'It starts with postgres://, mysql:// or mariadb://, or it is the path of an SQLite file:\n    Shop is a database at "{env.DATABASE_URL}"\n    Shop is a database at "./shop.sqlite"',
  });

export const badMailAddress = (span: Span): Diagnostic =>
  error('WF208', span, 'This is not the address of a mail server.', {
    hint: 'It starts with smtp:// or smtps://:\n    Post is a mail server at "{env.SMTP_URL}"',
  });

export const badFolder = (span: Span): Diagnostic =>
  error('WF208', span, 'This is not the path of a folder.', {
    hint: 'The path starts at the folder of this file:\n    Reports is a folder at "./reports"',
  });

export const missingSender = (span: Span, service: string): Diagnostic =>
  error('WF209', span, `The mail server "${service}" has no sender.`, {
    hint: `Add a line with "from" below it:\n    ${service} is a mail server at "{env.SMTP_URL}"\n        from "Shop <shop@example.com>"`,
  });

/** @param kind of the service that is no mail server; `undefined` if there is no such service */
export const notifiedByOther = (
  span: Span,
  person: string,
  by: string,
  kind: string | undefined,
  suggestion: string | undefined,
): Diagnostic =>
  error(
    'WF212',
    span,
    kind === undefined
      ? `I don't know the mail server "${by}": it is not declared in services:.`
      : `"${by}" is ${kind}, and only a mail server can notify "${person}".`,
    {
      suggestion,
      hint: `Declare the mail server, or notify at an address:\n    Post is a mail server at "{env.SMTP_URL}"\n        from "Office <office@example.com>"\n    ${person} is a person notified by Post`,
    },
  );

/** @param limit `within 3 days` @param question the line without it */
export const deadlineInQuestion = (span: Span, limit: string, question: string): Diagnostic =>
  warning('WF108', span, `"${limit}" is part of the question here: the run waits without a limit.`, {
    hint: writeLines(`${question}\n        ${limit.replace(/ an? /, ' 1 ')}`),
  });

/** @param option `choose from "yes", "no"` or `save the result as answer` @param question the line without it */
export const optionInQuestion = (span: Span, option: string, question: string): Diagnostic =>
  warning(
    'WF108',
    span,
    `This is part of the question here: ${option.startsWith('save') ? 'nothing keeps the answer' : 'people are asked for a text of their own, and see no buttons'}.`,
    { hint: writeLines(`${question}\n        ${option.replace(/ or (?=")/g, ', ')}`) },
  );

export const mailToNobody = (span: Span, person: string): Diagnostic =>
  error('WF212', span, `"${person}" is notified by mail, but this question says no address.`, {
    hint: 'Add a line with the address below it:\n    addressed to request.manager-email',
  });

export const badSender = (span: Span): Diagnostic =>
  error('WF209', span, 'This is not a single mail address.', { hint: 'Write it like this:\n    from "Shop <shop@example.com>"' });

export const unknownFileEnding = (span: Span): Diagnostic =>
  error('WF210', span, "I can't tell from its name what kind of file this is.", {
    hint: 'The name ends in .csv, .xlsx, .json or .txt.',
  });

export const cannotAppend = (span: Span, ending: string): Diagnostic =>
  error('WF210', span, `Nothing can be added to a .${ending} file.`, {
    hint: 'You can add a row to a .csv file, or a text to a .txt file. To replace the file, start with save.',
  });

export const outsideOfFolder = (span: Span): Diagnostic =>
  error('WF211', span, 'This path leads out of the folder.', {
    hint: 'A path contains no ".." and does not start with a slash. To use another folder, declare it as a service.',
  });

/** @param line where the other branch sets it */
export const setByTwoBranches = (span: Span, name: string, line: number): Diagnostic =>
  error(
    'WF083',
    span,
    `Two branches set "${name}", here and in line ${line}. Its value would depend on which one finishes last.`,
    {
      hint: `Give each branch its own variable, and combine them below the block:\n    set ${name} to …`,
    },
  );

/** @param line where the other branch sets it */
export const ofAnotherBranch = (span: Span, name: string, line: number): Diagnostic =>
  error('WF084', span, `Another branch sets "${name}" at the same time, in line ${line}. It may not have a value yet.`, {
    hint: 'Move this line below the block, or put both lines into one step, which runs them in order:\n    at the same time:\n        step Name of the step:',
  });

export const readsGrowingList = (span: Span, name: string): Diagnostic =>
  error('WF084', span, `The rounds add to "${name}" at the same time, so none of them can read it.`, {
    hint: `Read "${name}" below the loop, where it contains what all rounds added. To give each round its own list, start the round with:\n    set ${name} to []`,
  });

/** @param item what each round contributes, as written in the file; `isSum`: it is added to the variable */
export const setOutsideRound = (span: Span, name: string, item: string, isSum: boolean): Diagnostic =>
  error('WF085', span, `A round can't set "${name}" from outside the loop, because the rounds run at the same time.`, {
    hint: `Collect the result of each round in a list:\n    add ${item} to results\nand use the list below the loop${
      isSum ? `:\n    set ${name} to ${name} plus (sum of results)` : '.'
    }`,
  });

export const outsideRound = (span: Span, name: string): Diagnostic =>
  error('WF032', span, `"${name}" only exists inside a round of its loop.`, {
    hint: `To keep the results of the rounds, collect them in a list inside the loop:\n    add ${name} to results`,
  });

export const leavesBranch = (span: Span, what: string): Diagnostic =>
  error('WF086', span, `"${what}" can't leave the block "at the same time:", whose other branches are still running.`, {
    hint: 'Set a variable here, and check it below the block:\n    if found:\n        stop the loop',
  });

export const roundsAtATime = (span: Span, most: number): Diagnostic =>
  error('WF240', span, `The number of rounds at a time must be a whole number from 1 to ${most}.`, {
    hint: 'Write it like this:\n    for each order in request.orders, 10 at a time:',
  });

/** @param word of the line that ends the run @param line of the call `at most once` in another branch */
export const endsBesidePayment = (span: Span, word: string, line: number): Diagnostic =>
  warning('WF130', span, `"${word}" ends the run although the call in line ${line} may already have been sent, at most once.`, {
    hint: 'Let one branch decide, and make the call below the block:\n    at the same time, until one is done:\n        step Withdrawal:\n            wait for withdrawal\n            set withdrawn to true\n        step Work:\n            …\n    if withdrawn:\n        reject with "withdrawn"',
  });

/** @param name of a variable with which the message is found */
export const mayComeTooEarly = (span: Span, message: string, name: string): Diagnostic =>
  warning(
    'WF132',
    span,
    `A message "${message}" may come more than 7 days before the run waits for it: "${name}" is known since before a long wait, and messages are kept for 7 days.`,
    {
      hint: 'Wait for the message at the same time as for the rest, or keep messages longer:\n    wf serve --store ./runs --keep-messages 30d',
    },
  );

export const singleBranch = (span: Span): Diagnostic =>
  warning('WF123', span, 'This block has only one statement, so nothing runs at the same time.', {
    hint: 'Each statement directly in the block is a branch. The statements of a step run in order.',
  });

const form = 'Discounts is a workflow at "./discounts.wf"';

/** @param why a clause: `the file does not exist` */
export const unreadableWorkflow = (span: Span, target: string, why: string): Diagnostic =>
  error('WF260', span, `The workflow "${target}" can't be read: ${why}.`, {
    hint: 'The path starts from the folder of this file.',
  });

/** @param target not the path of a .wf file */
export const badWorkflowPath = (span: Span, name: string, target: string): Diagnostic =>
  error('WF260', span, 'A called workflow needs the path of a .wf file.', {
    hint: /\.(?:csv|xlsx)$/i.test(target)
      ? `A file with rows is a table. Declare it after the services:\n    tables:\n        ${name} is a table at "${target}"`
      : /\.[cm]?[jt]s$/i.test(target)
        ? `A file with code is a plugin:\n    ${name} is a plugin "${target}"`
        : `Write it like this:\n    ${form}`,
  });

export const fixedWorkflowPath = (span: Span): Diagnostic =>
  error('WF260', span, "The path of a called workflow is fixed: it can't contain {…}.", {
    hint: `It is compiled with this file. Write out the path:\n    ${form}`,
  });

export const workflowWithErrors = (span: Span, target: string): Diagnostic =>
  error('WF261', span, `The workflow "${target}" has errors.`, { hint: 'Fix them first. They are listed with this one.' });

export const workflowCircle = (span: Span, files: readonly string[]): Diagnostic =>
  error('WF262', span, `These workflows call each other in a circle: ${files.join(' → ')}.`, {
    hint: 'Move what both need into a third workflow, and call that one.',
  });

export const tooManyLevels = (span: Span, most: number): Diagnostic =>
  error('WF263', span, `Workflows call each other more than ${most} levels deep here.`, {
    hint: 'Let one workflow call several others in turn.',
  });

export const unknownInput = (
  span: Span,
  key: string,
  service: string,
  suggestion: string | undefined,
  names: readonly string[],
): Diagnostic =>
  error('WF264', span, `${service} declares no input "${key}".`, {
    suggestion,
    hint:
      suggestion !== undefined ? undefined : names.length === 0 ? 'It takes no inputs.' : `Its inputs are ${names.join(', ')}.`,
  });

/** @param what completes "… must be": `a text` */
export const missingInput = (span: Span, name: string, service: string, what: string): Diagnostic =>
  error('WF264', span, `The input "${name}" of ${service} is missing. It must be ${what}.`, {
    hint: `Add it to the pairs: with ${name} …`,
  });

/** @param owner the variable that has the result @param outputs of the workflow */
export const noSuchOutput = (
  { span, suggestion }: Misspelt,
  owner: string,
  field: string,
  service: string,
  outputs: readonly string[],
): Diagnostic =>
  error('WF097', span, `"${owner}" has no field "${field}": ${service} doesn't complete with it.`, {
    suggestion,
    hint: suggestion !== undefined ? undefined : `It completes with ${outputs.join(', ')}.`,
  });

/** @param problem `must be a text, and is 5` */
export const wrongInput = (span: Span, name: string, service: string, problem: string): Diagnostic =>
  error('WF264', span, `The input "${name}" of ${service} ${problem}.`);

/** Diagnostics for expressions longer than anyone writes. The later phases, and JavaScript itself, could not handle them. */
export const tooManyPrefixes = (span: Span, limit: number): Diagnostic =>
  error('WF064', span, `More than ${limit} words such as "not" or "count of" come before a single value here.`, {
    hint: 'Name part of this expression with "set", then use that name here.',
  });

export const pathTooLong = (span: Span, limit: number): Diagnostic =>
  error('WF064', span, `This name contains more than ${limit} dots.`, {
    hint: 'Name the first part with "set", then continue from that name.',
  });

export const tooManyBranches = (span: Span, limit: number): Diagnostic =>
  error('WF064', span, `This "if" has more than ${limit.toLocaleString('en')} conditions.`, {
    hint: 'Start another "if" for the rest, after cases that end with "skip" or "complete with". Or put the cases into a list and loop over it.',
  });

export const tooManyValues = (span: Span, limit: number): Diagnostic =>
  error('WF064', span, `This text contains more than ${limit} values in braces.`, {
    hint: 'Build part of the text with "set" first, then use that name here.',
  });
