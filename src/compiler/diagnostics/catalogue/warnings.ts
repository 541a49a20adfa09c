// Warnings: legal code that most likely doesn't do what its author meant, and what is proved about the ways through a workflow.

import type { Diagnostic, Span } from '../diagnostic.js';
import { why, writeInstead, writeLines } from '../hint-marks.js';
import { error, insteadOfEmpty, warning } from './make.js';
import { type FilePlace, inFile } from './tables.js';

/** @param isList whether "add" puts items into it */
export const maybeUnset = (span: Span, name: string, isList: boolean): Diagnostic =>
  warning(
    'WF101',
    span,
    `"${name}" may not be set here: only some of the paths to this line set it. On the others, it is empty.`,
    {
      hint: isList
        ? `Start with an empty list, before the first "add":\n    set ${name} to []`
        : 'Set it on the other paths, too, or beforehand, to a value that the lines below can use.',
    },
  );

export const mixedArithmetic = (span: Span, asRead: string, asUsual: string): Diagnostic =>
  warning('WF102', span, 'Arithmetic runs from left to right, as on a pocket calculator.', {
    hint: `This line means:\n    ${asRead}\nIf you want it the other way, write:\n    ${asUsual}\nParentheses make it clear either way.`,
  });

export const mixedLogic = (span: Span): Diagnostic =>
  warning('WF103', span, 'This condition mixes "and" with "or"; "and" is evaluated first.', {
    hint: 'Parentheses make it clear either way:\n    a or (b and c)\n    (a or b) and c',
  });

export const neverReached = (span: Span, after: string): Diagnostic =>
  warning(
    'WF104',
    span,
    `This line never runs: "${after}" above it ends ${after === 'skip' ? 'this round of the loop' : after === 'stop the loop' ? 'the loop' : 'the run'}.`,
    { hint: 'Delete it, or move it above that line.' },
  );

export const unusedService = (span: Span, name: string): Diagnostic =>
  warning('WF105', span, `The service "${name}" is never used.`, {
    hint: 'Delete the declaration if you no longer need it.',
  });

export const hiddenVariable = (span: Span, name: string): Diagnostic =>
  warning('WF106', span, `The item "${name}" hides the variable "${name}" here.`, {
    hint: 'Give the item another name.',
  });

export const headerTwice = (span: Span, name: string): Diagnostic =>
  warning('WF107', span, `The header "${name}" appears twice; the last one wins.`, { hint: 'Delete one of the two lines.' });

export const ignoredOption = (span: Span, what: string, kind: string): Diagnostic =>
  warning('WF108', span, `${what} have no effect on ${kind}.`, { hint: 'Delete them.' });

export const noConfig = (span: Span, name: string): Diagnostic =>
  warning('WF109', span, `This file has no config: section, so its name is "${name}" and its version is 1.`, {
    hint: 'Add one at the top of the file:\n    config:\n        name: "Order review"\n        version: 1',
  });

export const noTrigger = (span: Span): Diagnostic =>
  warning('WF110', span, "This workflow doesn't say what triggers it.", {
    hint: 'Say so in the first line under workflow:, in your own words:\n    trigger: when an order is placed',
  });

export const triggerAsSchedule = (span: Span, times: string): Diagnostic =>
  warning('WF147', span, 'A trigger only describes when a workflow runs. The schedule in config: decides.', {
    hint: `To run it then, write:\n    schedule: "${times}"`,
  });

export const unknownSetting = (span: Span, key: string, suggestion: string | undefined): Diagnostic =>
  warning('WF111', span, `I don't know the setting "${key}".`, {
    suggestion,
    hint: 'The settings are name, version, description, timeout, timezone, holidays, schedule, once for each, find by, keep for, signature, secret, answer, status when rejected and runs at once.',
  });

export const inexactNumber = (span: Span, text: string, held: string): Diagnostic =>
  warning('WF112', span, `The number ${text} has too many digits to store exactly; it becomes ${held}.`, {
    hint: 'If it is an identifier rather than an amount, put it in quotes.',
  });

/** @param written with exactly three digits after the point */
export const notThousands = (span: Span, written: string, place?: FilePlace): Diagnostic => {
  const digits = written.replace('.', '').replace(/^(-?)0+(?=\d)/, '$1');
  // One more digit says that the point is one.
  const value = written.endsWith('9') ? `${written}0` : String(Number(written));
  return warning('WF127', span, `${inFile(place)}This is ${Number(written)}, not ${inThousands(Number(digits))}.`, {
    hint: `If you mean ${Number(written)}, write:\n    ${value}\nIf you mean ${Number(digits).toLocaleString('en')}, write:\n    ${digits}`,
  });
};

