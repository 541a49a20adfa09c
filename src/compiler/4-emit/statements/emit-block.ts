// Emits the statements of a block. One line here and one file per kind; `tsc` reports a missing kind.
import type { Block, Complete, If, Log, Reject, Statement, Step } from '../../2-parse/tree.js';
import { jsComment, jsText } from '../emitted-code.js';
import type { Emitter } from '../emitter.js';
import { aliasedLists } from '../list-aliasing.js';
import { emitAsk, emitCall, emitPairs } from './call.js';
import { emitLookUp } from './look-up.js';
import { emitForEach, emitForEachField, emitRepeat, leaveRound } from './loop.js';
import { emitAdd, emitSet, ownership } from './set.js';
import { emitAtTheSameTime } from './together.js';
import { emitWait, emitWaitFor, emitWaitUntil } from './wait.js';

/** Emits `if` and its branches. */
function emitIf(emitter: Emitter, { branches, otherwise }: If): void {
  branches.forEach((branch, index) => {
    // All conditions share their temporaries: each is evaluated only if those before it are false.
    emitter.line(`${index === 0 ? '' : '} else '}if (${emitter.condition(branch.condition).alone}) {`, branch.span);
    emitter.writer.indented(() => {
      emitter.reach(branch.line, 'branch', emitter.excerpt(branch.span));
      emitter.block(branch.body);
    });
    emitter.freeTemporaries();
  });
  if (otherwise !== undefined || emitter.options.coverage === true) {
    emitter.line('} else {', otherwise?.span);
    emitter.writer.indented(() => {
      const first = branches[0];
      if (otherwise !== undefined) emitter.reach(otherwise.line, 'branch', 'otherwise:');
      else if (first !== undefined) emitter.reach(first.line, 'branch', `"${emitter.excerpt(first.span)}" not taken`);
      if (otherwise !== undefined) emitter.block(otherwise.body);
    });
  }
  emitter.line('}');
}

/** Emits `step …:` as its block, between two calls that mark its beginning and end in the log. */
function emitStep(emitter: Emitter, { name, body, line, span }: Step): void {
  const step = emitter.unique('step');
  emitter.line(`const ${step} = run.enter(${jsText(name.text)}, ${line});`, span);
  emitter.steps.push(step);
  emitter.block(body);
  emitter.steps.pop();
  emitter.line(`run.leave(${step});`, span);
}

/** Emits `log …` as a log entry with its line number. */
function emitLog(emitter: Emitter, { value, line, span }: Log): void {
  emitter.sizedOperations++;
  emitter.line(`run.log(${emitter.textOf(emitter.expression(value), span)}, ${line});`, span);
}

/** Emits `complete with …` as the end of the run, with its outputs. */
const emitComplete = (emitter: Emitter, { pairs, status, answer, line, span }: Complete): void => {
  const own = [
    ...(status === undefined ? [] : [`status: ${status.value}`]),
    ...(answer === undefined ? [] : [`text: ${emitter.textOf(emitter.expression(answer), answer.span)}`]),
  ];
  const answered = own.length === 0 ? 'void 0' : `{ ${own.join(', ')} }`;
  emitter.line(`return ${emitter.use('completed')}(${emitPairs(emitter, pairs)}, ${answered}, ${line});`, span);
};

/** Emits `reject with …` as the end of the run, with its message. */
const emitReject = (emitter: Emitter, { message, line, span }: Reject): void =>
  emitter.line(`return ${emitter.use('rejected')}(${emitter.textOf(emitter.expression(message), span)}, ${line});`, span);

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
  const sized = emitter.sizedOperations;
  emit(emitter, statement);
  if (emitter.sizedOperations > sized && isDear(statement, emitter.loops.length > 0))
    emitter.line(`if (${emitter.use('workload')}.isDue) run.nextSlice() || (await run.yieldToEventLoop());`, statement.span);
}

/**
 * Whether several of them in a row may take long. Their loop takes turns after a round, and an `await` in it costs more than most statements:
 * only copying a record takes longer.
 */
function isDear(statement: Statement, isInLoop: boolean): boolean {
  if (statement.kind === 'set') return !isInLoop || statement.fields.length > 0;
  return !isInLoop && (statement.kind === 'add' || statement.kind === 'log' || statement.kind === 'look up');
}
