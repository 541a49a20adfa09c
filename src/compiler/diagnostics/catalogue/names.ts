// Diagnostics about names: variables, services, steps, keys.

import type { Diagnostic, Span } from '../diagnostic.js';
import { likeThis, why } from '../hint-marks.js';
import { error } from './make.js';

interface Meant {
  readonly suggestion: string | undefined;
  /** False if the suggestion is certain enough, or if the input cannot have a field of this name. */
  readonly mayBeInput: boolean;
  /** It is alone where text could be. */
  readonly mayBeText: boolean;
}

export const unknownVariable = (span: Span, name: string, { suggestion, mayBeInput, mayBeText }: Meant): Diagnostic => {
  const asText = mayBeText ? why(`If you mean this text, put it in quotes: "${name}"\n`) : '';
  const asInput = `If it comes with the input, write request.${name}.`;
  return error('WF020', span, `I don't know "${name}": no line above sets it.`, {
    suggestion,
    hint:
      suggestion === undefined
        ? `${asText}${asInput} Otherwise, set it first:\n    set ${name.split('.')[0] ?? name} to …`
        : mayBeInput
          ? `${asText}${asInput}`
          : undefined,
  });
};

export const unquotedChoice = (span: Span, name: string): Diagnostic =>
  error('WF020', span, `I don't know "${name}": no line above sets it.`, {
    hint: why(`If people choose between texts, put each in quotes:\n    choose from "${name}"`),
  });

/** @param meant the value in parentheses, with its "for each"; absent if it is no record */
export const outsideIteration = (span: Span, name: string, meant?: string): Diagnostic =>
  error('WF020', span, `I don't know "${name}" here: only the last value before "for each" can use it.`, {
    hint: meant === undefined ? undefined : why(`Put the whole value in parentheses:\n    ${meant}`),
  });

/** `tomorrow`, `Monday` */
export const calendarWord = (span: Span, word: string, hint: string, suggestion?: string): Diagnostic =>
  error('WF020', span, `I don't know "${word}": no line above sets it.`, {
    suggestion,
    hint,
  });

/** `wait until Monday` */
export const dayToWaitFor = (span: Span, word: string): Diagnostic =>
  error('WF020', span, `I don't know "${word}": no line above sets it.`, {
    hint:
      word.toLowerCase() === 'tomorrow'
        ? 'Calculate the date:\n    wait until today plus 1 day'
        : 'Calculate the date. For next Monday, write:\n    wait until start of week of (today plus 1 week)',
  });

/** @param example how to use both keys */
export const secondKey = (span: Span, how: string, example: string): Diagnostic =>
  error('WF020', span, `A list is ${how} by a single field.`, { hint: example });

/** @param lines the statements that the line contains, without what never runs */
export const secondStatement = (span: Span, word: string, lines: readonly string[]): Diagnostic =>
  error('WF020', span, `I don't know "${word}" here.`, {
    hint:
      lines.length > 1
        ? `Write one statement per line:\n    ${lines.join('\n    ')}`
        : `"reject" already ends the run. Write only:\n    ${lines[0]}`,
  });

/** @param line in the right order */
export const swappedItem = (span: Span, line: string): Diagnostic =>
  error('WF020', span, 'The item comes first, and then the list.', { hint: likeThis(line) });

/** @param pairs its conditions with values */
export const tableAsValue = (span: Span, table: string, result: string, pairs: string): Diagnostic =>
  error('WF020', span, `"${table}" is a table, not a value.`, {
    hint: `Look a row up first, which sets "${result}":\n    look up ${result} in ${table} with ${pairs}`,
  });

/** `first order of orders` */
export const itemOfList = (span: Span, suggestion: string, list: string): Diagnostic =>
  error('WF020', span, `I don't know which part of "${list}" you mean: before "of", there can only be a number.`, { suggestion });

/** `due` in `each order in orders where due is …` */
export const fieldWithoutItem = (span: Span, name: string, item: string): Diagnostic =>
  error('WF020', span, `I don't know "${name}": no line above sets it.`, {
    suggestion: `${item}.${name}`,
    hint: `To read a field of "${item}", write "${item}" and a dot in front of it.`,
  });

const useOfService = {
  answer: (name: string) => `Save what a call of it returns:\n    get answer using ${name}\n        save the result as answer`,
  failure: (name: string) =>
    `Below the call, say what to do if it fails:\n    get answer using ${name}\n        on failure:\n            log failure.message`,
  rejection: (name: string) =>
    `Below the call, say what to do if it rejects:\n    get answer using ${name}\n        on failure:\n            if failure.rejected:\n                log failure.message`,
} as const;

/** @param meant what the author wants to know about the service */
export const serviceAsValue = (span: Span, name: string, meant: keyof typeof useOfService): Diagnostic =>
  error('WF020', span, `"${name}" is a service, not a value.`, { hint: useOfService[meant](name) });

/** `is not set`, in which `set` is parsed as the name of a variable. */
export const otherState = (span: Span, words: string, suggestion: string): Diagnostic =>
  error('WF020', span, `I don't know "${words}" here.`, { suggestion });

/** @param difference `total minus discount` */
export const hyphenForMinus = (span: Span, name: string, difference: string): Diagnostic =>
  error('WF020', span, `I don't know "${name}": no line above sets it.`, {
    suggestion: difference,
    hint: 'A hyphen is part of a name. To subtract, write "minus".',
  });

