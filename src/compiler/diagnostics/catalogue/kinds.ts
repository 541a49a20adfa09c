// Diagnostics about kinds of values: lines bound to fail, and conditions with only one result.

import { twoKeys } from '../../vocabulary/two-keys.js';
import type { Diagnostic, Misspelt, Span } from '../diagnostic.js';
import { why, writeLines } from '../hint-marks.js';
import { error, insteadOfEmpty, warning } from './make.js';

/** @param what the value and its kind: `"score" is a number` @param needs what the keyword needs: `a list` */
export const wrongKind = (span: Span, what: string, word: string, needs: string, hint: string | undefined): Diagnostic =>
  error('WF067', span, `This line can't work: ${what}, and "${word}" needs ${needs}.`, { hint });

/** @param joined the text that the author most likely wants, in quotes */
export const plusOnText = (span: Span, what: string, joined: string | undefined, number: string | undefined): Diagnostic =>
  error('WF068', span, `This line can't work: ${what}, and "plus" adds numbers and joins lists, but never texts.`, {
    hint: [
      joined === undefined
        ? 'To join texts, put them in one pair of quotes:\n    "{first}{second}"'
        : `To join texts, write:\n    ${joined}`,
      ...(number === undefined ? [] : [`To add the number in a text, write:\n    ${number}`]),
    ].join('\n'),
  });

/** @param sum as written */
export const plusOnDate = (span: Span, what: string, sum: string): Diagnostic =>
  error('WF068', span, `This line can't work: ${what}, and "plus" needs to know the unit.`, {
    // An amount is often called like its unit: `request.months`.
    hint: `Say which unit you mean, for example days:\n    ${sum} ${/\b(?:hours|days|weeks|months|years)$/.exec(sum)?.[0] ?? 'days'}`,
  });

export const dividedByZero = (span: Span): Diagnostic =>
  error('WF069', span, "This line can't work: nothing can be divided by zero.", { hint: 'Divide by another number.' });

/** @param sample the text with its digits replaced by those of a sample, in quotes */
export const noNumberInText = (span: Span, text: string, sample: string | undefined): Diagnostic =>
  error(
    'WF070',
    span,
    `This line can't work: ${sample === undefined ? `there is no number in ${text}` : `${text} is more than a number`}.`,
    {
      hint:
        sample === undefined
          ? 'A number is written with digits, and a dot before its fraction:\n    number of "1200.50"'
          : `Show with a sample how numbers are written:\n    number of ${text} written as ${sample}`,
    },
  );

export const waitBeyondTimeout = (span: Span, timeout: string): Diagnostic =>
  error('WF071', span, `This wait can't end: the whole run may take at most ${timeout}.`, {
    hint: 'Wait for less, or raise the timeout in config:.',
  });

/** @param first the reading that is most likely meant */
export const twoReadings = (span: Span, first: string, second: string): Diagnostic =>
  error('WF072', span, 'This can be read in two ways, with different results.', {
    hint: `Parentheses say which one you mean:\n    ${first}\nor:\n    ${second}`,
  });

export const neverEqual = (
  span: Span,
  left: string,
  right: string,
  result: boolean,
  hint = why('Compare a number with a number, and a text with a text in quotes.'),
): Diagnostic =>
  warning('WF116', span, `This is always ${result}: ${left}, ${right}, and values of different kinds are never equal.`, {
    hint,
  });

/** @param meant `country is not one of ["DE", "AT"]` */
export const alwaysNot = (span: Span, meant: string): Diagnostic =>
  warning('WF116', span, 'This is always true: no value is equal to both.', {
    suggestion: meant.length > 200 ? undefined : meant,
  });

/** @param what the value and its kind: `"total" is a number` @param isAboutItems whether a list is asked for its items */
export const settledState = (span: Span, what: string, result: boolean, isAboutItems: boolean): Diagnostic =>
  warning(
    'WF116',
    span,
    `This is always ${result}: ${what}, and ${isAboutItems ? 'exists without items, too' : 'is never empty'}.`,
    {
      hint: isAboutItems
        ? `For a list without items, write: is ${result ? 'not ' : ''}empty`
        : 'A number is never empty, not even 0. To compare it, write: total is 0',
    },
  );

