// A statement of one line in a plan: its own words say best what it does.
import type { Statement } from '../../compiler/2-parse/tree.js';
import type { PlanWriter } from './plan-writer.js';

export const printLine = (plan: PlanWriter, { span }: Statement): void => plan.line(plan.source(span));