/** `"9:00"` in a comparison of order. */
export const shortClock = (span: Span, written: string): Diagnostic =>
  warning('WF117', span, `${written} looks like a time, but wf compares it as plain text, and "1" comes before "9".`, {
    suggestion: `"0${written.slice(1)}`,
  });

const NAMES = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven', 'twelve'];

/** `ten thousand`, or digits in groups. */
const inThousands = (value: number): string => {
  const name = NAMES[value / 1_000 - 1];
  return name === undefined ? value.toLocaleString('en') : `${name} thousand`;
};

/** @param example a comparison with one of its choices */
export const bareChoice = (span: Span, name: string, example: string): Diagnostic =>
  warning('WF128', span, `"${name}" is a text, which counts as true whatever it says.`, {
    hint: `Compare it with one of its choices:\n    ${example}`,
  });

/** @param no the text, such as "no" */
export const textAsNo = (span: Span, name: string, no: string): Diagnostic =>
  error('WF067', span, `This line can't work: "${name}" is the text "${no}", and a condition needs yes or no.`, {
    hint: `Compare it:\n    ${name} is "${no}"\nOr use true and false instead of texts.`,
  });

export const mayBeNo = (span: Span, name: string, no: string): Diagnostic =>
  warning('WF128', span, `"${name}" is a text: if it is "${no}", this line ends the run as error.`, {
    hint: `Compare it:\n    ${name} is not "${no}"\nOr use true and false instead of texts.`,
  });

/** @param both what is asked of the value beside it, asked of this one */
export const loneBesideState = (span: Span, name: string, both: string): Diagnostic =>
  warning('WF133', span, `"${name}" is on its own here: it is not part of the condition beside it.`, {
    hint: `${writeLines(both)}\nIf it counts on its own:\n    ${name} is not empty`,
  });

/** @param inserted the value in braces, if it is known */
export const placeholder = (span: Span, written: string, inserted: string | undefined): Diagnostic =>
  warning('WF134', span, `${written} stays in the text as it is: only braces insert a value.`, {
    hint: inserted === undefined ? 'Write the name of the value in braces: "/orders/{request.order}"' : writeLines(inserted),
  });

/** @param compared the comparison that is most likely meant @param alone what the value says on its own */
export const loneValue = (span: Span, name: string, kind: string, compared: string, alone: string): Diagnostic =>
  warning('WF133', span, `"${name}" is a ${kind} on its own here: it is not part of the comparison beside it.`, {
    hint: `${writeLines(compared)}\nIf it counts on its own:\n    ${alone}`,
  });

/** @param insertion `{env.TOKEN}` */
export const dollarBraces = (span: Span, insertion: string): Diagnostic =>
  warning('WF134', span, `The "$" stays in the text: "$" and the value of ${insertion}.`, {
    hint: writeLines(insertion),
  });

export const doubleBraces = (span: Span, name: string): Diagnostic =>
  warning('WF134', span, `Double braces insert nothing: the text says {${name}}, not the value of "${name}".`, {
    hint: writeLines(`{${name}}`),
  });

export const letterForSign = (span: Span): Diagnostic =>
  warning('WF135', span, 'In a pattern, "@" stands for any letter, not for the sign itself.', {
    hint: 'Write "?" for the sign: it stands for any character. To ask for an address, declare the input as "an email address".',
  });

/** @param keyword of the line: `add`, `set` @param line of the call */
export const afterFailureToo = (span: Span, line: number, keyword: string, written: string): Diagnostic =>
  warning(
    'WF129',
    span,
    `This line also runs if the call in line ${line} has failed, because the run goes on after "on failure:".`,
    {
      hint: `To ${keyword} only if the call has worked, move the line below the call:\n    on success:\n        ${written}`,
    },
  );

export const unusualHeader = (span: Span, name: string, suggestion: string): Diagnostic =>
  warning('WF113', span, `"${name}" is not a common header.`, {
    suggestion,
    hint: 'wf sends it exactly as you wrote it.',
  });

/**
 * @param list the condition that the author most likely means
 * @param other the value before it, if this one may be meant in place of an empty one
 */
export const fixedCondition = (
  span: Span,
  value: string,
  isTrue: boolean,
  list: string | undefined,
  other?: string,
): Diagnostic =>
  warning('WF114', span, `${value} is a condition on its own here, and always counts as ${isTrue ? 'true' : 'false'}.`, {
    hint: [
      ...(other === undefined ? [] : [insteadOfEmpty(other, value)]),
      `To compare with several values, write:\n    ${list ?? 'total is one of [1, 2]'}`,
      ...(list === undefined && other === undefined && value.startsWith('"')
        ? ['To join texts, write:\n    "Hello {name}"']
        : []),
    ].join('\n'),
  });