const only = (values: readonly (string | number)[], isInput: boolean): string => {
  const shown = values.slice(0, 20).map((one) => JSON.stringify(one));
  const more = values.length > shown.length ? ' and others' : '';
  return `${isInput ? 'the inputs allow only' : values.length === 1 ? 'here it is always' : 'here it is always one of'} ${shown.join(', ')}${more}`;
};

/** @param values what it can be @param isInput whether the inputs declare them */
export const impossibleChoice = (
  { span, suggestion }: Misspelt,
  name: string,
  value: string,
  values: readonly string[],
  isInput: boolean,
): Diagnostic =>
  warning('WF116', span, `"${name}" is never "${value}": ${only(values, isInput)}.`, {
    suggestion,
    byInputs: isInput,
    hint:
      suggestion !== undefined
        ? undefined
        : isInput
          ? 'Correct the text, or add it to the values under inputs.'
          : `Correct the text, or the line that sets "${name}".`,
  });

/** @param name `lowercase of` or `uppercase of` */
export const otherCase = (span: Span, name: string, value: string, suggestion: string): Diagnostic =>
  warning('WF116', span, `This never fits: "${name}" never gives "${value}".`, { suggestion });

/** A number that a variable or input can't have. */
export const impossibleNumber = (
  span: Span,
  name: string,
  value: number,
  values: readonly number[],
  isInput: boolean,
): Diagnostic =>
  warning('WF116', span, `"${name}" is never ${value}: ${only(values, isInput)}.`, {
    byInputs: isInput,
    hint: isInput
      ? 'Correct the number, or add it to the values under inputs.'
      : `Correct the number, or the line that sets "${name}".`,
  });

/** @param low the first limit, which is the greater one */
export const nothingBetween = (span: Span, low: string, high: string): Diagnostic =>
  warning('WF116', span, `This is always false: nothing is between ${low} and ${high}.`, {
    hint: why(`Put the smaller value first:\n    is between ${high} and ${low}`),
  });

/** @param limits `at least 0 and below 10` */
export const beyondLimits = (span: Span, result: boolean, name: string, limits: string): Diagnostic =>
  warning('WF116', span, `This is always ${result}: the inputs allow only values of "${name}" that are ${limits}.`, {
    hint: 'Change the number, or the limits under inputs.',
    byInputs: true,
  });

/** @param compared the number beside a confidence */
export const beyondShare = (span: Span, result: boolean, name: string, compared: number): Diagnostic =>
  warning('WF116', span, `This is always ${result}: a confidence goes from 0 to 1.`, {
    hint:
      compared > 1 && compared <= 100
        ? `Write ${compared} percent as a fraction:\n    ${Number((compared / 100).toPrecision(12))}`
        : `Compare "${name}" with a number from 0 to 1.`,
  });

export const localDate = (span: Span, text: string, iso: string | undefined, pattern: string): Diagnostic =>
  warning('WF117', span, `${text} looks like a date, but wf compares it as plain text.`, {
    hint: `${iso === undefined ? '' : `Write dates as year-month-day:\n    "${iso}"\n`}To read a date in this format, write:\n    date of ${text} written as "${pattern}"`,
  });

/** @param line where its first field is set @param whole the statement that creates a new record */
export const keptFields = (span: Span, name: string, line: number, whole: string): Diagnostic =>
  warning('WF118', span, `"${name}" can still have fields that an earlier round of the loop set.`, {
    hint: `Make a new record in each round. In line ${line}, write:\n    ${whole}`,
  });

export const lostChange = (span: Span, item: string): Diagnostic =>
  warning('WF126', span, `This change is lost: "${item}" is a copy for this round of the loop, and no line below reads it.`, {
    hint: `To keep it, collect the items in a list. Create the list before the loop, and add to it here:\n    set changed to []\n    add ${item} to changed`,
  });

export const unlikelyVerb = (span: Span, word: string, suggestion: string): Diagnostic =>
  warning('WF119', span, `I don't know the verb "${word}", so wf sends this call as POST.`, {
    suggestion,
    hint: 'If the word is right, say how to send the call in a line below it:\n    sent as POST',
  });

/** `please get order using Shop` */
export const fillerAsVerb = (span: Span, word: string, next: string): Diagnostic =>
  warning('WF119', span, `The first word of a call says how to send it. This one is "${word}", so wf sends it as POST.`, {
    hint: `Delete the word, so that the line begins with "${next}".`,
  });

