// Chooses one round of a `for each`, by number or step by step.
import type { Round } from '../../../durable/history/run-history.js';
import { type Html, html } from '../../html/html.js';
import { runAddress } from './rounds-address.js';

export function roundForm(run: string, line: number, rounds: readonly Round[], count: number): Html {
  const chosen = rounds.find((round) => round.line === line)?.round;
  const others = rounds.filter((round) => round.line !== line);
  const to = (round: number, words: string): Html =>
    html`<a href="${runAddress(run, [...others, { line, round }])}#L${line}">${words}</a>`;
  const isLast = chosen !== undefined && chosen >= count;
  return html`<form class="round" action="/console/runs/${run}#L${line}">${others.map((other) => html`<input type="hidden" name="r${other.line}" value="${other.round}">`)}
<label>Round <input type="number" name="r${line}" min="1" max="${count}" value="${chosen ?? 1}" required></label> <span class="hint">of ${count}</span>
<button>Show</button>${chosen !== undefined && html` ${chosen > 1 && to(chosen - 1, 'Previous')} ${!isLast && to(chosen + 1, 'Next')} <a href="${runAddress(run, others)}#L${line}">All rounds</a>`}</form>`;
}
