// Statements → JavaScript, one function for each kind; what needs more than a few lines has a file of its own.
import type {
  Add,
  Block,
  Complete,
  Expression,
  If,
  Log,
  Reject,
  SetVariable,
  Statement,
  Step,
  Text,
  Wait,
} from '../2-parse/tree.js';
import { emitLateSum } from './arithmetic.js';
import { emitCall } from './calls.js';
import { emitCondition } from './conditions.js';
import type { Emitter } from './emitter.js';
import { emitExpression } from './expressions.js';
import { jsComment, jsText } from './javascript-text.js';
import { emitForEach } from './loops.js';
import { sharedLists } from './shared-lists.js';

type Emitters = {
  readonly [Kind in Statement['kind']]: (emitter: Emitter, statement: Extract<Statement, { kind: Kind }>) => void;
};

const emitters: Emitters = {
  set: emitSet,
  add: emitAdd,
  log: (emitter, { value, line, span }: Log) => emitter.line(`run.log(${emitExpression(emitter, value)}, ${line});`, span),
  step: emitStep,
  if: emitIf,
  'for each': emitForEach,
  skip: (emitter, { span }) => emitLeave(emitter, 'continue', span),
  stop: (emitter, { span }) => emitLeave(emitter, `break ${emitter.loops.at(-1)?.label ?? ''}`, span),
  wait: (emitter, { duration, span }: Wait) =>
    emitter.line(`await run.wait(${duration.amount}, ${jsText(duration.unit)}, ${emitter.place(span)});`, span),
  call: emitCall,
  ask: emitCall,
  complete: emitComplete,
  reject: (emitter, { message, span }: Reject) =>
    emitter.line(`return ${emitter.use('rejected')}(${emitExpression(emitter, message)});`, span),
  broken() {
    throw new Error('A workflow with errors is never emitted');
  },
};

export function emitBlock(emitter: Emitter, block: Block): void {
  for (const statement of block) emitStatement(emitter, statement);
}

function emitStatement<K extends Statement['kind']>(emitter: Emitter, statement: Extract<Statement, { kind: K }>): void {
  emitter.freeTemporaries();
  emitter.writer.line(jsComment(`${statement.line}: ${emitter.excerpt(statement.span)}`));
  emitter.reach(statement.line, 'statement', emitter.excerpt(statement.span));
  for (const name of sharedLists(statement, emitter.grown)) emitter.line(`${ownership(emitter, name)} = false;`, statement.span);
  const emit = emitters[statement.kind] as (emitter: Emitter, statement: Extract<Statement, { kind: K }>) => void; // looked up by its own kind
  emit(emitter, statement);
}

/** The local that says whether the list of a variable belongs to it alone. */
export const ownership = (emitter: Emitter, name: string): string => `${emitter.identifier(name)}$own`;

/** Tells a tracing run the new value of a variable. */
export function emitTrace(emitter: Emitter, name: string, line: number): void {
  if (emitter.options.trace === true) emitter.writer.line(`run.set(${jsText(name)}, ${emitter.identifier(name)}, ${line});`);
}

function emitSet(emitter: Emitter, statement: SetVariable): void {
  const { target, fields, value, span, line } = statement;
  const loop = emitter.loops.at(-1);
  const late = loop?.late.get(statement);
  const sum = late === undefined ? undefined : emitLateSum(emitter, late);
  if (sum !== undefined) {
    loop?.checks.push(sum.check);
    emitter.line(`${emitter.identifier(target.text)} = ${sum.code};`, span);
    return;
  }
  const code = emitExpression(emitter, value);
  const variable = emitter.identifier(target.text);
  const place = (): string =>
    emitter.place({ start: target.span.start, end: target.span.end + fields.join('.').length + 1 }, target.span);
  const result =
    fields.length === 0
      ? bare(code)
      : `${emitter.use('setField')}(${variable}, [${fields.map(jsText).join(', ')}], ${code}, ${place()})`;
  emitter.line(`${variable} = ${result};`, span);
  if (emitter.grown.has(target.text)) emitter.line(`${ownership(emitter, target.text)} = false;`, span);
  emitTrace(emitter, target.text, line);
}

