// What is allowed and yet most likely not meant.
import type { Diagnostic, Span } from '../diagnostic.js';
import { warning } from './make.js';

export const maybeUnset = (span: Span, name: string): Diagnostic =>
  warning(
    'WF101',
    span,
    `"${name}" may not be set here: only some of the ways to this line set it. Where none did, it reads as empty.`,
    {
      hint: `Give it a value before, such as empty, 0, "" or []:\n    set ${name} to empty`,
    },
  );

export const mixedArithmetic = (span: Span, asRead: string, asUsual: string): Diagnostic =>
  warning('WF102', span, 'Arithmetic is read from left to right, like on a pocket calculator.', {
    hint: `This is read as:\n    ${asRead}\nIf you mean the other, write:\n    ${asUsual}\nParentheses make it clear either way.`,
  });

export const mixedLogic = (span: Span): Diagnostic =>
  warning('WF103', span, '"and" and "or" stand side by side here; what "and" joins belongs together first.', {
    hint: 'Parentheses make it clear either way:\n    a or (b and c)\n    (a or b) and c',
  });

export const neverReached = (span: Span, after: string): Diagnostic =>
  warning(
    'WF104',
    span,
    `This is never reached: "${after}" above it ends ${after === 'skip' ? 'this round of the loop' : after === 'stop the loop' ? 'the loop' : 'the run'}.`,
    { hint: 'Delete it, or move it above that line.' },
  );

export const unusedService = (span: Span, name: string): Diagnostic =>
  warning('WF105', span, `The service "${name}" is never used.`, {
    hint: 'Delete the declaration if it is not needed any more.',
  });

export const hiddenVariable = (span: Span, name: string): Diagnostic =>
  warning('WF106', span, `Inside this loop, "${name}" means the item; the variable "${name}" can't be read there.`, {
    hint: 'Another name for the item avoids the mix-up.',
  });

export const headerTwice = (span: Span, name: string): Diagnostic =>
  warning('WF107', span, `The header "${name}" stands twice; the last one wins.`, { hint: 'Delete one of the two lines.' });

export const ignoredOption = (span: Span, what: string, kind: string): Diagnostic =>
  warning('WF108', span, `${what} have no effect on ${kind}.`, { hint: 'Delete them.' });

export const noConfig = (span: Span, name: string): Diagnostic =>
  warning('WF109', span, `There is no config: section, so the name is "${name}" and the version is 1.`, {
    hint: 'Put this at the top of the file:\n    config:\n        name: "Order review"\n        version: 1',
  });

export const noTrigger = (span: Span): Diagnostic =>
  warning('WF110', span, 'The workflow does not say what triggers it.', {
    hint: 'Write it in the first line under workflow:, in your own words:\n    trigger: when an order is placed',
  });

export const unknownSetting = (span: Span, key: string, suggestion: string | undefined): Diagnostic =>
  warning('WF111', span, `I don't know the setting "${key}".`, {
    suggestion,
    hint: 'The settings are name, version, description and timeout.',
  });

export const inexactNumber = (span: Span, text: string, held: string): Diagnostic =>
  warning('WF112', span, `The number ${text} has more digits than can be held; it becomes ${held}.`, {
    hint: 'If it is an identifier and not an amount, put it in quotes.',
  });

export const unusualHeader = (span: Span, name: string, suggestion: string): Diagnostic =>
  warning('WF113', span, `The header "${name}" is none that services usually know.`, {
    suggestion,
    hint: 'It is sent as it is written.',
  });

export const fixedCondition = (span: Span, value: string, isTrue: boolean): Diagnostic =>
  warning('WF114', span, `${value} stands alone in this condition, where it always counts as ${isTrue ? 'true' : 'false'}.`, {
    hint: `To compare with several values, write: total is one of [1, 2]${value.startsWith('"') ? '\nTo join texts, write: "Hello " plus name' : ''}`,
  });

export const callThatSets = (span: Span, variable: string, call: string): Diagnostic =>
  warning('WF115', span, `This is a service call that begins with the word "set": it does not set "${variable}".`, {
    hint: `To keep the answer, write:\n    ${call}\n        save the result as ${variable}`,
  });
