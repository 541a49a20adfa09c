// The declared inputs as fields of a form, each with a suitable control.

import type { FieldKind, InputField } from '../../../../runtime/inputs/input-types.js';
import { kindWords } from '../../../../runtime/inputs/input-words.js';
import { writtenField } from '../../../compiler/vocabulary/field-names.js';
import { type Html, html } from '../../html/html.js';

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
