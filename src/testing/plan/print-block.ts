// The plan printers by statement kind. `tsc` reports a missing one.
import type { Block, Statement } from '../../compiler/2-parse/tree.js';
import type { PlanWriter } from './plan-writer.js';
import { printAsk, printCall } from './print-calls.js';
import { printAtTheSameTime, printIf, printLoop, printStep } from './print-groups.js';
import { printLine } from './print-line.js';
import { printLookUp } from './print-look-up.js';
import { printWaitFor } from './print-wait-for.js';

export type Printers = {
  readonly [Kind in Statement['kind']]: (plan: PlanWriter, statement: Extract<Statement, { kind: Kind }>) => void;
};

const printers: Printers = {
  step: printStep,
  'at the same time': printAtTheSameTime,
  if: printIf,
  'for each': printLoop,
  'for each field': printLoop,
  repeat: printLoop,
  call: printCall,
  ask: printAsk,
  set: printLine,
  add: printLine,
  log: printLine,
  skip: printLine,
  stop: printLine,
  wait: printLine,
  'wait for': printWaitFor,
  'look up': printLookUp,
  'wait until': printLine,
  complete: printLine,
  reject: printLine,
  broken() {
    throw new Error('A workflow with errors has no plan');
  },
};

export function printBlock(plan: PlanWriter, block: Block): void {
  for (const statement of block) printStatement(plan, statement);
}

function printStatement<K extends Statement['kind']>(plan: PlanWriter, statement: Extract<Statement, { kind: K }>): void {
  const print = printers[statement.kind] as (plan: PlanWriter, statement: Extract<Statement, { kind: K }>) => void; // looked up by its own kind
  print(plan, statement);
}
