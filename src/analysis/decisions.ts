// The decisions of a workflow that bear on how a run ended: those around its last line, and those that set what these compare or show.
import type { Block, Expression, If, LookUp, Statement } from '../compiler/2-parse/tree.js';
import { assignedBy, blocksOf, expressionsOf, referencesIn, statementsIn } from '../compiler/2-parse/walk.js';

const namesIn = (expression: Expression): string[] => [...referencesIn(expression)].map(({ root }) => root);

const endsRun = ({ kind }: Statement): boolean => kind === 'complete' || kind === 'reject' || kind === 'skip' || kind === 'stop';

/**
 * The `if`s and look-ups that bear on an end: one that can end the run or a round itself, and one that sets something which such a condition
 * or the end reads.
 * @param line of the statement that ended the run; `undefined` at the end of the file
 */
export function relevantDecisions(body: Block, line: number | undefined): ReadonlySet<If | LookUp> {
  const all = [...statementsIn(body)];
  const relevant = new Set<If | LookUp>();
  const names = new Set<string>();
  for (const statement of all)
    if (statement.line === line)
      for (const { expression } of expressionsOf(statement)) for (const name of namesIn(expression)) names.add(name);
  for (let before = -1; before < relevant.size + names.size; ) {
    before = relevant.size + names.size;
    for (const statement of all) {
      const sets = assignedBy(statement).some(({ name }) => names.has(name));
      if (sets) for (const { expression } of expressionsOf(statement)) for (const name of namesIn(expression)) names.add(name);
      if (statement.kind === 'look up' && sets) relevant.add(statement);
      if (statement.kind !== 'if' && statement.kind !== 'look up') continue;
      const inside = blocksOf(statement).flatMap((block) => [...statementsIn(block)]);
      const bears = inside.some((inner) => endsRun(inner) || assignedBy(inner).some(({ name }) => names.has(name)));
      if (!bears) continue;
      relevant.add(statement);
      const asked =
        statement.kind === 'if'
          ? statement.branches.map(({ condition }) => condition)
          : expressionsOf(statement).map(({ expression }) => expression);
      for (const expression of asked) for (const name of namesIn(expression)) names.add(name);
    }
  }
  return relevant;
}