export const callThatAssigns = (span: Span, variable: string, call: string): Diagnostic =>
  warning(
    'WF115',
    span,
    `This service call begins with "${variable}", which wf takes for its verb. It doesn't set "${variable}".`,
    {
      hint: `To keep the answer, write:\n    ${call}\n        save the result as ${variable}`,
    },
  );

export const callThatSets = (span: Span, variable: string, call: string): Diagnostic =>
  warning('WF115', span, `This service call starts with the word "set", but it doesn't set "${variable}".`, {
    hint: `To keep the answer, write:\n    ${call}\n        save the result as ${variable}`,
  });

export const choiceWithoutEffect = (span: Span, person: string): Diagnostic =>
  warning('WF125', span, `Whatever ${person} chooses has no effect, because nothing keeps the answer.`, {
    hint: 'Keep it in a line below, and use it afterwards:\n    save the result as decision\n    if decision is "decline":',
  });

/** @param choices the values as written */
export const joinedChoices = (span: Span, word: 'and' | 'or', choices: readonly string[]): Diagnostic =>
  warning('WF122', span, `"${word}" joins conditions, so this is a single choice: true or false.`, {
    hint: why(`Put commas between choices:\n    choose from ${choices.join(', ')}`),
  });

/** @param reason completes "Line 12 is never reached: …" */
export const lineNeverReached = (span: Span, line: number, reason: string): Diagnostic =>
  warning('WF150', span, `Line ${line} is never reached: ${reason}.`, {
    hint: 'Change the condition, or the order of the lines. The first one that fits counts.',
  });

export const waitForDate = (span: Span, name: string, form: string): Diagnostic =>
  warning('WF137', span, `This waits for a message named "${name}", not for the ${form} in the variable "${name}".`, {
    hint: writeInstead(`wait until ${name}`),
  });

export const valueInPhrase = (span: Span, value: string): Diagnostic =>
  warning('WF138', span, `"${value}" is not sent: the words before "using" only say what the call is for.`, {
    hint: 'Put values after the service: with a name and the value.',
  });

export const unchangedCondition = (span: Span, name: string): Diagnostic =>
  warning('WF139', span, `No line of this loop changes "${name}", so every round finds the same.`, {
    hint: 'Set it in the loop, or save the result of a call as it.',
  });

/** @param tests `above 10`, in the order of the file */
/** @param word the keyword before the amount of time */
export const limitBeyondTimeout = (span: Span, word: string, timeout: string): Diagnostic =>
  warning('WF136', span, `"${word}" ends after the run does: the whole run may take at most ${timeout}.`, {
    hint: 'Shorten it, or raise the timeout in config:.',
  });

/** @param strict the comparison that leaves the point out, if one does: `above`, `before` */
export const boundaryWithoutLine = (
  span: Span,
  name: string,
  point: string,
  strict: string | undefined,
  tests: readonly string[],
): Diagnostic => {
  const meant = strict === undefined ? undefined : inclusive[strict];
  return warning(
    'WF151',
    span,
    `${/^[aeiou]/i.test(name) ? 'An' : 'A'} ${name} of exactly ${point} fits no line of this "if" (${tests.join(', ')}).`,
    { hint: `${meant === undefined ? '' : `Did you mean "${meant}"? `}If it should fit none, say so:\n    otherwise:` },
  );
};

const inclusive: Readonly<Record<string, string>> = {
  above: 'at least',
  below: 'at most',
  before: 'on or before',
  after: 'on or after',
};

/** @param example `a weight of 101` */
export const wayWithoutResult = (span: Span, example: string): Diagnostic =>
  warning('WF152', span, `${example.charAt(0).toUpperCase()}${example.slice(1)} ends without a result, where others have one.`, {
    hint: 'End this way as well, with "complete" or "reject", or add:\n    otherwise:',
  });

export const silenceFails = (span: Span, service: string, name: string, line: number): Diagnostic =>
  warning('WF153', span, `Without an answer from ${service}, ${name} is empty, and line ${line} ends the run as error.`, {
    hint: `Ask first whether there is one:\n    if ${name} exists and …`,
  });

export const reorderedText = (span: Span): Diagnostic =>
  warning('WF154', span, 'An invisible character shows this line in another order than it runs.', { hint: 'Delete it.' });
