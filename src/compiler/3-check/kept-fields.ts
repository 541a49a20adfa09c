// A record whose fields are set one by one in a loop: in the next round, it still has the fields of this one, so whatever stores or sends
// it gets a mixture.
import { assignedBy, expressionsOf } from '../2-parse/children.js';
import type { Block, Reference, SetVariable, Statement } from '../2-parse/tree.js';
import { referencesIn, statementsIn } from '../2-parse/walk.js';
import * as catalogue from '../diagnostics/catalogue/index.js';
import type { Checker } from './checker.js';

/** Searches the block of a loop. `keptFields` of the checker has what inner loops have already reported. */
export function checkKeptFields(checker: Checker, body: Block): void {
  const all = [...statementsIn(body)];
  const firstFields = new Map<string, SetVariable>();
  for (const statement of all) {
    if (statement.kind !== 'set' || statement.fields.length === 0 || readsItself(statement)) continue;
    if (!firstFields.has(statement.target.text)) firstFields.set(statement.target.text, statement);
  }
  if (firstFields.size === 0) return;
  for (const name of setAsWhole(all)) firstFields.delete(name);
  for (const statement of all) {
    for (const { root, fields, span } of handedOn(statement)) {
      const first = fields.length === 0 ? firstFields.get(root) : undefined;
      if (first === undefined || checker.keptFields.has(statement)) continue;
      checker.keptFields.add(statement);
      checker.report(catalogue.keptFields(span, root, first.line, asWhole(checker, first)));
    }
  }
}

/** `set totals.count to totals.count plus 1` is meant to accumulate over rounds. */
const readsItself = ({ target, value }: SetVariable): boolean =>
  [...referencesIn(value)].some(({ root }) => root === target.text);

function* setAsWhole(all: readonly Statement[]): Iterable<string> {
  for (const statement of all) {
    const isPart = statement.kind === 'add' || (statement.kind === 'set' && statement.fields.length > 0);
    if (!isPart) for (const { name } of assignedBy(statement)) yield name;
  }
}

/** What a statement stores in a list, or sends. */
function* handedOn(statement: Statement): Iterable<Reference> {
  if (statement.kind !== 'add' && statement.kind !== 'call' && statement.kind !== 'ask') return;
  for (const { expression } of expressionsOf(statement)) yield* referencesIn(expression);
}

/** The statement that creates a new record with the first of its fields. */
function asWhole({ text }: Checker, { target, fields, value }: SetVariable): string {
  const written = text.slice(value.span.start, value.span.end);
  const [field = '', ...deeper] = fields;
  const isSimple =
    typeof field === 'string' && deeper.length === 0 && /^[\p{L}_][\p{L}\p{N}_-]*$/u.test(field) && written.length <= 60;
  return `set ${target.text} to record with ${isSimple ? `${field} ${written}` : '…'}`;
}
