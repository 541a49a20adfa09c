// Maps operators and built-in values of other languages to the words used here.

/** What an operator or a ready-made value is called in other languages → its words here. */
export const foreignOperators: Readonly<Record<string, string>> = {
  equals: 'is',
  equal: 'is',
  greater: 'is above',
  more: 'is above',
  larger: 'is above',
  bigger: 'is above',
  less: 'is below',
  smaller: 'is below',
  fewer: 'is below',
  in: 'is one of',
  includes: 'contains',
  add: 'plus',
  subtract: 'minus',
  multiplied: 'times',
  length: 'count of',
  size: 'count of',
  upper: 'uppercase of',
  lower: 'lowercase of',
};

/** Opposites that have words of their own. */
export const opposites: Readonly<Record<string, string>> = {
  'is not above': 'is at most',
  'is not below': 'is at least',
  'is not at least': 'is below',
  'is not at most': 'is above',
  'is not in': 'is not one of',
  'not contains': 'does not contain',
  'not in': 'is not one of',
  'not empty': 'is not empty',
};
