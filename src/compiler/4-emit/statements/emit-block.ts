// Emits the statements of a block. One line here and one file per kind; `tsc` reports a missing kind.
import type { Block, Statement } from '../../2-parse/tree.js';
import type { Emitter } from '../emitter.js';
import { jsComment } from '../javascript-text.js';
import { leaveRound } from '../leave-round.js';
import { aliasedLists } from '../list-aliasing.js';
import { ownership } from '../variables.js';
import { emitAdd } from './add.js';
import { emitAsk } from './ask.js';
import { emitAtTheSameTime } from './at-the-same-time.js';
import { emitCall } from './call.js';
import { emitComplete } from './complete.js';
import { emitForEach, emitForEachField } from './for-each.js';
import { emitIf } from './if.js';
import { emitLog } from './log.js';
import { emitLookUp } from './look-up.js';
import { emitReject } from './reject.js';
import { emitRepeat } from './repeat.js';
import { emitSet } from './set.js';
import { emitStep } from './step.js';
import { emitWait } from './wait.js';
import { emitWaitFor } from './wait-for.js';
import { emitWaitUntil } from './wait-until.js';

type StatementEmitters = {
  readonly [Kind in Statement['kind']]: (emitter: Emitter, statement: Extract<Statement, { kind: Kind }>) => void;
};

const emitters: StatementEmitters = {
  add: emitAdd,
  ask: emitAsk,
  'at the same time': emitAtTheSameTime,
  broken() {
    throw new Error('A workflow with errors is never emitted');
  },
  call: emitCall,
  complete: emitComplete,
  'for each': emitForEach,
  'for each field': emitForEachField,
  if: emitIf,
  log: emitLog,
  'look up': emitLookUp,
  reject: emitReject,
  repeat: emitRepeat,
  set: emitSet,
  skip: leaveRound,
  step: emitStep,
  stop: leaveRound,
  wait: emitWait,
  'wait for': emitWaitFor,
  'wait until': emitWaitUntil,
};

export function emitBlock(emitter: Emitter, block: Block): void {
  for (const statement of block) emitStatement(emitter, statement);
}

function emitStatement<K extends Statement['kind']>(emitter: Emitter, statement: Extract<Statement, { kind: K }>): void {
  emitter.freeTemporaries();
  emitter.writer.line(jsComment(`${statement.line}: ${emitter.excerpt(statement.span)}`));
  emitter.reach(statement.line, 'statement', emitter.excerpt(statement.span));
  for (const name of aliasedLists(statement, emitter.grown)) emitter.line(`${ownership(emitter, name)} = false;`, statement.span);
  const emit = emitters[statement.kind] as (emitter: Emitter, statement: Extract<Statement, { kind: K }>) => void; // looked up by its own kind
  emit(emitter, statement);
}