/** Where a secret can leave a workflow. */
export type SecretPlace = 'output' | 'rejection' | 'request';

const leaves: Readonly<Record<SecretPlace, { readonly what: string; readonly hint: string }>> = {
  output: {
    what: 'becomes an output, which every caller gets',
    hint: 'Leave it out, or give a value that others may see.',
  },
  rejection: {
    what: 'becomes part of a rejection, which every caller gets',
    hint: 'Leave it out of the message.',
  },
  request: {
    what: 'is sent as a value of a request, where the logs of the other side may keep it',
    hint: 'If the service wants it as a header, declare it with the service:\n    with headers:\n        Authorization: "Bearer {env.API_TOKEN}"',
  },
};

/** @param through the variable of the workflow that contains it, if there is one */
export const secretLeaves = (span: Span, name: string, through: string | undefined, place: SecretPlace): Diagnostic =>
  warning(
    'WF120',
    span,
    `The secret ${name}${through === undefined ? '' : `, which "${through}" holds,`} ${leaves[place].what}.`,
    {
      hint: leaves[place].hint,
    },
  );

export const fieldLikeVariable = (span: Span, record: string, field: string): Diagnostic =>
  warning('WF121', span, `"${record}.${field}" reads a field called "${field}", but "${record}" has no such field.`, {
    hint: `To read the field whose name is in the variable "${field}", write:\n    ${record}.{${field}}`,
  });

/** @param item a word for one item that no variable has: `line` */
export const fieldOfList = (span: Span, list: string, field: string, item: string): Diagnostic =>
  warning('WF124', span, `"${list}" is a list, and only its items have fields, so "${list}.${field}" is always empty.`, {
    hint: /^(?:length|size)$/.test(field)
      ? writeLines(`${list}.count`)
      : [
          `To add up this field of all items, write:\n    sum of ${list}.${field}`,
          `To get it from each item, write:\n    ${item}.${field} for each ${item} in ${list}`,
          `To read it from the first item, write:\n    ${list}.0.${field}`,
        ].join('\n'),
  });

/** `orders sorted by order.date` @param item what stands before the field */
export const itemBeforeField = (span: Span, how: string, field: string, item: string): Diagnostic =>
  warning('WF124', span, `"${how} by" takes a field of each item, so "${item}" would have to be a field of each item, too.`, {
    suggestion: field,
  });

// Prepared on demand: V8 takes longer for a Unicode class than to load the whole catalogue.

/** `orders sorted by price and name` */
const twoKeysOfList = (): RegExp =>
  /^([\p{L}_][\p{L}\p{N}_.-]*) (sorted|grouped) by ([\p{L}_][\p{L}\p{N}_.-]*(?: descending)?) and ([\p{L}_][\p{L}\p{N}_.-]*)$/u;

/** `request.start or today`, `cost and price` */
const twoNames = (): RegExp => /^([\p{L}_][\p{L}\p{N}_.-]*) (?:or|and) ([\p{L}_][\p{L}\p{N}_.-]*)$/u;

/** @param written the values with the word between them */
export const joinedValues = (span: Span, word: 'and' | 'or', isOnlyTexts: boolean, written: string): Diagnostic => {
  const [, list, how = '', first = '', second = ''] = (written.length > 200 ? null : twoKeysOfList().exec(written)) ?? [];
  const two = written.length <= 200 ? twoNames().exec(written) : null;
  const instead = word === 'or' ? two : null;
  return warning('WF122', span, `"${word}" joins conditions, but these are values, so the result is only true or false.`, {
    hint:
      list !== undefined
        ? `A list is ${how} by a single field. ${twoKeys(how, list, first, second)}`
        : instead !== null
          ? insteadOfEmpty(instead[1] ?? '', instead[2] ?? '')
          : isOnlyTexts
            ? 'To join texts, put them in one pair of quotes:\n    "{first} {last}"'
            : two === null
              ? 'To keep several values, make a list:\n    [first, second]'
              : `To keep both, make a list:\n    [${two[1]}, ${two[2]}]\nTo add numbers, write:\n    ${two[1]} plus ${two[2]}`,
  });
};