/** Code without parentheses around all of it, where it stands alone. */
function bare(code: string): string {
  if (!code.startsWith('(') || !code.endsWith(')') || code.includes(', ')) return code;
  let depth = 0;
  for (let at = 0; at < code.length - 1; at++) {
    const character = code[at];
    if (character === '"' || character === "'") return code;
    depth += character === '(' ? 1 : character === ')' ? -1 : 0;
    if (depth === 0) return code;
  }
  return code.slice(1, -1);
}

function emitAdd(emitter: Emitter, { value, target, span, line }: Add): void {
  const list = emitter.identifier(target.text);
  const own = ownership(emitter, target.text);
  const item = emitter.temporary();
  emitter.line(`${item} = ${bare(emitExpression(emitter, value))};`, span);
  emitter.line(`if (!${own}) ${list} = ${emitter.use('ownList')}(${list}, ${emitter.place(target.span, target.span)});`, span);
  emitter.line(`${own} = true;`, span);
  emitter.line(`${list}.push(${item});`, span);
  emitTrace(emitter, target.text, line);
}

function emitStep(emitter: Emitter, { name, body, line, span }: Step): void {
  const step = emitter.unique('step');
  emitter.line(`const ${step} = run.enter(${jsText(name.text)}, ${line});`, span);
  emitter.steps.push(step);
  emitBlock(emitter, body);
  emitter.steps.pop();
  emitter.line(`run.leave(${step});`, span);
}

/** Leaves the round of a loop, and with it the steps that were opened in it. */
function emitLeave(emitter: Emitter, jump: string, span: Statement['span']): void {
  const step = emitter.steps[emitter.loops.at(-1)?.steps ?? 0];
  if (step !== undefined) emitter.line(`run.leave(${step});`, span);
  emitter.line(`${jump};`, span);
}

function emitIf(emitter: Emitter, { branches, otherwise }: If): void {
  branches.forEach((branch, index) => {
    // The temporaries of all conditions are alive together: each is evaluated only where the ones before it are false.
    emitter.line(`${index === 0 ? '' : '} else '}if (${bare(emitCondition(emitter, branch.condition))}) {`, branch.span);
    emitter.writer.indented(() => {
      emitter.reach(branch.line, 'branch', emitter.excerpt(branch.span));
      emitBlock(emitter, branch.body);
    });
    emitter.freeTemporaries();
  });
  if (otherwise !== undefined || emitter.options.coverage === true) {
    emitter.line('} else {', otherwise?.span);
    emitter.writer.indented(() => {
      const first = branches[0];
      if (otherwise !== undefined) emitter.reach(otherwise.line, 'branch', 'otherwise:');
      else if (first !== undefined) emitter.reach(first.line, 'branch', `the way past "${emitter.excerpt(first.span)}"`);
      if (otherwise !== undefined) emitBlock(emitter, otherwise.body);
    });
  }
  emitter.line('}');
}

function emitComplete(emitter: Emitter, { pairs, span }: Complete): void {
  emitter.line(`return ${emitter.use('completed')}([${emitPairs(emitter, pairs)}]);`, span);
}

/** `[["key", value], …]` without the outer brackets. */
export const emitPairs = (
  emitter: Emitter,
  pairs: readonly { readonly key: { readonly text: string }; readonly value: Expression }[],
): string => pairs.map(({ key, value }) => `[${jsText(key.text)}, ${emitExpression(emitter, value)}]`).join(', ');

/** The parts of a path: fixed text as it is, values with the names that they were written as. */
export const emitPath = (emitter: Emitter, { parts }: Text): string =>
  `[${parts.map((part) => (typeof part === 'string' ? jsText(part) : `{ name: ${jsText([part.root, ...part.fields].join('.'))}, value: ${emitExpression(emitter, part)} }`)).join(', ')}]`;
