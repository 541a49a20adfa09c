// Maps operators and built-in values of other languages to the words used here.

/** Names of operators and built-in values in other languages → the words used here. */
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

/** Opposites with their own keywords. */
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
