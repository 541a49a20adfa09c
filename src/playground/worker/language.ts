// Prepares what the editor of the playground shows about a text: problems with their fixes, colours, the drawing, the rules, and the fields
// of the form. Workflows may call the examples and the files of the folder that it was started for, all of which are in memory.
import type { WfRecord } from '../../../runtime/types.js';
import { analyse } from '../../analysis/analyse.js';
import type { WorkflowFiles } from '../../compiler/call-tree.js';
import type { Checked } from '../../compiler/compile.js';
import type { LocatedDiagnostic } from '../../compiler/diagnostics/diagnostic.js';
import type { TextEdit } from '../../compiler/diagnostics/working-fixes.js';
import { type Html, html } from '../../console/html/html.js';
import { exampleRequest, fieldsOfRequest, textAt } from '../../console/pages/workflows/request-forms.js';
import { diagramOf } from '../../diagram/diagram.js';
import type { DrawOptions } from '../../diagram/drawer.js';
import { drawSvg } from '../../diagram/svg.js';
import { format } from '../../format/format.js';
import { coloursOf } from '../../language-service/colours.js';
import { complete } from '../../language-service/complete.js';
import { WfDocument } from '../../language-service/document.js';
import { hover } from '../../language-service/hover.js';
import { fixesFor } from '../../language-service/quick-fixes.js';
import { rulesOf } from '../../rules/rules.js';
import { waysOf } from '../../rules/ways.js';
import type { Look, OpenFile, Problem, Proposed, TextChange, Views } from '../protocol.js';

/** Problems that get fixes: trying them takes a check each. */
const MOST_FIXED = 20;

let last: WfDocument | undefined;

/** The text as the last question had it, with what is already known about it. */
function documentOf({ name, text }: OpenFile): WfDocument {
  if (last?.text !== text || last.file !== name) last = new WfDocument(text, name, { files: filesFor(name) });
  return last;
}

export function look(file: OpenFile): Look {
  const document = documentOf(file);
  const { explained } = document;
  const all = explained.hasErrors ? explained.diagnostics : analyse(explained, file.name);
  const own = all.filter((one) => one.file === file.name);
  return {
    problems: own.map((one, index) => problemOf(document, one, index < MOST_FIXED)),
    colours: coloursOf(document).map(({ span, type }) => ({ from: span.start, to: span.end, type })),
  };
}

function problemOf(document: WfDocument, found: LocatedDiagnostic, hasFixes: boolean): Problem {
  const { span, line, severity, message, suggestion, hint } = found;
  const said = [
    message,
    ...(suggestion === undefined ? [] : [`Did you mean "${suggestion}"?`]),
    ...(hint === undefined ? [] : [hint]),
  ];
  const fixes = hasFixes ? fixesFor(document, found) : [];
  return {
    from: span.start,
    to: span.end,
    line,
    severity,
    message: said.join('\n'),
    fixes: fixes.map(({ title, edits }) => ({ title, changes: edits.map(changeOf) })),
  };
}

const changeOf = ({ span, newText }: TextEdit): TextChange => ({ from: span.start, to: span.end, insert: newText });

export function views(file: OpenFile & { readonly request: Readonly<Record<string, unknown>> | undefined }): Views {
  const { checked } = documentOf(file);
  const about = {
    ...(checked.facts.inputs === undefined ? {} : { inputs: checked.facts.inputs }),
    requestFields: [...checked.facts.requestFields].sort(),
  };
  // Without declared inputs, nobody knows what would fit. JSON, or made here.
  const request = (file.request ?? (about.inputs === undefined ? {} : exampleRequest(about))) as WfRecord;
  return {
    drawing: drawing(file),
    rules: rulesHtml(checked, file.name).toString(),
    fields: fieldsOfRequest(about, (path) => textAt(request, path)).join('\n'),
    shape: JSON.stringify([about, file.request]),
  };
}

export function drawing(file: OpenFile, options: DrawOptions = {}): string {
  const { checked } = documentOf(file);
  return drawSvg(diagramOf(checked.workflow, file.text, file.name.replace(/\.wf$/, '')), {
    ...options,
    linkOf: (line) => `#L${line}`,
  });
}

export function proposals({ offset, ...file }: OpenFile & { readonly offset: number }): Proposed {
  const { start, items } = complete(documentOf(file), offset);
  return { from: start, items };
}

export function hovered({
  offset,
  ...file
}: OpenFile & { readonly offset: number }): { from: number; to: number; markdown: string } | undefined {
  const found = hover(documentOf(file), offset);
  return found === undefined ? undefined : { from: found.span.start, to: found.span.end, markdown: found.markdown };
}

/** The text in its one form; `undefined` if mistakes are in the way. */
export function formatted({ text }: OpenFile): string | undefined {
  const result = format(text);
  return result.isReadable ? result.text : undefined;
}

/** Rows that a page shows; `wf rules` lists all. */
const MOST_ROWS = 200;

function rulesHtml(checked: Checked, file: string): Html {
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

const texts = new Map<string, string>();
const encoder = new TextEncoder();

export function knowFiles(files: readonly OpenFile[]): void {
  for (const { name, text } of files) texts.set(name, text);
}

/** `a/../b.wf` → `b.wf`, as a folder would have it. */
const resolved = (target: string, from: string): string =>
  decodeURIComponent(new URL(target, `file:///${encodeURI(from)}`).pathname.slice(1));

/** @param root name of the workflow that is compiled */
export const filesFor = (root: string): WorkflowFiles => ({
  root: { path: root, file: root },
  locate(target, from) {
    const name = resolved(target, from.path);
    return { path: name, file: name };
  },
  folderOf: ({ path }) => path.split('/').slice(0, -1).join('/') || '.',
  read({ path }) {
    const text = texts.get(path);
    return text === undefined ? 'the playground has no such file' : encoder.encode(text);
  },
  readTable: () => ({ ok: false, what: 'the playground reads no files of tables' }),
});
