// How each statement is written, for hints; and the words that people bring along from elsewhere.
// The keys are words of the grammar: a test holds the two together.

/** First word of a statement → how it is written. */
export const statementForms: Readonly<Record<string, string>> = {
  step: 'step Check the order:',
  set: 'set total to price times 2',
  add: 'add order.id to seen',
  log: 'log "the total is {total}"',
  if: 'if total is above 100:',
  otherwise: 'otherwise:',
  for: 'for each item in request.items:',
  skip: 'skip',
  stop: 'stop the loop',
  wait: 'wait 5 seconds',
  ask: 'ask Writer to summarize this text: {request.text}',
  complete: 'complete with total total and status "ok"',
  reject: 'reject with "the order is empty"',
  trigger: 'trigger: when an order is placed',
};

export const callForm = 'get profile using GitHub at "/users/{request.name}" with per_page 50';

/** First word of a line under a call or under `on failure:` → how it is written. */
export const optionForms: Readonly<Record<string, string>> = {
  save: 'save the result as profile',
  on: 'on failure:',
  retry: 'retry 3 times waiting 5 seconds',
  if: 'if still failing:',
};

export const settingForms: Readonly<Record<string, string>> = {
  name: 'name: "Order review"',
  version: 'version: 1',
  description: 'description: "Looks at each new order"',
  timeout: 'timeout: 5 minutes',
};

/** What a statement is called in other languages → its first word here. */
export const foreignWords: Readonly<Record<string, string>> = {
  else: 'otherwise',
  elseif: 'otherwise',
  elif: 'otherwise',
  foreach: 'for',
  loop: 'for',
  let: 'set',
  var: 'set',
  const: 'set',
  print: 'log',
  echo: 'log',
  return: 'complete',
  finish: 'complete',
  done: 'complete',
  fail: 'reject',
  throw: 'reject',
  raise: 'reject',
  break: 'stop',
  continue: 'skip',
  sleep: 'wait',
  pause: 'wait',
  append: 'add',
};

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

/** The words that a suggestion shows for the first word of a statement. */
export const fullKeyword = (word: string): string => ({ for: 'for each', stop: 'stop the loop' })[word] ?? word;
