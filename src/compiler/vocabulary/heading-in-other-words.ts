// What a heading of a decision table most likely means, if it is written in everyday words: `weight up to`, `delivery country is`.
import type { HeadingTest } from '../../../runtime/tables/table-types.js';

/** Comparisons in other words → ours. The first match counts. */
const comparisons: readonly (readonly [RegExp, HeadingTest])[] = [
  [/^(?:is )?(?:not (?:in|one of)|not|different from|other than|!=|<>)$/, 'is not'],
  [/^(?:is )?(?:up to|until|max(?:imum)?|at most|not? more than|less than or equal(?: to)?|<=|≤)$/, 'is at most'],
  [/^(?:is )?(?:from|min(?:imum)?|at least|starting (?:at|from)|not? less than|more than or equal(?: to)?|>=|≥)$/, 'is at least'],
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
    if (!parts.slice(0, names).every((part) => new RegExp(`^${NAME}$`, 'u').test(part))) break;
    const rest = parts.slice(names).join(' ').toLowerCase();
    const test = comparisons.find(([form, ours]) => form.test(rest) || rest === ours)?.[1];
    if (test !== undefined) return `${parts.slice(0, names).join('-')} ${test}`;
  }
  return found.test(words) && /^[\p{L}\p{Nd}_ -]+$/u.test(words) && words.split(' ').length <= 3
    ? words.replaceAll(' ', '-')
    : undefined;
}
