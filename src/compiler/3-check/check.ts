// The tree → everything that is wrong with what it says, and the facts that the later phases use.

import type { Service, Workflow } from '../2-parse/tree.js';
import * as catalogue from '../diagnostics/catalogue/index.js';
import type { Diagnostic } from '../diagnostics/diagnostic.js';
import { Checker, type Facts } from './checker.js';
import { checkServices, checkUse } from './services.js';
import { checkBlock } from './statements.js';

/** Checks `workflow`, read from `text`; `name` is what it is called without a `config:` section. */
export function check(text: string, workflow: Workflow, name: string, diagnostics: Diagnostic[]): Facts {
  const checker = new Checker(text, workflow, diagnostics);
  const isEmpty = workflow.body.length === 0 && workflow.services.length === 0 && workflow.trigger === '';
  if (workflow.config === undefined && !isEmpty)
    checker.report(catalogue.noConfig({ start: 0, end: Math.max(0, text.search(/\r?\n|$/)) }, name));
  checkServices(checker, workflow);
  checkBlock(checker, workflow.body);
  checkUse(checker, workflow);
  const services = new Map<string, Service>();
  for (const service of checker.services.values()) if (service.kind !== 'broken') services.set(service.name.text, service);
  return { ...checker.facts, services };
}
