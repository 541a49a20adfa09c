// Operations on dates, lists, numbers and text that many workflows never use, for runtime/index.ts. The program loads this file when one of
// them is first used.

export { dateDifference, isAfter, isBefore, isOnOrAfter, isOnOrBefore } from './dates/compare-dates.js';
export { datePart, endOfPeriod, startOfPeriod } from './dates/date-parts.js';
export { readDate, readTime, writtenAs } from './dates/date-pattern.js';
export { shiftDate } from './dates/shift-date.js';
export { inTurns, isShort, roundsInTurns } from './in-turns.js';
export { roundsOf } from './lists/list-operand.js';
export {
  averageOf,
  fieldOfEach,
  fieldOfEachSteps,
  fieldsOf,
  firstItems,
  groupedBy,
  groupedSteps,
  highestOf,
  highestSteps,
  lastItems,
  lowestOf,
  lowestSteps,
  positionOf,
  positionOfSteps,
  reversed,
  uniqueOf,
  uniqueSteps,
} from './lists/list-operations.js';
export { sorted, sortedSteps } from './lists/sort.js';
export { absoluteValue, percentOf, remainder, roundedDown, roundedUp } from './numbers/number-operations.js';
export { parseNumber } from './numbers/parse-number.js';
export { atTheSameTime, roundsTogether } from './run/together.js';
export { timeSpan, waitCalendar, waitUntil, waitUntilClock } from './run/wait-until.js';
export { runAsProgram } from './standalone.js';
export { lookUp } from './tables/look-up.js';
export { isLike, isLikeSteps } from './texts/like.js';
export {
  charactersAtEnd,
  charactersAtStart,
  charactersBetween,
  joined,
  joinedSteps,
  padded,
  replaced,
  replacedSteps,
  split,
  splitSteps,
} from './texts/text-operations.js';
export { fieldName, fieldNamed } from './values/fields.js';
