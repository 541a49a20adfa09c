// The calls of a program, also those in blocks, and the workflows that it calls.
import type { CallStmt, Part, Stmt, Workflow } from './tree.js';

export const callsIn = (body: readonly Stmt[]): CallStmt[] =>
  body.flatMap((statement) => [...(statement.k === 'call' ? [statement] : []), ...blocksOf(statement).flatMap(callsIn)]);

export function blocksOf(statement: Stmt): readonly (readonly Stmt[])[] {
  switch (statement.k) {
    case 'if':
      return [...statement.branches.map(({ body }) => body), statement.otherwise ?? []];
    case 'step':
    case 'for':
    case 'fields':
    case 'repeat':
    case 'rounds':
      return [statement.body];
    case 'together':
      return [statement.branches];
    case 'look up':
      return [statement.nothing ?? []];
    case 'call':
      return [statement.handler?.body ?? []];
    default:
      return [];
  }
}

/** The workflows that a workflow may call, directly or indirectly, each once. */
export function partsOf({ parts }: Pick<Workflow, 'parts'>): Part[] {
  return [...new Set(parts.flatMap((part) => [part, ...partsOf(part.workflow)]))];
}
