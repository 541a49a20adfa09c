// Reads the request of a form, from its fields or as JSON, and the answers of mock services; or says what is wrong with it.
import { acceptRequest } from '../../../../runtime/inputs/accept-request.js';
import type { Acceptance, InputProblem } from '../../../../runtime/inputs/input-types.js';
import { mocksFromJson } from '../../../../runtime/services/given-mocks.js';
import type { Mocks, Value, WfRecord, WorkflowInfo } from '../../../../runtime/types.js';
import { parseJson } from '../../../../runtime/values/json.js';
import { type Html, html } from '../../html/html.js';
import { requestOf, untyped } from './example-request.js';

export type Given = WfRecord | Unfit;

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
