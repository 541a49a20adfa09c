// Renders a value as a tree that folds out, with tables for lists of records. However large the value, the tree stays small: links load what
// doesn't fit.
import { counted } from '../../../runtime/texts/words.js';
import { wholeNumberIn } from '../http/query.js';
import { type Html, html, nothing } from './html.js';

/** Maximum entries of a list or record, and characters of text, shown at a time. */
const MOST_ENTRIES = 100;
const MOST_CHARACTERS = 2_000;
/** Maximum values per tree. Beyond it, only summaries are shown. */
const MOST_VALUES = 300;
const OPEN_DEPTH = 1;
const OPEN_ENTRIES = 4;
const SENT_ENTRIES = 12;
/** Rows of a table inside a tree; a page of its own shows and searches all. */
const PREVIEWED = 5;
/** Records with more fields than this are no table. */
const MOST_COLUMNS = 20;
/** Characters of a text in a table. */
const MOST_OF_A_CELL = 80;

interface Tree {
  /**
   * Address of the page that shows parts of this value; gets `at` and `from`. `undefined` if the value isn't stored; then the rest is only
   * counted.
   */
  readonly source: string | undefined;
  left: number;
}

/**
 * @param source address that shows part of the value: `?at=` its JSON pointer (RFC 6901), `&from=` where to continue. Absent for a value
 *   that isn't stored
 * @param from number of entries or characters to skip, because they are already shown
 */
export function valueTree(value: unknown, source?: string, at = '', from = 0): Html {
  const tree: Tree = { source, left: MOST_VALUES };
  if (isRecords(value)) return recordTable(tree, value, at, { from: 0, most: PREVIEWED });
  if (isBranch(value)) return entries(tree, value, at, from, 0);
  return html`<p class="leaf">${leaf(tree, value, at, from)}</p>`;
}

/** Links to a value as JSON. @param source address of its page */
export const rawLinks = (source: string): Html =>
  html`<span class="raw"><a href="${source}.json">JSON</a> <a href="${source}.json" download>Download</a></span>`;

/** The part of a value that the `at` and `from` of a query name; `undefined` if it doesn't exist. */
export function valuePart(value: unknown, query: URLSearchParams, source: string): Html | undefined {
  const at = query.get('at') ?? '';
  const part = partAt(value, at);
  const from = wholeNumberIn(query, 'from');
  if (part === undefined) return undefined;
  if (!isRecords(part)) return valueTree(part, source, at, from);
  return recordTable({ source, left: Number.POSITIVE_INFINITY }, part, at, {
    from,
    most: MOST_ENTRIES,
    q: query.get('q')?.trim() ?? '',
  });
}

/** The part of a value at a JSON pointer, or `undefined` if it doesn't exist. */
function partAt(value: unknown, pointer: string): unknown {
  if (pointer === '') return value;
  let part = value;
  for (const segment of pointer.split('/').slice(1)) {
    const key = segment.replaceAll('~1', '/').replaceAll('~0', '~');
    if (!isBranch(part) || !Object.hasOwn(part, key)) return undefined;
    part = Reflect.get(part, key);
  }
  return part;
}

const isBranch = (value: unknown): value is object => typeof value === 'object' && value !== null;

const pointerTo = (at: string, key: string): string => `${at}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;

type Row = Readonly<Record<string, unknown>>;

const isRecord = (value: unknown): value is Row => isBranch(value) && !Array.isArray(value);

/** Lists that are read as rows: at least two records with few different fields. */
const isRecords = (value: unknown): value is readonly Row[] =>
  Array.isArray(value) && value.length > 1 && value.every(isRecord) && within(columnsOf(value).length, 1, MOST_COLUMNS);

const within = (count: number, least: number, most: number): boolean => count >= least && count <= most;

/** The fields of the first rows. */
const columnsOf = (rows: readonly Row[]): string[] => [
  ...new Set(rows.slice(0, MOST_ENTRIES).flatMap((row) => Object.keys(row))),
];

interface ShownRows {
  readonly from: number;
  readonly most: number;
  /** Only rows with this text; absent in a preview. */
  readonly q?: string;
}

const isFound = (row: Row, term: string): boolean =>
  Object.values(row).some((value) => (isBranch(value) ? JSON.stringify(value) : String(value)).toLowerCase().includes(term));

function recordTable(tree: Tree, rows: readonly Row[], at: string, { from, most, q }: ShownRows): Html {
  const columns = columnsOf(rows);
  const term = q?.toLowerCase() ?? '';
  const found = rows.flatMap((row, index) => (term === '' || isFound(row, term) ? [index] : []));
  const shown = found.slice(from, from + most);
  const line = (index: number): Html =>
    html`<tr><th scope="row">${index + 1}</th>${columns.map((name) => html`<td>${cell(tree, rows[index]?.[name], `${pointerTo(at, String(index))}${pointerTo('', name)}`)}</td>`)}</tr>`;
  const rest = found.length - from - shown.length;
  tree.left -= shown.length * columns.length;
  return html`${q !== undefined && tree.source !== undefined && rowSearch(tree.source, at, q)}
