// A one-line statement in a plan, in its own words.
import type { Statement } from '../../compiler/2-parse/tree.js';
import type { PlanWriter } from './plan-writer.js';

export const printLine = (plan: PlanWriter, { span }: Statement): void => plan.line(plan.source(span));
