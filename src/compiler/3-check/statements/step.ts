// Checks `step …:`. Logs and tests identify steps by name, so names must differ.
import type { Step } from '../../2-parse/tree.js';
import * as catalogue from '../../diagnostics/catalogue/index.js';
import type { Checker } from '../checker.js';

export function checkStep(checker: Checker, { name, body, line }: Step): void {
  const first = checker.steps.get(name.text);
  if (first === undefined) checker.steps.set(name.text, line);
  else checker.report(catalogue.stepTwice(name.span, name.text, first));
  checker.block(body);
}