/**
 * @param reason why the day does not exist, for text in the format of a date
 * @param local its pattern, for text that looks like a date
 */
export const invalidDate = (
  span: Span,
  text: string,
  reason?: string,
  local?: { readonly iso: string | undefined; readonly pattern: string },
): Diagnostic =>
  error('WF088', span, `${JSON.stringify(text)} is not a date${reason === undefined ? '' : `: ${reason}`}.`, {
    suggestion: local?.iso,
    hint:
      local === undefined
        ? /^\d{1,2}:\d\d$/.test(text)
          ? `A time of day needs its date:\n    "{today}T${text.padStart(5, '0')}"`
          : 'Write dates as year-month-day: "2026-03-01"'
        : `Write dates as year-month-day: "2026-03-01". To read one in another format:\n    date of ${JSON.stringify(text)} written as "${local.pattern}"`,
  });

/** @param what source text and kind of the operand @param word what needs the time: `plus 2 hours` */
export const needsClockTime = (span: Span, what: string, word: string): Diagnostic =>
  error('WF090', span, `This line can't work: ${what}, and "${word}" needs a clock time.`, {
    hint: 'A time has a date and a clock time: now, or "2026-03-01T09:30"',
  });

/** @param fault completes `The pattern "…" ` */
export const invalidPattern = (span: Span, kind: 'pattern' | 'sample', written: string, fault: string): Diagnostic =>
  error('WF091', span, `The ${kind} ${written} ${fault}.`, {
    hint:
      kind === 'pattern'
        ? 'A pattern consists of D DD M MM MMM MMMM YY YYYY ddd dddd H HH mm ss. Put other words in single quotes.'
        : 'A sample shows how thousands and decimals are separated: "1,234.50"',
  });

/** @param form of the date */
export const exampleDate = (span: Span, written: string, form: string): Diagnostic =>
  error('WF091', span, `${written} is a date, and "written as" needs its form: D for the day, M for the month, Y for the year.`, {
    suggestion: `"${form}"`,
  });

/** Text that a pattern or sample can't read. @param why completes `"31.02.2026" ` */
/** @param language that its words are in, if it is not the language of the workflow */
export const notWrittenAs = (span: Span, written: string, why: string, language: string | undefined): Diagnostic =>
  error('WF092', span, `This line can't work: ${written} ${why}.`, {
    hint:
      language === undefined
        ? undefined
        : `For the months and weekdays of another language, add it under config:\n    language: "${language}"`,
  });

export const workingHoursUnset = (span: Span): Diagnostic =>
  error('WF099', span, "The workflow doesn't say when its working hours are.", {
    hint: 'Say so under config:\n    working hours: "monday to friday 9:00 to 17:00"',
  });

export const noClockTime = (span: Span): Diagnostic =>
  error('WF062', span, 'A time of day goes from 0:00 to 23:59, with two digits for the minutes.', {
    hint: 'Write it like this:\n    wait until 8:00',
  });

interface AddedMonths {
  readonly operator: 'plus' | 'minus';
  /** Of each round, as written. */
  readonly amount: string;
  readonly unit: 'months' | 'years';
  /** Whether the loop counts its rounds itself. */
  readonly counts: boolean;
}

/** @param variable that has months added in each round */
export const monthInLoop = (span: Span, variable: string, { operator, amount, unit, counts }: AddedMonths): Diagnostic => {
  const count = counts ? 'round' : 'rounds';
  const all = amount === '1' ? `${count} ${unit}` : `(${count} times ${amount}) ${unit}`;
  const [above, inside] = counts ? ['', ''] : ['\n    set rounds to 0', '\n    set rounds to rounds plus 1'];
  return warning(
    'WF131',
    span,
    `Each round starts at the "${variable}" of the round before, so 31 January ends on the 28th for good.`,
    {
      hint: `Add all ${unit} to the first date instead. Above the loop:\n    set first-${variable} to ${variable}${above}\nIn the loop:${inside}\n    set ${variable} to first-${variable} ${operator} ${all}`,
    },
  );
};

export const wholeAmount = (span: Span, unit: string): Diagnostic =>
  error('WF062', span, `The number of ${unit} must be a whole number.`, {
    hint: 'Use a smaller unit: 36 hours instead of 1.5 days',
  });
