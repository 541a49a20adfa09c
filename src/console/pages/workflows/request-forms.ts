// The forms of a request: a field for each declared input, or for each path of the request that the text reads, or all of it as JSON.
// Builds an example to start from, and reads a form back into a request or into what is wrong with it.
import { acceptRequest } from '../../../../runtime/inputs/accept-request.js';
import type { Acceptance, FieldKind, InputField, InputProblem } from '../../../../runtime/inputs/input-types.js';
import { kindWords } from '../../../../runtime/inputs/input-words.js';
import { mocksFromJson } from '../../../../runtime/services/given-mocks.js';
import type { Mocks, Value, WfRecord, WorkflowInfo } from '../../../../runtime/types.js';
import { parseJson } from '../../../../runtime/values/json.js';
import { setOwn } from '../../../../runtime/values/record.js';
import { fieldsOfPath, writtenField } from '../../../compiler/vocabulary/field-names.js';
import { exampleRecord } from '../../../input/example-value.js';
import { formField, type Html, html } from '../../html/html.js';
import type { ConsoleRequest } from '../../http/console-request.js';

interface RequestForms {
  readonly workflow: WorkflowInfo;
  /** Address of the forms. */
  readonly address: string;
  readonly request: ConsoleRequest;
  readonly button: string;
  /** More fields, in front of the others. */
  readonly more?: Html;
  /** Whether to put the cursor into the first field. */
  readonly isFocused?: boolean;
  /** Fills the fields unless something was typed. */
  readonly given?: WfRecord | undefined;
}

/** Filled with earlier input if there was any. */
export function requestForms({ workflow, address, request, button, more, given, isFocused = false }: RequestForms): Html {
  const { form, isPost } = request;
  const json = form.get('json');
  const typed = (path: string): string => form.get(`field:${path}`) ?? (isPost ? '' : textAt(given, path));
  const fields = fieldsOfRequest(workflow, typed);
  const isJsonOpen = fields.length === 0 || json !== null;
  return html`${
    fields.length > 0 &&
    html`<form method="post" action="${address}" class="try"${isFocused && html` data-focus`}>${formField(request)}${more}${fields}
<button class="main">${button}</button></form>`
  }
<form method="post" action="${address}" class="try">${formField(request)}${more}<details${isJsonOpen && html` open`}><summary>The whole request as JSON</summary><label><span class="hush">Request</span><textarea name="json" rows="6" spellcheck="false">
${json ?? JSON.stringify(given ?? exampleRequest(workflow), null, 2)}</textarea></label><button${fields.length === 0 && html` class="main"`}>${button}</button></details></form>`;
}

/** A field for each declared input, or for each path that the text reads. @param typed what stands in a field, by its path */
export function fieldsOfRequest(
  { inputs, requestFields }: Pick<WorkflowInfo, 'inputs' | 'requestFields'>,
  typed: (path: string) => string,
): Html[] {
  const field = (path: string): Html =>
    html`<label>${path} <input name="field:${path}" autocomplete="off"${typed(path) !== '' && html` value="${typed(path)}"`}></label>`;
  return inputs === undefined ? leavesOf(requestFields).map(field) : inputFields(inputs, typed);
}

/** The value at a path as a field shows it: text as it is, yes and no as words, anything else as JSON. */
export function textAt(given: WfRecord | undefined, path: string): string {
  let value: unknown = given;
  for (const name of fieldsOfPath(path)) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return '';
    value = Reflect.get(value, name);
  }
  if (value === undefined || value === null) return '';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Runs with mock services. */
export const tryForm = (workflow: WorkflowInfo, address: string, request: ConsoleRequest): Html =>
  html`<details class="card" id="try"${request.isPost && html` open`}><summary><h2>Try it</h2> <span class="hint">with mock services: nothing leaves this machine, nothing is kept</span></summary>
${requestForms({ workflow, address, request, button: 'Run with mock services', more: mockAnswers(request.form) })}</details>`;

