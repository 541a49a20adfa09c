// Finds the most likely meaning of a cell of a decision table that is written in everyday words: `up to 5`, `"AT" or "CH"`, `other`,
// `4,90`.
import type { HeadingTest } from '../../../runtime/tables/table-types.js';

const NUMBER = String.raw`(-?\d+(?:\.\d+)?)`;
const says = (words: string): RegExp => new RegExp(`^(?:${words.replaceAll(' ', String.raw`\s+`)})$`, 'i');

/** Comparisons in other words → ours. A number is in one of two groups. */
const cellTests: readonly (readonly [RegExp, string])[] = [
  [
    says(`(?:up to|until|max(?:imum)?|not? more than|<=|≤)\\s*${NUMBER}|${NUMBER} (?:or|and) (?:less|fewer|below|lower)`),
    'at most $1$2',
  ],
  [
    says(`(?:from|min(?:imum)?|not? less than|>=|≥)\\s*${NUMBER}|${NUMBER}(?: (?:or|and) (?:more|above|higher|over|up)|\\+)`),
    'at least $1$2',
  ],
  [says(`(?:(?:is )?(?:more|greater|larger|higher|bigger) than|over|is above|>)\\s*${NUMBER}`), 'above $1'],
  [says(`(?:(?:is )?(?:less|fewer|smaller|lower) than|under|is below|<)\\s*${NUMBER}`), 'below $1'],
  [says(`(?:from |is between )?${NUMBER}(?: (?:to|until|through|and) |\\s?[-–]\\s?)${NUMBER}`), 'between $1 and $2'],
];

const EVERYTHING =
  /^(?:\*|any(?:thing|\s+other)?|all(?:\s+(?:others?|the\s+rest))?|every(?:thing)?(?:\s+else)?|others?|else|otherwise|rest|default)$/i;
const NOTHING = /^(?:nothing|none|null|blank|missing|not\s+set)$/i;
const ITEM = String.raw`(?:"[^"]*"|-?\d+(?:\.\d+)?|[A-Z]{1,3})`;
const ITEMS = new RegExp(String.raw`^(?:one\s+of\s+|either\s+)?\[?(${ITEM}(?:\s*(?:,\s*or\b|,|\bor\b|\/)\s*${ITEM})+)\]?$`);

/** @returns the cell as wf reads it; `undefined` if the words are unknown, or if no cell of the column can say it */
export function cellInOtherWords(written: string, test: HeadingTest | undefined): string | undefined {
  if (written.length > 200) return undefined;
  const local = numberInOtherWords(written);
  if (local !== undefined || test === undefined) return local;
  if (EVERYTHING.test(written)) return 'any';
  const plain = written.replace(/(?<![\d.])\d{1,3}(?:\.\d{3})*(?:\.\d\d0|'\d{3})(?![\d.])/g, (said) => said.replace(/[.']/g, ''));
  const found = cellTests.find(([words]) => words.test(plain));
  if (found !== undefined) return inColumn(plain.replace(...found), test);
  if (test !== 'is') return undefined;
  if (NOTHING.test(written)) return 'empty';
  return ITEMS.exec(written)?.[1] === undefined ? undefined : `one of ${listed(written)}`;
}

/** An amount with its currency, before or after it. */
const MONEY = /^(?:(?:[€$£¥₦]|[A-Z]{3})\s*(-?[\d.,]+)|(-?[\d.,]+)\s*(?:[€$£¥₦%]|[A-Z]{3}))$/;

