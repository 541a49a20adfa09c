// Asks what to do with a call in doubt before a run is rerun from its failure. Works without the script: each question is a form of its own,
// and takes the decisions before it along.
import { parseJson } from '../../../../runtime/values/json.js';
import type { CallInDoubt, RerunRequest } from '../../../durable/durable-engine.js';
import { formField, type Html, html } from '../../html/html.js';
import { moment } from '../../html/moment.js';
import type { ConsoleRequest } from '../../http/console-request.js';
import { runAddress } from './rounds-address.js';

/** A decision in a hidden field: `14 again`, or `14 done {"id":7}`. */
const DECISION = /^([1-9]\d{0,6}) (again|done)(?: ([\s\S]+))?$/;

export interface FormDecisions {
  readonly how: Pick<RerunRequest, 'again' | 'done'>;
  /** The hidden fields that take them along. */
  readonly fields: readonly string[];
  /** Why the last one cannot be taken. */
  readonly problem?: string;
}

/** The decisions in a form: those made before, and the one of its button. */
export function decisionsIn(form: URLSearchParams): FormDecisions {
  const button = form.get('decide');
  const result = form.get('result')?.trim() ?? '';
  const last = button === null ? [] : [`${form.get('line') ?? ''} ${button}${button === 'done' ? ` ${result}` : ''}`];
  const fields: string[] = [];
  const again: number[] = [];
  const done: NonNullable<RerunRequest['done']>[number][] = [];
  for (const field of [...form.getAll('decided'), ...last]) {
    const [, line = '', decision, text = ''] = DECISION.exec(field.trim()) ?? [];
    const parsed = decision === 'done' ? parseJson(text) : undefined;
    if (decision === undefined || parsed?.ok === false)
      return { how: {}, fields, problem: 'The result is not JSON. An object looks like {"id": 7}, a text like "paid".' };
    fields.push(field);
    if (parsed === undefined) again.push(Number(line));
    else done.push({ line: Number(line), result: parsed.value });
  }
  return { how: { ...(again.length === 0 ? {} : { again }), ...(done.length === 0 ? {} : { done }) }, fields };
}

/** @param workflow which text the rerun uses, if that was chosen before */
export function inDoubtQuestion(
  { line, workflow, calledLine, phrase, service, sentAt, reason }: CallInDoubt,
  run: string,
  request: Pick<ConsoleRequest, 'formToken'>,
  { fields, problem }: Pick<FormDecisions, 'fields' | 'problem'>,
  more: Html,
): Html {
  const inside = workflow !== undefined && html` (<bdi>${workflow}</bdi>, line ${calledLine})`;
  return html`<section aria-labelledby="doubt-name"><h2 id="doubt-name">Was the call in line ${line}${inside} received?</h2>
<p class="said warning"><bdi>${phrase ?? 'It'}</bdi>${service !== undefined && html` using <bdi>${service}</bdi>`} was sent ${moment(sentAt)}, and <bdi>${reason}</bdi>. Ask the service, then decide. Who decides what is recorded.</p>
${problem !== undefined && html`<p class="said error" role="alert">${problem}</p>`}
<form method="post" action="${runAddress(run)}/rerun" class="sure">${formField(request)}<input type="hidden" name="from" value="failure"><input type="hidden" name="line" value="${line}">${fields.map((field) => html`<input type="hidden" name="decided" value="${field}">`)}${more}
<div class="actions"><button class="main" name="decide" value="again">It was not: send it again</button></div>
<label for="result">If it was, its result as JSON</label><textarea id="result" name="result" rows="4" placeholder='{"id": 7}'></textarea>
<div class="actions"><button name="decide" value="done">It was: take this as its result</button> <a class="quiet" href="${runAddress(run)}">Do nothing</a></div></form></section>`;
}
