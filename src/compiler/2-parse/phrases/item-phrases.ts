// Conditions about the items of a list, as people say them: all orders are paid, no person is younger than 18.
import { FIELD, NAME, type Phrase, says, VALUE } from './phrase.js';

const END = String.raw`(?=\s*(?::|\)|$))`;
/** Ends a condition, so that the rest of it is as it should be. */
const REST = String.raw`((?:above|below|at\s+least|at\s+most|between|one\s+of|before|after|on\s+or|empty\b|"|-?\d)[^:]*?)${END}`;
const YEARS = '(?: years?)?(?: old| of age)?';
const calculate = 'Calculate with the date of birth.';

/** Comparisons of ages or amounts in other words → ours. */
const comparisons: readonly (readonly [words: string, ours: string])[] = [
  ['older th[ae]n', 'is above'],
  ['younger th[ae]n', 'is below'],
];
const amounts: readonly (readonly [words: string, ours: string])[] = [
  ['(?:more than|greater than|larger than|bigger than|higher than|over)', 'is above'],
  ['(?:less than|fewer than|smaller than|lower than|under)', 'is below'],
];
const limits: readonly (readonly [words: string, ours: string])[] = [
  ['at least', 'is at least'],
  ['at most', 'is at most'],
  ['(?:above|over|more than)', 'is above'],
  ['(?:below|under|less than)', 'is below'],
];

/** @param ours how the condition about all items begins, and what closes it */
function quantified(who: string, [begin, end]: readonly [string, string]): Phrase[] {
  const of = `(?:${who}) (?:of )?(?:the )?${NAME}`;
  return [
    ...comparisons.map(([words, is]) =>
      says(
        `${of} (?:is|are) ${words} ${VALUE}${YEARS}`,
        `${begin} item in $1 satisfies years from item.birth-date to today ${is} $2${end}`,
        calculate,
      ),
    ),
    ...limits.map(([words, is]) =>
      says(
        `${of} (?:is|are) ${words} (\\d+) years?(?: old| of age)?`,
        `${begin} item in $1 satisfies years from item.birth-date to today ${is} $2${end}`,
        calculate,
      ),
    ),
    ...amounts.map(([words, is]) =>
      says(
        `${of} are ${words} ${VALUE}${END}`,
        `${begin} item in $1 satisfies item.total ${is} $2${end}`,
        'Name the field to compare.',
      ),
    ),
    ...limits.map(([words, is]) =>
      says(
        `${of} have (?:an? |the )?${FIELD} (?:of )?${words} ${VALUE}${END}`,
        `${begin} item in $1 satisfies item.$2 ${is} $3${end}`,
      ),
    ),
    says(
      `${of} have (?:an? |the )?${FIELD} (?:of )?("[^"]*"|-?\\d[\\d.]*)${END}`,
      `${begin} item in $1 satisfies item.$2 is $3${end}`,
    ),
    says(`${of} are (not )?(?!empty\\b)([\\p{L}_]+)${END}`, `${begin} item in $1 satisfies $2item.$3${end}`),
    says(`${of} are (not )?${REST}`, `${begin} item in $1 satisfies item is $2$3${end}`),
  ];
}

export const itemPhrases: readonly Phrase[] = [
  ...comparisons.map(([words, is]) =>
    says(
      `(some|any|every|each) ${FIELD} in ${NAME} is ${words} ${VALUE}${YEARS}`,
      `$1 $2 in $3 satisfies years from $2.birth-date to today ${is} $4`,
      calculate,
    ),
  ),
  ...quantified('all|every', ['every', '']),
  ...quantified('any|some', ['some', '']),
  ...quantified('no|none', ['not (some', ')']),
];
