// Says how to sort or group a list by two fields: both operations take one.

/** @param how `sorted` or `grouped` */
export const twoKeys = (how: string, list: string, first: string, second: string): string =>
  how === 'sorted'
    ? `Sort by the second one first. Equal items keep their order:\n    (${list} sorted by ${second}) sorted by ${first}`
    : `Give each item a field with both, and group by that:\n    set pairs to (record with key "{line.${first}}, {line.${second}}" and line line) for each line in ${list}\n    set groups to pairs grouped by key`;
