// The mail that asks a person: subject, question, choices and link, as plain text and as HTML. Whatever comes from data is text: it is escaped
// in HTML, and the subject is one line.
import type { AskedTask } from '../run/durable-run.js';
import { escapedHtml } from '../texts/escaped-html.js';
import type { Value } from '../types.js';

/** In place of a link. */
export const UNANSWERABLE = 'This run has no store, so nobody can answer this question.';

/** Maximum characters of a subject. */
const LONGEST_SUBJECT = 200;

interface Asking {
  readonly addressee: string;
  /** Name of the workflow. */
  readonly workflow: string;
  readonly task: AskedTask;
  readonly choices: readonly string[] | undefined;
  readonly isReminder: boolean;
}

/** The pairs of the call that sends it. The mail server checks the address. */
export function taskMail({ addressee, workflow, task, choices, isReminder }: Asking): (readonly [string, Value])[] {
  const { question, due, url } = task;
  const lines = [
    ...(choices === undefined ? [] : [['Choices', choices.join(', ')] as const]),
    ...(due === undefined ? [] : [['Due', due] as const]),
  ];
  const text = [
    question,
    '',
    ...lines.map(([name, value]) => `${name}: ${value}`),
    url === undefined ? UNANSWERABLE : `Answer here: ${url}`,
    '',
  ].join('\n');
  const items = choices === undefined ? '' : `<ul>${choices.map((choice) => `<li>${escapedHtml(choice)}</li>`).join('')}</ul>`;
  const html = [
    '<!DOCTYPE html><html><body style="font-family: sans-serif">',
    `<p>${escapedHtml(workflow)}${isReminder ? ' (reminder)' : ''}</p>`,
    `<p style="white-space: pre-line"><b>${escapedHtml(question)}</b></p>`,
    items,
    due === undefined ? '' : `<p>Due: ${escapedHtml(due)}</p>`,
    url === undefined ? `<p>${UNANSWERABLE}</p>` : `<p><a href="${escapedHtml(url)}">Answer</a></p><p>${escapedHtml(url)}</p>`,
    '</body></html>',
  ].join('\n');
  const subject = inOneLine(`${isReminder ? 'Reminder: ' : ''}${workflow}: ${question}`);
  return [
    ['to', addressee],
    ['subject', subject],
    ['text', text],
    ['html', html],
  ];
}

function inOneLine(text: string): string {
  const line = text.replace(/[\s\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim();
  const signs = [...line];
  return signs.length > LONGEST_SUBJECT ? `${signs.slice(0, LONGEST_SUBJECT - 1).join('')}…` : line;
}
