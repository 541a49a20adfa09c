// Rewords conditions: comparisons in signs, with half of their words, or with a subject that is said once for two.
import { type AroundLine, type HiddenTexts, pattern } from './hidden-line.js';

interface Condition {
  readonly texts: HiddenTexts;
  readonly around: AroundLine;
}

const COMPARED: Readonly<Record<string, string>> = {
  '===': 'is',
  '==': 'is',
  '!==': 'is not',
  '!=': 'is not',
  '<>': 'is not',
  '≠': 'is not',
  '>=': 'is at least',
  '≥': 'is at least',
  '=>': 'is at least',
  '<=': 'is at most',
  '≤': 'is at most',
  '=<': 'is at most',
  '>': 'is above',
  '<': 'is below',
};
const OF_DATES: Readonly<Record<string, string>> = {
  'is above': 'is after',
  'is below': 'is before',
  'is at least': 'is on or after',
  'is at most': 'is on or before',
};

/** Comparisons and logic in signs. */
export function signsOfConditions(line: string, values: Condition): string {
  return line
    .replace(/\bis (?=[<>=≥≤])/g, '')
    .replace(
      pattern('(<value>) ?(!==|!=|===|==|<>|>=|<=|=>|=<|[<>≠≥≤]) ?(?=(<value>|\\[)?)', 'g'),
      (_, left: string, sign: string, right = '') => {
        const words = COMPARED[sign] ?? sign;
        return `${left} ${!/^\d/.test(right) && (isDate(left, values) || isDate(right, values)) ? (OF_DATES[words] ?? words) : words} `;
      },
    )
    .replace(pattern('(<value>) ?= ?(?=<value>|\\[)', 'g'), (all, left: string, at: number, whole: string) =>
      /^(?:if|otherwise if|repeat until) |\b(?:where|satisfies) /.test(whole.slice(0, at)) ? `${left} is ` : all,
    )
    .replace(/ ?&& ?/g, ' and ')
    .replace(pattern('(?<!\\ue001) & (?!<text>)', 'g'), ' and ')
    .replace(/ ?\|\| ?/g, ' or ')
    .replace(/(^|[\s(])!(?=[A-Za-z_(])/g, '$1not ');
}

function isDate(value: string, { texts, around }: Condition): boolean {
  const inner = texts.inner(value);
  if (inner !== undefined) return /^\d{4}-\d\d-\d\d/.test(inner);
  return (
    value === 'today' || value === 'now' || /^a (?:date|time)\b/.test(around.inputs.get(value.replace(/^request\./, '')) ?? '')
  );
}

const SIDES: Readonly<Record<string, string>> = {
  more: 'is at least',
  higher: 'is at least',
  above: 'is at least',
  over: 'is at least',
  older: 'is at least',
  longer: 'is at least',
  larger: 'is at least',
  bigger: 'is at least',
  greater: 'is at least',
  later: 'is on or after',
  less: 'is at most',
  fewer: 'is at most',
  lower: 'is at most',
  below: 'is at most',
  under: 'is at most',
  younger: 'is at most',
  shorter: 'is at most',
  smaller: 'is at most',
  earlier: 'is on or before',
};

/** Words that begin a comparison whose subject was said before. */
const COMPARES =
  'above|below|at least|at most|before|after|on or (?:before|after)|one of|over|under|less than|more than|later than|earlier than';
const JOINED = `(<path>) (is (?:not )?(?:${COMPARES})|is not|is|contains|starts with|ends with) ((?:(?!and |or )[^ ]{1,80} ){1,6})`;

export const MEASURED = 'more than|less than|fewer than|at least|at most|over|under|above|below';
const ENDS = '(?= and | or |:|$|\\))';

/** `is 3 or less`, `more than 3 crates`, `site has more than 3 crates`, `is before today or after due`, `is not` at the end. */
export const halfSaid = (line: string): string =>
  line
    .replace(pattern(`(?<=^if |^otherwise if | and | or )(${MEASURED}) (<value>) (<path>)${ENDS}`, 'g'), '$3 is $1 $2')
    .replace(pattern(`(<path>) (?:has|have) (${MEASURED}) (<value>) (<name>)${ENDS}`, 'g'), '$1.$4 is $2 $3')
    .replace(pattern('(<path>) (?:has|have) (more|less|fewer) (<name>) than (?=<value>)', 'g'), '$1.$3 is $2 than ')
    .replace(
      pattern(`\\b(?:is )?(<value>) (?:or|and) (${Object.keys(SIDES).join('|')})(?= and | or |:|$|\\))`, 'g'),
      (_, value: string, side: string) =>
        `${/^\d/.test(value) ? (SIDES[side] ?? '').replace('on or before', 'at most').replace('on or after', 'at least') : SIDES[side]} ${value}`,
    )
    .replace(
      pattern(`${JOINED}(and|or) (?:is )?(?=(?:not )?(?:${COMPARES}) )`, 'g'),
      (_, subject: string, test: string, value: string, joint: string) => `${subject} ${test} ${value}${joint} ${subject} is `,
    )
    .replace(pattern('^(if|otherwise if) (<path>) (?:is|are) not:$'), '$1 not $2:');
