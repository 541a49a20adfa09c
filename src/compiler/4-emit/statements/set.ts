// Emits `set` and `add`.
import type { Add, Name, SetVariable, Statement } from '../../2-parse/tree.js';
import { emitDeferredCheck } from '../deferred-overflow-checks.js';
import { jsText } from '../emitted-code.js';
import type { Emitter } from '../emitter.js';
import { emitFieldName } from '../expressions/reference.js';

export function emitSet(emitter: Emitter, statement: SetVariable): void {
  const { target, fields, pathSpan, value, span } = statement;
  const loop = emitter.loops.at(-1);
  const late = loop?.late.get(statement);
  const sum = late === undefined ? undefined : emitDeferredCheck(emitter, late);
  if (sum !== undefined) {
    loop?.checks.push(sum.check);
    emitter.line(`${emitter.identifier(target.text)} = ${sum.code};`, span);
    return;
  }
  const { code, alone } = emitter.expression(value);
  if (fields.length === 0) {
    assign(emitter, target.text, alone, statement);
    return;
  }
  const variable = emitter.identifier(target.text);
  const location = emitter.location(pathSpan, target.span);
  const keys = fields.map((key) => emitFieldName(emitter, key)).join(', ');
  assign(emitter, target.text, `${emitter.use('setField')}(${variable}, [${keys}], ${code}, ${location})`, statement);
}

/** Emits `add … to …` as an in-place append, after a copy if something else may hold the list. */
export function emitAdd(emitter: Emitter, { value, target, span, line }: Add): void {
  const item = emitter.temporary();
  emitter.line(`${item} = ${emitter.expression(value).alone};`, span);
  emitAppend(emitter, target, line, (push) => emitter.line(`${push}(${item});`, span));
}

/**
 * Emits code that appends to a variable.
 * @param emit receives the code of the function that takes one item
 */
export function emitAppend(emitter: Emitter, target: Name, line: number, emit: (push: string) => void): void {
  const collector = emitter.locals.find(target.text)?.round?.collector;
  if (collector !== undefined) {
    emit(`${collector}.push`);
    return;
  }
  const list = emitter.identifier(target.text);
  const own = ownership(emitter, target.text);
  emitter.line(
    `if (!${own}) ${list} = ${emitter.use('ownList')}(${list}, ${emitter.location(target.span, target.span)});`,
    target.span,
  );
  emitter.line(`${own} = true;`, target.span);
  emit(`${list}.push`);
  emitTrace(emitter, target.text, line);
}

/** The local that records whether a variable owns its list. */
export const ownership = (emitter: Emitter, name: string): string => `${emitter.identifier(name)}$own`;

/**
 * Assigns a value that something else may hold too.
 * @param condition what precedes the assignment: an `if`, or nothing
 */
export function assign(emitter: Emitter, name: string, code: string, { span, line }: Statement, condition = ''): void {
  emitter.line(`${condition}${emitter.identifier(name)} = ${code};`, span);
  if (emitter.grown.has(name)) emitter.line(`${ownership(emitter, name)} = false;`, span);
  emitTrace(emitter, name, line);
}

const emitTrace = (emitter: Emitter, name: string, line: number): void => {
  if (emitter.options.trace === true) emitter.writer.line(traceOf(emitter, name, line));
};

/** Reports the new value of a variable to a traced run; nothing in any other. */
export const traceOf = (emitter: Emitter, name: string, line: number): string =>
  emitter.options.trace === true ? `run.set(${jsText(name)}, ${emitter.identifier(name)}, ${line});` : '';