/** `4,90`, `1.234,50 €`, `$1,234.50`, `1 234,50`, `15 %` as a number of the language. */
function numberInOtherWords(said: string): string | undefined {
  // Spaces between thousands.
  const written = said.replace(/(?<=\d)[\s'’](?=\d{3}(?!\d))/g, '');
  if (written !== said) return numberInOtherWords(written) ?? (/^-?\d+(?:\.\d+)?$/.test(written) ? written : undefined);
  const [all, after, before] = MONEY.exec(written) ?? [];
  const digits = after ?? before ?? written;
  if (/^-?\d+(?:\.\d{3})*,\d{1,14}$/.test(digits) && !(all !== undefined && /^-?\d{1,3},\d{3}$/.test(digits)))
    return digits.replaceAll('.', '').replace(',', '.');
  if (/^-?\d{1,3}(?:,\d{3})+(?:\.\d{1,14})?$/.test(digits)) return digits.replaceAll(',', '');
  if (all === undefined) return undefined;
  if (/^-?\d{1,3}(?:\.\d{3})+$/.test(digits)) return digits.replaceAll('.', '');
  return /^-?\d+(?:\.\d{1,14})?$/.test(digits) ? digits : undefined;
}

/** A comparison in a column whose heading has one already. */
function inColumn(cell: string, test: HeadingTest): string | undefined {
  if (test === 'is') return cell;
  const values = cell.replace(/^(?:at most|at least|above|below|between) /, '');
  if (test === 'is between') return values.includes(' and ') ? values : undefined;
  return cell === `${test.slice('is '.length)} ${values}` ? values : undefined;
}

const listed = (written: string): string =>
  (written.match(new RegExp(ITEM, 'g')) ?? []).map((item) => (/^[A-Z]/.test(item) ? `"${item}"` : item)).join(', ');

/** Comparisons in other words → ours. The first match counts. */
const headingTests: readonly (readonly [RegExp, HeadingTest])[] = [
  [/^(?:is )?(?:not (?:in|one of)|not|different from|other than|!=|<>)$/, 'is not'],
  [
    /^(?:is )?(?:up to|until|max(?:imum)?|at most|no more than|not (?:more than|over|above)|less than or equal(?: to)?|<=|≤)$/,
    'is at most',
  ],
  [
    /^(?:is )?(?:from|min(?:imum)?|at least|starting (?:at|from)|no less than|not (?:less than|under|below)|more than or equal(?: to)?|>=|≥)$/,
    'is at least',
  ],
  [/^(?:is )?(?:more than|greater than|larger than|higher than|over|above|>)$/, 'is above'],
  [/^(?:is )?(?:less than|smaller than|lower than|under|below|<)$/, 'is below'],
  [/^(?:is )?(?:between|range|in range|from to|from-to)$/, 'is between'],
  [/^(?:is )?(?:before|earlier than)$/, 'is before'],
  [/^(?:is )?(?:after|later than)$/, 'is after'],
  [/^(?:begins|begin|start) with$/, 'starts with'],
  [/^(?:includes?|contain|has)$/, 'contains'],
  [/^(?:equals?|is equal to|is equal|=|==|in|is in|one of|is one of|is any of)$/, 'is'],
];

const NAME = String.raw`[\p{L}_][\p{L}\p{M}\p{Nd}_-]*`;

/** @returns the heading as wf reads it; `undefined` if the words are unknown */
export function headingInOtherWords(written: string): string | undefined {
  if (written.length > 100) return undefined;
  const words = written.trim().replace(/\s+/g, ' ');
  const found = new RegExp(`^(${NAME}(?: ${NAME})*?) (\\S.*)$`, 'u');
  for (let names = 1; names <= 3; names++) {
    const parts = words.split(' ');
    if (
      !parts
        .slice(0, names)
        .every((part, index) => new RegExp(`^${NAME}$`, 'u').test(part) && !(index > 0 && /^(?:is|not)$/.test(part)))
    )
      break;
    const rest = parts.slice(names).join(' ').toLowerCase();
    const test = headingTests.find(([form, ours]) => form.test(rest) || rest === ours)?.[1];
    if (test !== undefined) return `${parts.slice(0, names).join('-')} ${test}`;
  }
  return found.test(words) && /^[\p{L}\p{Nd}_ -]+$/u.test(words) && words.split(' ').length <= 3
    ? words.replaceAll(' ', '-')
    : undefined;
}