/** @param line of the call */
export const resultNotSaved = (span: Span, name: string, line: number): Diagnostic =>
  error('WF020', span, `I don't know "${name}": the call in line ${line} doesn't keep its answer.`, {
    hint: `To keep it, write below the call:\n    save the result as ${name}`,
  });

export const roundOutsideRepeat = (span: Span): Diagnostic =>
  error('WF020', span, '"round" counts the rounds of a "repeat" loop, and only exists inside one.', {
    hint: 'In a "for each" loop, count yourself:\n    set number to number plus 1',
  });

export const unknownFailure = (span: Span): Diagnostic =>
  error('WF020', span, '"failure" is only available under "on failure:".', {
    hint: 'To use it later, save it under another name there:\n    set problem to failure.message',
  });

export const itemOutsideLoop = (span: Span, name: string): Diagnostic =>
  error('WF032', span, `"${name}" only exists inside its loop.`, {
    hint: `To keep its value, set another variable inside the loop:\n    set last-${name} to ${name}`,
  });

export const sameName = (span: Span, name: string): Diagnostic =>
  error('WF089', span, `Both the name and the value of a field would be called "${name}".`, {
    hint: 'Give them two names: for each name and price in request.prices:',
  });

export const unknownService = (span: Span, name: string, suggestion: string | undefined): Diagnostic =>
  error('WF021', span, `I don't know the service "${name}": it is not declared in services:.`, {
    suggestion,
    hint: `Every service is declared at the top of the file:\n    services:\n        ${name} is an API at "https://..."`,
  });

export const unknownAi = (span: Span, name: string, suggestion: string | undefined): Diagnostic =>
  error('WF021', span, `I don't know the AI "${name}": it is not declared in services:.`, {
    suggestion,
    hint: `Every service is declared at the top of the file:\n    services:\n        ${name} is an AI using "openai/gpt-4o"`,
  });

export const notAnAi = (span: Span, name: string, kind: string): Diagnostic =>
  error('WF026', span, `"${name}" is ${kind}, and only an AI can be asked.`, {
    hint: `Call it instead, for example:\n    send message using ${name} with text "…"`,
  });

export const callOfAi = (span: Span, name: string): Diagnostic =>
  error('WF026', span, `"${name}" is an AI: ask it instead of calling it.`, {
    hint: `Write it like this:\n    ask ${name} to summarize this text: {request.text}\n        save the result as summary`,
  });

export const stepTwice = (span: Span, name: string, line: number): Diagnostic =>
  error('WF022', span, `Line ${line} already has a step named "${name}".`, { hint: 'Give each step a different name.' });

export const cannotSet = (span: Span, name: string): Diagnostic =>
  error('WF023', span, `You can't set "${name}": the name is reserved.`, {
    hint:
      name === 'request'
        ? 'The request never changes. Make a copy under another name and change that:\n    set order to request'
        : name === 'received'
          ? 'It says how the run was started: received.headers, received.query, received.at, received.id, received.by. Choose another name.'
          : 'Choose another name.',
  });

export const keyTwice = (span: Span, key: string): Diagnostic =>
  error('WF024', span, `The key "${key}" appears twice.`, { hint: 'Use each key once. Rename or delete one of the two.' });

export const pathOnWebhook = (span: Span, name: string): Diagnostic =>
  error('WF025', span, `"${name}" is a webhook: it has a single address and takes no "at".`, {
    hint: `Remove the "at …", or declare it as an API:\n    ${name} is an API at "https://..."`,
  });

export const notGiven = (span: Span, what: string, name: string, kind: string): Diagnostic =>
  error('WF031', span, `"save the ${what} as" doesn't work here: "${name}" is ${kind}.`, {
    hint:
      what === 'confidence'
        ? 'Only an AI returns a confidence.'
        : what === 'comment' || what === 'person'
          ? 'Only the answer of a person has it.'
          : 'Only APIs, webhooks and plugins return it. After a failure, failure.status is available.',
  });

export const bareEnvironment = (span: Span): Diagnostic =>
  error('WF033', span, '"env" needs the name of a variable.', {
    hint: "Write env.API_KEY, for example. You can't read the whole environment at once.",
  });

export const callOfPerson = (span: Span, name: string): Diagnostic =>
  error('WF026', span, `"${name}" is a person: ask them instead of calling.`, {
    hint: `Write it like this:\n    ask ${name} to approve the refund of {request.amount}\n        choose from "approve", "decline"\n        save the result as decision`,
  });

export const retryOfPerson = (span: Span): Diagnostic =>
  error('WF081', span, "A person can't be asked again with a retry.", {
    hint: 'Give more time with "within", or remind them:\n    within 3 days\n    remind every 1 day',
  });

export const timeoutOfPerson = (span: Span): Diagnostic =>
  error('WF081', span, "A person can't have a timeout.", { hint: 'Say how long the question may wait:\n    within 3 days' });

/** A time limit of a service that needs a value of the run. */
export const timeoutNeedsRun = (span: Span, written: string): Diagnostic =>
  error('WF030', span, 'The time limit of a service can only use values from the environment.', {
    hint: `For one call, write the time limit below the call:\n    with timeout ${written}`,
  });

export const onlyForPeople = (span: Span, name: string): Diagnostic =>
  error('WF082', span, `This line is only for people, and "${name}" is an AI.`, {
    hint: 'Remove the line, or declare a person in services:\n    Finance is a person',
  });
