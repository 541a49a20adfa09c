// Calls in a plan: what would be sent where, what is kept of the answer, and what happens when it fails.
import { writtenAddress } from '../../../runtime/services/template.js';
import { methodOf } from '../../../runtime/verbs.js';
import type { Ask, Call, OnFailure, Retry, Service } from '../../compiler/2-parse/tree.js';
import type { PlanWriter } from './plan-writer.js';
import { printBlock } from './print-block.js';

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

/** `GET https://stock.invalid/items/{request.sku}`; a plugin has no address, only the words of the call. */
function targetOf(plan: PlanWriter, { phrase, at }: Call, { kind, target }: Service): string {
  const path = at === undefined ? undefined : plan.textOf(at);
  if (kind === 'plugin') return `plugin ${plan.textOf(target)}${path === undefined ? '' : ` at ${path}`}`;
  return `${methodOf(kind, phrase[0] ?? '')} ${writtenAddress(plan.textOf(target), path)}`;
}

function printDetails(plan: PlanWriter, { pairs, saves, onFailure }: Call | Ask): void {
  for (const { key, value } of pairs) plan.line(`with ${key.text}: ${plan.source(value.span)}`);
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
      printBlock(plan, body);
    } else {
      plan.line('if it still fails');
      plan.indented(() => printBlock(plan, body));
    }
  });
}

function retryText(plan: PlanWriter, { times, waiting, doubling }: Retry): string {
  const wait =
    waiting === undefined
      ? 'without waiting'
      : `waiting ${plan.source(waiting.span)}${doubling ? ', each time twice as long' : ''}`;
  return `try again ${times === 1 ? 'once' : `up to ${times} times`}, ${wait}`;
}
