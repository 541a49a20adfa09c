// What the check finds about names: variables, services, steps, keys.
import type { Diagnostic, Span } from '../diagnostic.js';
import { error } from './make.js';

/** `mayBeInput` is false where the suggestion is certain enough, or no name that the input could have. */
export const unknownVariable = (span: Span, name: string, suggestion: string | undefined, mayBeInput: boolean): Diagnostic => {
  const asInput = `If it is part of the input, write request.${name}.`;
  return error('WF020', span, `I don't know "${name}": nothing before this line sets it.`, {
    suggestion,
    hint:
      suggestion === undefined
        ? `${asInput} Otherwise set it first:\n    set ${name.split('.')[0] ?? name} to …`
        : mayBeInput
          ? asInput
          : undefined,
  });
};

export const unknownFailure = (span: Span): Diagnostic =>
  error('WF020', span, '"failure" can only be read under "on failure:".', {
    hint: 'To use it later, give it a name of its own there:\n    set problem to failure.message',
  });

export const itemOutsideLoop = (span: Span, name: string): Diagnostic =>
  error('WF032', span, `"${name}" is the item of a loop; it exists only inside that loop.`, {
    hint: `To keep it, give it another name inside the loop:\n    set last-${name} to ${name}`,
  });

export const unknownService = (span: Span, name: string, suggestion: string | undefined): Diagnostic =>
  error('WF021', span, `I don't know the service "${name}": it is not declared in services:.`, {
    suggestion,
    hint: `every service is declared at the top of the file:\n    services:\n        ${name} is an API at "https://..."`,
  });

export const unknownAi = (span: Span, name: string, suggestion: string | undefined): Diagnostic =>
  error('WF021', span, `I don't know the AI "${name}": it is not declared in services:.`, {
    suggestion,
    hint: `every service is declared at the top of the file:\n    services:\n        ${name} is an AI using "openai/gpt-4o"`,
  });

export const notAnAi = (span: Span, name: string, kind: string): Diagnostic =>
  error('WF026', span, `"${name}" is ${kind}: only an AI can be asked.`, {
    hint: `Call it instead, for example:\n    send message using ${name} with text "…"`,
  });

export const callOfAi = (span: Span, name: string): Diagnostic =>
  error('WF026', span, `"${name}" is an AI: it is asked, not called.`, {
    hint: `Write:\n    ask ${name} to summarize this text: {request.text}\n        save the result as summary`,
  });

export const stepTwice = (span: Span, name: string, line: number): Diagnostic =>
  error('WF022', span, `There is already a step "${name}" (line ${line}).`, { hint: 'Each step needs a name of its own.' });

export const cannotSet = (span: Span, name: string): Diagnostic =>
  error('WF023', span, `"${name}" can't be set: it is given by wf.`, {
    hint:
      name === 'request'
        ? 'The request stays as it came in. Keep a changed copy under another name:\n    set order to request'
        : 'Use another name.',
  });

export const keyTwice = (span: Span, key: string): Diagnostic =>
  error('WF024', span, `The key "${key}" is given twice.`, { hint: 'Each key can stand once. Rename or delete one of them.' });

export const pathOnWebhook = (span: Span, name: string): Diagnostic =>
  error('WF025', span, `"${name}" is a webhook: it has one address and takes no "at".`, {
    hint: `Leave out the "at …", or declare it as an API:\n    ${name} is an API at "https://..."`,
  });

export const notGiven = (span: Span, what: string, name: string, kind: string): Diagnostic =>
  error('WF031', span, `"save the ${what} as" does not work here: "${name}" is ${kind}.`, {
    hint: what === 'confidence' ? 'Only an AI gives a confidence.' : 'An AI gives a result and a confidence.',
  });

export const bareEnvironment = (span: Span): Diagnostic =>
  error('WF033', span, '"env" needs the name of a variable after it.', {
    hint: 'Write env.API_KEY, for example. The environment as a whole cannot be read.',
  });