/** As in the cases of `wf test`. A call without an answer of its own gets the usual one. */
function mockAnswers(form: URLSearchParams): Html {
  const text = form.get('mocks') ?? '';
  return html`<details${text !== '' && html` open`}><summary>Answers of the services</summary><label><span class="hint">As JSON, as in <code>wf test</code>. Without one, a call gets a usual answer.</span> <textarea name="mocks" rows="4" spellcheck="false" placeholder='{ "Stock": { "get stock": { "level": 4 } } }'>
${text}</textarea></label></details>`;
}

/** A field of the form: a value, or a list written as JSON. */
interface Leaf {
  readonly path: string;
  readonly field: InputField;
  readonly isRequired: boolean;
}

/** @param typed earlier input of a field, by its path */
export const inputFields = (fields: readonly InputField[], typed: (path: string) => string): Html[] =>
  leaves(fields, '', true).map((leaf) => control(leaf, typed(leaf.path)));

function leaves(fields: readonly InputField[], prefix: string, isNeeded: boolean): Leaf[] {
  return fields.flatMap((field): Leaf[] => {
    const path = prefix + writtenField(field.name);
    const isRequired = isNeeded && field.optional !== true && field.otherwise === undefined;
    return field.kind.is === 'record' ? leaves(field.kind.fields, `${path}.`, isRequired) : [{ path, field, isRequired }];
  });
}

function control({ path, field, isRequired }: Leaf, value: string): Html {
  const { kind, otherwise } = field;
  const words = kind.is === 'anything' ? 'anything' : kindWords(kind, false);
  const missing = otherwise !== undefined ? `, otherwise ${shown(otherwise)}` : isRequired ? '' : ', optional';
  return html`<label><span>${path} <span class="hint">${words}${missing}${kind.is === 'list' && ', as JSON'}</span></span> ${controlOf(kind, `field:${path}`, value, isRequired)}</label>`;
}

const shown = (value: InputField['otherwise']): string =>
  typeof value === 'boolean' ? (value ? 'yes' : 'no') : typeof value === 'string' ? value : JSON.stringify(value);

const types: Readonly<Partial<Record<FieldKind['is'], string>>> = { date: 'date', 'email address': 'email' };

function controlOf(kind: FieldKind, name: string, value: string, isRequired: boolean): Html {
  const required = isRequired && html` required`;
  if (kind.is === 'yes or no') return choice(name, ['yes', 'no'], value, isRequired);
  if (kind.is === 'choice') return choice(name, kind.values.map(String), value, isRequired);
  if (kind.is === 'list' || kind.is === 'anything' || (kind.is === 'text' && (kind.most ?? 0) > 100))
    return html`<textarea name="${name}" rows="3" spellcheck="false"${required}>
${value}</textarea>`;
  const type = types[kind.is] ?? 'text';
  const range =
    kind.is === 'date' &&
    html`${kind.from !== undefined && html` min="${kind.from}"`}${kind.to !== undefined && html` max="${kind.to}"`}`;
  const places = (kind.is === 'number' || kind.is === 'whole number') && html` inputmode="decimal"`;
  return html`<input name="${name}" type="${type}" autocomplete="off"${range}${places}${required}${value !== '' && html` value="${value}"`}>`;
}

function choice(name: string, values: readonly string[], value: string, isRequired: boolean): Html {
  return html`<select name="${name}"${isRequired && html` required`}><option value=""></option>${values.map((one) => html`<option value="${one}"${one === value && html` selected`}>${one}</option>`)}</select>`;
}

/** The fields without fields of their own: `customer.email`, not `customer`. */
export const leavesOf = (requestFields: readonly string[]): string[] =>
  requestFields.filter((field) => !requestFields.some((other) => other.startsWith(`${field}.`)));

/** Values that fit the declared inputs; otherwise `customer.email` → `{ "customer": { "email": "…" } }`. */
export function exampleRequest({ inputs, requestFields }: Pick<WorkflowInfo, 'inputs' | 'requestFields'>): WfRecord {
  if (inputs !== undefined) return exampleRecord(inputs, 'typical', true);
  const request: WfRecord = {};
  for (const field of leavesOf(requestFields)) setPath(request, fieldsOfPath(field), '…');
  return request;
}