${term !== '' && html`<p class="hint" role="status">${found.length} of ${rows.length} rows have this text.</p>`}
<div class="records" tabindex="0" role="region" aria-label="${counted(rows.length, 'row')}"><table><thead><tr><th scope="col">#</th>${columns.map((name) => html`<th scope="col"><bdi>${name}</bdi></th>`)}</tr></thead><tbody>${shown.map(line)}</tbody></table></div>
${(rest > 0 || (q === undefined && from === 0 && rows.length > SENT_ENTRIES)) && allRows(tree, at, q, { next: from + shown.length, rest, all: rows.length })}`;
}

/** From a preview to all rows, and from a page of them to the next. */
function allRows(
  { source }: Tree,
  at: string,
  q: string | undefined,
  { next, rest, all }: Readonly<Record<'next' | 'rest' | 'all', number>>,
): Html {
  if (source === undefined) return html`<p class="hint">${rest} more</p>`;
  const query = new URLSearchParams({ at, ...(q === undefined ? {} : { q, from: String(next) }) });
  const words = q === undefined ? `All ${all} rows, with a search` : `${rest} more`;
  return html`<p><a href="${source}${source.includes('?') ? '&' : '?'}${query.toString()}">${words}</a></p>`;
}

/** A form drops the query of its address, so it repeats what is there. */
function rowSearch(source: string, at: string, q: string): Html {
  const [address = '', query] = source.split('?');
  const kept = [...new URLSearchParams(query), ['at', at] as const];
  return html`<form class="filter" role="search" action="${address}">${kept.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}<label class="wide">Search the rows <input type="search" name="q" value="${q}"></label><button>Search</button></form>`;
}

function cell(tree: Tree, value: unknown, at: string): Html {
  if (value === undefined) return nothing;
  if (isBranch(value)) {
    const size = Array.isArray(value) ? value.length : Object.keys(value).length;
    return size === 0 ? nothing : more(tree, at, 0, counted(size, Array.isArray(value) ? 'item' : 'field'));
  }
  if (typeof value !== 'string' || value.length <= MOST_OF_A_CELL) return leaf(tree, value, at, 0);
  return html`<bdi class="s">${value.slice(0, MOST_OF_A_CELL)}</bdi> ${more(tree, at, MOST_OF_A_CELL, '…')}`;
}

function more(tree: Tree, at: string, from: number, words: string): Html {
  if (tree.source === undefined) return html`<span class="hint">${words === 'Show' ? '…' : words}</span>`;
  const query = new URLSearchParams({ at, ...(from === 0 ? {} : { from: String(from) }) });
  return html`<a data-more href="${tree.source}${tree.source.includes('?') ? '&' : '?'}${query.toString()}">${words}</a>`;
}

function entries(tree: Tree, value: object, at: string, from: number, depth: number): Html {
  const isList = Array.isArray(value);
  const keys = isList ? undefined : Object.keys(value);
  const size = isList ? value.length : (keys?.length ?? 0);
  if (size === 0) return html`<p class="leaf">${isList ? 'an empty list' : 'no fields'}</p>`;
  const shown: Html[] = [];
  let index = from;
  for (; index < size && index - from < MOST_ENTRIES && tree.left > 0; index++) {
    const key = keys === undefined ? String(index) : (keys[index] ?? '');
    // People count items from 1, addresses from 0.
    const name = keys === undefined ? String(index + 1) : key;
    shown.push(entry(tree, name, Reflect.get(value, key), pointerTo(at, key), depth));
  }
  const rest = size - index;
  return html`<ul class="tree">${shown}${rest > 0 && html`<li>${more(tree, at, index, `${rest} more`)}</li>`}</ul>`;
}

function entry(tree: Tree, key: string, value: unknown, at: string, depth: number): Html {
  tree.left--;
  if (!isBranch(value)) return html`<li><bdi class="k">${key}</bdi> ${leaf(tree, value, at, 0)}</li>`;
  const size = Array.isArray(value) ? value.length : Object.keys(value).length;
  const kind = Array.isArray(value) ? counted(size, 'item') : counted(size, 'field');
  if (size === 0)
    return html`<li><bdi class="k">${key}</bdi> <span class="hint">${Array.isArray(value) ? 'empty list' : 'no fields'}</span></li>`;
  const fits = !Array.isArray(value) && depth < OPEN_DEPTH && size <= OPEN_ENTRIES && tree.left > size;
  // Folded parts are loaded on demand, unless they are small.
  const isSent = fits || (size <= SENT_ENTRIES && depth < 8 && tree.left > size);
  if (isRecords(value) && tree.left > PREVIEWED * columnsOf(value).length)
    return html`<li><details${depth < OPEN_DEPTH && ' open'}><summary><bdi class="k">${key}</bdi> <span class="hint">${kind}</span></summary>${recordTable(tree, value, at, { from: 0, most: PREVIEWED })}</details></li>`;
  const inside = isSent ? entries(tree, value, at, 0, depth + 1) : html`<p>${more(tree, at, 0, 'Show')}</p>`;
  return html`<li><details${fits && ' open'}><summary><bdi class="k">${key}</bdi> <span class="hint">${kind}</span></summary>${inside}</details></li>`;
}

function leaf(tree: Tree, value: unknown, at: string, from: number): Html {
  if (value === null || value === undefined) return html`<span class="hint">empty</span>`;
  if (typeof value !== 'string') return html`<span class="n">${String(value)}</span>`;
  if (value === '') return html`<span class="hint">an empty text</span>`;
  const part = value.slice(from, from + MOST_CHARACTERS);
  const rest = value.length - from - part.length;
  return html`<bdi class="s">${part}</bdi>${rest > 0 && html` ${more(tree, at, from + part.length, `${rest} characters more`)}`}`;
}
