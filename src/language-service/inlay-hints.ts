// Inlay hints: the kind of a variable, where it is first set.
import { kindName } from '../compiler/3-check/kinds/kind.js';
import type { WfDocument } from './document.js';
import { kindsOf } from './hover.js';

export interface Hint {
  /** Where it is shown: after the name. */
  readonly offset: number;
  readonly label: string;
}

export function inlayHints(document: WfDocument): Hint[] {
  const kinds = kindsOf(document);
  const seen = new Set<string>();
  return document.names.occurrences.flatMap(({ kind, isDefinition, symbol, span }) => {
    if (kind !== 'variable' || !isDefinition || seen.has(symbol)) return [];
    seen.add(symbol);
    const known = kinds.get(document.text.slice(span.start, span.end));
    return known === undefined || known.is === 'unknown' ? [] : [{ offset: span.end, label: kindName(known) }];
  });
}
