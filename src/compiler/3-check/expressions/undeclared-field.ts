// Suggests a field for one that `inputs:` does not declare.
import type { Reference } from '../../2-parse/tree.js';
import * as catalogue from '../../diagnostics/catalogue/index.js';
import type { Diagnostic } from '../../diagnostics/diagnostic.js';
import type { Checker } from '../checker.js';
import { itemKind, type Kind } from '../kinds/kind.js';

export type DeclaredRecord = Extract<Kind, { is: 'record' }>;

const MOST_NAMES = 12;

/** @param owner what is read: `request.address` @param record its kind, or that of its items if it is a list */
export function explainUndeclared(
  checker: Checker,
  { fields, span }: Omit<Reference, 'kind' | 'root'> & { readonly root: string },
  owner: string,
  field: string,
  record: DeclaredRecord,
  isList: boolean,
): Diagnostic {
  const names = [...(record.fields?.keys() ?? [])];
  if (record.outputsOf !== undefined)
    return catalogue.noSuchOutput(span, owner, field, record.outputsOf, near(checker, owner, field, names), names);
  if (isSetOnItem(checker, owner, field)) return catalogue.fieldOfEarlierRound(span, owner, field);
  const rest = fields.slice(fields.indexOf(field) + 1).map((name) => `.${name}`);
  const close = isList && /^(?:length|size)$/.test(field) ? `${owner}.count` : near(checker, owner, field, names);
  const meant = close !== undefined ? close + rest.join('') : insideOf(record, owner, field);
  return catalogue.undeclaredField(span, owner, field, meant, names.slice(0, MOST_NAMES));
}

const near = ({ closest }: Checker, owner: string, field: string, names: readonly string[]): string | undefined => {
  const name = closest(field, names);
  return name === undefined ? undefined : `${owner}.${name}`;
};

/** An earlier loop sets the field of its own item. */
const isSetOnItem = ({ text }: Checker, owner: string, field: string): boolean =>
  owner.length + field.length <= 200 && new RegExp(`^ +set ${owner}\\.${field} to `, 'm').test(text);

/** `request.zip` → `request.address.zip`: the field may be in a nested record. */
function insideOf(record: DeclaredRecord, owner: string, field: string): string | undefined {
  for (const [name, kind] of record.fields ?? [])
    if (kind.is === 'record' && kind.fields?.has(field) === true) return `${owner}.${name}.${field}`;
    else if (kind.is === 'list' && field === 'count') return `count of ${owner}.${name}`;
    else if (kind.is === 'list' && itemKind(kind).is === 'record') continue;
  return undefined;
}
