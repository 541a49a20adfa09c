// Checks the tree: reports everything that is wrong with its meaning, and collects the facts that later phases need.
import type { DecisionTable } from '../2-parse/declaration-tree.js';
import type { Config, Service, Workflow } from '../2-parse/tree.js';
import * as catalogue from '../diagnostics/catalogue/index.js';
import type { Diagnostic } from '../diagnostics/diagnostic.js';
import { checkInputs } from './check-inputs.js';
import { type CheckedCallee, Checker, type Facts } from './checker.js';
import { checkConfig, checkOnce, checkScheduledInputs, checkTrigger } from './config.js';
import { checkEarlyMessages } from './early-messages.js';
import { checkExpression } from './expressions/check-expression.js';
import { requestKind } from './kinds/kind.js';
import { checkSecrets } from './secrets.js';
import { checkServices, checkUse } from './services.js';
import { checkBlock } from './statements/check-block.js';
import { checkTables, checkTableUse } from './tables/check-tables.js';

/** Most files have none of the settings that `checkConfig` checks, and don't load it. */
const needsCheck = ({ timezone, schedule, holidays, workingHours, language, serving }: Config): boolean =>
  [timezone, schedule, workingHours, language, serving].some((setting) => setting !== undefined) || holidays.length > 0;

/** Checks `workflow`, parsed from `text`; `name` is its name without a `config:` section. */
export function check(
  text: string,
  workflow: Workflow,
  name: string,
  diagnostics: Diagnostic[],
  called: ReadonlyMap<string, CheckedCallee> = new Map(),
): Facts {
  const checker = new Checker(text, workflow, diagnostics, { block: checkBlock, expression: checkExpression }, called);
  const isEmpty = workflow.body.length === 0 && workflow.services.length === 0 && workflow.trigger === '';
  if (workflow.config === undefined && !isEmpty)
    checker.report(catalogue.noConfig({ start: 0, end: Math.max(0, text.search(/\r?\n|$/)) }, name));
  if (workflow.config !== undefined && needsCheck(workflow.config)) checkConfig(checker, workflow.config);
  const times = workflow.trigger.replace(/^(?:every|each|on) /i, '');
  if (times !== workflow.trigger) checkTrigger(checker, workflow, times);
  const inputs = workflow.inputs === undefined ? undefined : checkInputs(checker, workflow.inputs);
  if (inputs !== undefined) checker.scope.request = requestKind(inputs, workflow.inputs?.isWhole === true);
  if (inputs !== undefined && workflow.inputs !== undefined && workflow.config?.schedule !== undefined)
    checkScheduledInputs(checker, workflow.config.schedule, inputs, workflow.inputs);
  if (workflow.config?.once !== undefined) checkOnce(checker, workflow.config.once);
  for (const value of workflow.config?.findBy ?? []) checker.expression(value);
  checkServices(checker, workflow);
  if (workflow.tables.length > 0) checkTables(checker, workflow);
  checker.block(workflow.body);
  checkEarlyMessages(checker, workflow.body);
  checkUse(checker, workflow);
  if (checker.tables.size > 0) checkTableUse(checker);
  if (checker.facts.env.size > 0) checkSecrets(checker, workflow);
  checker.dropExplained();
  const services = new Map<string, Service>();
  for (const service of checker.services.values()) if (service.kind !== 'broken') services.set(service.name.text, service);
  const tables = new Map<string, DecisionTable>();
  for (const [table, declared] of checker.tables) if (declared !== undefined) tables.set(table, declared);
  return { ...checker.facts, inputs, services, called, tables };
}
