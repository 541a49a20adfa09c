// The hint for characters in a cell of a decision table that the language doesn't use: `> 5`, `1-5`, `*`, `5%`.
import { cellInOtherWords } from '../vocabulary/cell-in-other-words.js';

/** @param before the line up to the characters @param after the rest of the line; `undefined` outside tables */
export function cellHint(before: string, written: string, after: string): string | undefined {
  if (!before.trimStart().startsWith('|')) return undefined;
  const [end = ''] = after.split('|', 1);
  const cell = (before.slice(before.lastIndexOf('|') + 1) + written + end).trim();
  const meant = cellInOtherWords(cell, 'is');
  if (meant !== undefined) return `Write it like this: ${meant}`;
  const amount = /^(?:[€$£¥₦]\s?)?(\d+(?:\.\d+)?)\s?[%€$£¥₦]?$/.exec(cell)?.[1];
  return amount === undefined ? undefined : `Write only the number: ${amount}`;
}
