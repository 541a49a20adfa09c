// The calls of a program, also those in blocks.
import type { CallStmt, Stmt } from './tree.js';

export const callsIn = (body: readonly Stmt[]): CallStmt[] =>
  body.flatMap((statement) => [...(statement.k === 'call' ? [statement] : []), ...blocksOf(statement).flatMap(callsIn)]);

function blocksOf(statement: Stmt): readonly (readonly Stmt[])[] {
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
