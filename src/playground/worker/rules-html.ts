// What a workflow decides, as tables: each way from a request to an outcome, then its own tables.
import type { Checked } from '../../compiler/compile.js';
import { type Html, html } from '../../console/html/html.js';
import { rulesOf } from '../../rules/rules.js';
import { waysOf } from '../../rules/ways.js';

/** Rows that a page shows; `wf rules` lists all. */
const MOST_ROWS = 200;

export function rulesHtml(checked: Checked, file: string): Html {
  if (checked.hasErrors) return html`<p class="hint">Correct the mistakes first; then the rules appear here.</p>`;
  const { columns, rows, isPartial } = waysOf(checked);
  const { tables } = rulesOf(checked, file);
  const left = rows.length - MOST_ROWS;
  return html`<h2>Outcomes</h2>
${table(
  ['outcome', 'line', ...columns],
  rows
    .slice(0, MOST_ROWS)
    .map(({ when, outcome, line }) => [outcome, String(line ?? ''), ...columns.map((name) => when[name] ?? '')]),
)}
${(isPartial || left > 0) && html`<p class="hint">There are more ways than are listed here.</p>`}
${tables.map(
  ({ name, headings, rows: own }) =>
    html`<h2>Table ${name}</h2>${table(
      headings,
      own.slice(0, MOST_ROWS).map(({ cells }) => cells),
    )}`,
)}`;
}

const table = (headings: readonly string[], rows: readonly (readonly string[])[]): Html =>
  html`<div class="wide" tabindex="0" role="group" aria-label="A table of rules"><table><thead><tr>${headings.map((heading) => html`<th scope="col">${heading}</th>`)}</tr></thead>
<tbody>${rows.map((cells) => html`<tr>${cells.map((cell) => html`<td>${cell}</td>`)}</tr>`)}</tbody></table></div>`;
