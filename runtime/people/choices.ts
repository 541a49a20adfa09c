// What a person can choose from.

import type { SourceLocation, Value } from '../types.js';
import { WfError } from '../values/errors.js';
import { isEmpty, show } from '../values/values.js';

/**
 * The values after `choose from` as texts: a list stands for its items, and `empty` is no choice.
 * @throws WfError if nothing is left
 */
export function choicesOf(values: readonly Value[], location: SourceLocation): string[] {
  const choices = new Set(
    values
      .flat()
      .filter((value) => !isEmpty(value))
      .map(show),
  );
  if (choices.size === 0) throw new WfError('WF648', `I can't ask: everything after "choose from" is empty.`, location);
  return [...choices];
}