/**
 * The fields of a form, named by path. Omits empty ones.
 * @param read converts text to a value
 */
export function requestOf(
  fields: Iterable<readonly [path: string, text: string]>,
  read: (text: string) => Value = untyped,
): WfRecord {
  const request: WfRecord = {};
  for (const [path, text] of fields) {
    if (text !== '') setPath(request, fieldsOfPath(path), read(text));
  }
  return request;
}

/** Reads numbers, `true`, `false`, lists and records as JSON. Anything else is text, as is anything in quotes. */
export function untyped(text: string): Value {
  if (!/^\s*(?:[-\d[{"]|true\s*$|false\s*$)/.test(text)) return text;
  try {
    const value: unknown = JSON.parse(text);
    // JSON is plain data. An integer that would lose digits stays text.
    return typeof value === 'number' && String(value) !== text.trim() ? text : (value as Value);
  } catch {
    return text;
  }
}

function setPath(request: WfRecord, path: readonly string[], value: Value): void {
  let record = request;
  for (const name of path.slice(0, -1)) {
    const inside = Object.hasOwn(record, name) ? record[name] : undefined;
    const next: WfRecord = typeof inside === 'object' && inside !== null && !Array.isArray(inside) ? inside : {};
    setOwn(record, name, next);
    record = next;
  }
  setOwn(record, path.at(-1) ?? '', value);
}

type Given = WfRecord | Unfit;

/** The mistakes of a request, as a sentence or by field. */
type Unfit = readonly InputProblem[] | string;

export const isUnfit = (given: Given): given is Unfit => typeof given === 'string' || Array.isArray(given);

/** The answers of mock services in a form, as in `wf test`, or what is wrong with them; `true` for the usual ones. */
export function mocksFrom(form: URLSearchParams): true | Mocks | string {
  const text = form.get('mocks')?.trim() ?? '';
  if (text === '') return true;
  const read = parseJson(text);
  if (!read.ok) return 'The answers of the services are not JSON. They look like { "Stock": { "get stock": { "level": 4 } } }.';
  const parsed = mocksFromJson(read.value);
  return parsed.ok ? parsed.mocks : parsed.message;
}

export const unfitRequest = (unfit: Unfit): Html =>
  typeof unfit === 'string'
    ? html`<p class="said error" role="alert">${unfit}</p>`
    : html`<div class="said error" role="alert"><p>The request does not fit the inputs, so nothing ran:</p><ul>${unfit.map(({ field, problem }) => html`<li><b>${field}</b> <bdi>${problem}</bdi></li>`)}</ul></div>`;

/** The request, or what is wrong with it. */
export function requestFrom(form: URLSearchParams, { inputs, timezone }: Pick<WorkflowInfo, 'inputs' | 'timezone'>): Given {
  const json = form.get('json');
  if (json === null) {
    const fields = [...form].flatMap(([name, text]) => (name.startsWith('field:') ? [[name.slice(6), text] as const] : []));
    if (inputs === undefined) return requestOf(fields);
    return fitting(acceptRequest(inputs, requestOf(fields, listOrText), { timezone, untyped }));
  }
  try {
    const value: unknown = JSON.parse(json);
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      return 'The request must be a record of fields, such as { "id": 7 }.';
    const request = value as WfRecord; // JSON gives plain data
    return inputs === undefined ? request : fitting(acceptRequest(inputs, request, { timezone }));
  } catch (error) {
    return `The request is not JSON: ${error instanceof Error ? error.message : 'it cannot be read'}`;
  }
}

const fitting = ({ request, problems }: Acceptance): Given => (problems.length > 0 ? problems : request);

/** In a form with declared inputs, only lists and records are JSON; all other kinds are known. */
function listOrText(text: string): Value {
  const value = untyped(text);
  return typeof value === 'object' ? value : text;
}
