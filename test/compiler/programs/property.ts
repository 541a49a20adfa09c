// Compiled programs do what the evaluator says. One property for the tests and for `npm run fuzz`.
import fc from 'fast-check';
import { UndeclaredField } from './compile-anyway.js';
import { evaluate } from './evaluate.js';
import { filesOf, showFiles } from './files.js';
import { Generator } from './generate.js';
import { runProgram } from './run-program.js';
import { assertSeen, type Seen } from './seen.js';
import { Tape } from './tape.js';

const tapesFrom = (minLength: number): fc.Arbitrary<number[]> =>
  fc.array(fc.noBias(fc.nat({ max: 99_999 })), { minLength, maxLength: 500, size: 'max' });

export const tapes: fc.Arbitrary<number[]> = tapesFrom(20);
/** For programs that do something beyond their request and their tables. */
export const longTapes: fc.Arbitrary<number[]> = tapesFrom(200);

const variants = [{}, { trace: true }, { coverage: true }] as const;

/** @returns what the run did; `undefined` if the program was too big to run, or read an undeclared field */
export async function agrees(tape: readonly number[]): Promise<Seen | undefined> {
  const program = new Generator(new Tape(tape)).program();
  const files = await filesOf(program);
  const expected = evaluate(program);
  if (expected === undefined) return undefined;
  const context = `${showFiles(files)}\nrequest${program.isText ? ' of texts' : ''}: ${JSON.stringify(program.request)}\nanswers: ${JSON.stringify(program.answers)}`;
  let actual: Seen;
  try {
    actual = await runProgram(program, files, variants[(tape[0] ?? 0) % variants.length] ?? {});
  } catch (error) {
    if (error instanceof UndeclaredField) return undefined;
    const { message, cause } = error instanceof Error ? error : { message: String(error), cause: undefined };
    throw new Error(`${message}\n${cause instanceof Error ? `${cause.stack}\n` : ''}${context}`, { cause: error });
  }
  try {
    assertSeen(actual, expected);
  } catch (error) {
    throw new Error(`${error instanceof Error ? error.message : ''}\n${context}`);
  }
  return expected;
}
