// The grammar of `wf.ohm` with its semantics: one action for each rule that is more than its only part.
import { loadGrammar } from 'wf:grammar';
import type { Grammar, Semantics } from 'ohm-js';
import { inputActions, sectionActions, serviceActions, tableActions } from './actions/sections.js';
import { callOptionActions, loopActions, statementActions, waitActions } from './actions/statements.js';
import { conditionActions, expressionActions, operationActions, primaryActions } from './actions/values.js';
import type { Actions, Read } from './source.js';

interface Language {
  readonly grammar: Grammar;
  /** Gives each matched node the operation `read`: its reader, which fits every line of the matched shape. */
  readonly semantics: Semantics;
}

let loaded: Language | undefined;

/** Made for the first line, because a program that only runs finished modules parses none. */
export function language(): Language {
  if (loaded === undefined) {
    const grammar = loadGrammar();
    loaded = { grammar, semantics: grammar.createSemantics().addOperation<Read<unknown>>('read', actions()) };
  }
  return loaded;
}

/** Ohm compares the number of parts that each action takes with its rule. */
const actions = (): Actions => ({
  ...sectionActions,
  ...inputActions,
  ...serviceActions,
  ...tableActions,
  ...statementActions,
  ...loopActions,
  ...waitActions,
  ...callOptionActions,
  ...expressionActions,
  ...conditionActions,
  ...operationActions,
  ...primaryActions,
});
