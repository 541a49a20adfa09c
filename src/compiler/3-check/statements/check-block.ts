// Checks the statements of a block in execution order. One line here and one file per kind; `tsc` reports a missing kind.
import type { Block, Statement } from '../../2-parse/tree.js';
import * as catalogue from '../../diagnostics/catalogue/index.js';
import { endOf, keywordOf } from '../../vocabulary/statement-table.js';
import type { Checker } from '../checker.js';
import { checkAdd } from './add.js';
import { checkAsk } from './ask.js';
import { checkAtTheSameTime } from './at-the-same-time.js';
import { checkBroken } from './broken.js';
import { checkCall } from './call.js';
import { checkComplete } from './complete.js';
import { checkForEach, checkForEachField, checkRepeat } from './for-each.js';
import { checkIf } from './if.js';
import { checkLog } from './log.js';
import { checkLookUp } from './look-up.js';
import { checkReject } from './reject.js';
import { checkSet } from './set.js';
import { checkStep } from './step.js';
import { checkWait } from './wait.js';
import { checkWaitFor } from './wait-for.js';
import { checkWaitUntil } from './wait-until.js';

type StatementChecks = {
  readonly [Kind in Statement['kind']]: (checker: Checker, statement: Extract<Statement, { kind: Kind }>) => void;
};

/** For a statement that is valid as soon as it parses. */
const nothing = (): void => {};

const checks: StatementChecks = {
  add: checkAdd,
  ask: checkAsk,
  'at the same time': checkAtTheSameTime,
  broken: checkBroken,
  call: checkCall,
  complete: checkComplete,
  'for each': checkForEach,
  'for each field': checkForEachField,
  if: checkIf,
  log: checkLog,
  'look up': checkLookUp,
  reject: checkReject,
  repeat: checkRepeat,
  set: checkSet,
  skip: nothing,
  step: checkStep,
  stop: nothing,
  wait: checkWait,
  'wait for': checkWaitFor,
  'wait until': checkWaitUntil,
};

export function checkBlock(checker: Checker, block: Block): void {
  let ender: Statement | undefined;
  let isReported = false;
  for (const statement of block) {
    if (ender !== undefined && !isReported) {
      checker.report(catalogue.neverReached(statement.span, keywordOf(ender.kind)));
      isReported = true;
    }
    checker.reported.clear();
    checkStatement(checker, statement);
    if (endOf(statement.kind) === undefined) continue;
    checker.scope.ended = true;
    ender ??= statement;
  }
}

function checkStatement<K extends Statement['kind']>(checker: Checker, statement: Extract<Statement, { kind: K }>): void {
  const check = checks[statement.kind] as (checker: Checker, statement: Extract<Statement, { kind: K }>) => void; // looked up by its own kind
  check(checker, statement);
}
