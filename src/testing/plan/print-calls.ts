// Calls in a plan: what is sent where, what is saved from the answer, and what happens on failure.
import { isConnected } from '../../../runtime/services/connected-kinds.js';
import { withoutPassword, writtenAddress } from '../../../runtime/services/template.js';
import { methodOf } from '../../../runtime/services/verbs.js';
import type { Ask, Call, OnFailure, Retry, Service } from '../../compiler/2-parse/tree.js';
import type { PlanWriter } from './plan-writer.js';

export function printCall(plan: PlanWriter, call: Call): void {
  const service = plan.services.get(call.service.text);
  plan.line(`${call.phrase.join(' ')} using ${call.service.text}`);
  plan.indented(() => {
    if (service !== undefined) plan.line(targetOf(plan, call, service));
    printDetails(plan, call);
  });
}

export function printAsk(plan: PlanWriter, ask: Ask): void {
  const service = plan.services.get(ask.service.text);
  plan.line(
    `ask ${ask.service.text}${service === undefined ? '' : ` (${plan.textOf(service.target)})`} to ${plan.textOf(ask.instruction)}`,
  );
  plan.indented(() => printDetails(plan, ask));
}

/** `GET https://stock.invalid/items/{request.sku}`. A plugin has no address, only the words of the call. */
function targetOf(plan: PlanWriter, { phrase, at, running, sentAs }: Call, { kind, target }: Service): string {
  const path = at === undefined ? undefined : plan.textOf(at);
  if (kind === 'plugin') return `plugin ${plan.textOf(target)}${path === undefined ? '' : ` at ${path}`}`;
  if (kind === 'workflow') return `workflow ${plan.textOf(target)}`;
  if (isConnected(kind)) {
    const what = running === undefined ? (path === undefined ? '' : ` at ${path}`) : ` running ${plan.textOf(running)}`;
    return `${kind === 'mail' ? 'mail server' : kind} ${withoutPassword(plan.textOf(target))}${what}`;
  }
  return `${sentAs?.text ?? methodOf(kind, phrase[0] ?? '')} ${writtenAddress(plan.textOf(target), path)}`;
}

function printDetails(plan: PlanWriter, call: Call | Ask): void {
  const { pairs, headers, body, saves, onFailure } = call;
  for (const { name, value } of headers) plan.line(`with header ${name.text}: ${plan.source(value.span)}`);
  for (const { key, value } of pairs) plan.line(`with ${key.text}: ${plan.source(value.span)}`);
  for (const { key, value } of call.kind === 'call' ? call.where : []) plan.line(`where ${key.text}: ${plan.source(value.span)}`);
  if (body !== undefined) plan.line(`body: ${plan.source(body.value.span)}`);
  for (const { what, name } of saves) plan.line(`save the ${what} as ${name.text}`);
  if (onFailure !== undefined) printFailure(plan, onFailure);
}

function printFailure(plan: PlanWriter, { retry, body }: OnFailure): void {
  plan.line('if it fails');
  plan.indented(() => {
    if (retry !== undefined) plan.line(retryText(plan, retry));
    if (body === undefined) {
      plan.line('if it still fails, the run ends as error');
    } else if (retry === undefined) {
      plan.block(body);
    } else {
      plan.line('if it still fails');
      plan.nested(body);
    }
  });
}

function retryText(plan: PlanWriter, { times, waiting, doubling }: Retry): string {
  const wait =
    waiting === undefined ? 'without waiting' : `waiting ${plan.source(waiting.span)}${doubling ? ', doubling each time' : ''}`;
  return `retry ${times === 1 ? 'once' : `up to ${times} times`}, ${wait}`;
}
