// Diagnostics about concurrent work: branches that depend on each other, and rounds that set outer variables.
import type { Diagnostic, Span } from '../diagnostic.js';
import { error, warning } from './make.js';

/** @param line where the other branch sets it */
export const setByTwoBranches = (span: Span, name: string, line: number): Diagnostic =>
  error(
    'WF083',
    span,
    `Two branches set "${name}", here and in line ${line}. Its value would depend on which one finishes last.`,
    {
      hint: `Give each branch its own variable, and combine them below the block:\n    set ${name} to …`,
    },
  );

/** @param line where the other branch sets it */
export const ofAnotherBranch = (span: Span, name: string, line: number): Diagnostic =>
  error('WF084', span, `Another branch sets "${name}" at the same time, in line ${line}. It may not have a value yet.`, {
    hint: 'Move this line below the block, or put both lines into one step, which runs them in order:\n    at the same time:\n        step Name of the step:',
  });

export const readsGrowingList = (span: Span, name: string): Diagnostic =>
  error('WF084', span, `The rounds add to "${name}" at the same time, so none of them can read it.`, {
    hint: `Read "${name}" below the loop, where it contains what all rounds added. To give each round its own list, start the round with:\n    set ${name} to []`,
  });

/** @param item what each round contributes, as written in the file; `isSum`: it is added to the variable */
export const setOutsideRound = (span: Span, name: string, item: string, isSum: boolean): Diagnostic =>
  error('WF085', span, `A round can't set "${name}" from outside the loop, because the rounds run at the same time.`, {
    hint: `Collect the result of each round in a list:\n    add ${item} to results\nand use the list below the loop${
      isSum ? `:\n    set ${name} to ${name} plus (sum of results)` : '.'
    }`,
  });

export const outsideRound = (span: Span, name: string): Diagnostic =>
  error('WF032', span, `"${name}" only exists inside a round of its loop.`, {
    hint: `To keep the results of the rounds, collect them in a list inside the loop:\n    add ${name} to results`,
  });

export const leavesBranch = (span: Span, what: string): Diagnostic =>
  error('WF086', span, `"${what}" can't leave the block "at the same time:", whose other branches are still running.`, {
    hint: 'Set a variable here, and check it below the block:\n    if found:\n        stop the loop',
  });

export const roundsAtATime = (span: Span, most: number): Diagnostic =>
  error('WF240', span, `The number of rounds at a time must be a whole number from 1 to ${most}.`, {
    hint: 'Write it like this:\n    for each order in request.orders, 10 at a time:',
  });

export const singleBranch = (span: Span): Diagnostic =>
  warning('WF123', span, 'This block has only one statement, so nothing runs at the same time.', {
    hint: 'Each statement directly in the block is a branch. The statements of a step run in order.',
  });
