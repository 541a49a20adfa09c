// Compiled programs do what the evaluator says. One property for the tests and for `npm run fuzz`.
import fc from 'fast-check';
import { assertSeen } from './assert-seen.js';
import { evaluate, type Seen } from './evaluate.js';
import { Generator } from './generate.js';
import { printProgram } from './print.js';
import { runProgram } from './run-program.js';
import { Tape } from './tape.js';

const tapesFrom = (minLength: number): fc.Arbitrary<number[]> =>
  fc.array(fc.noBias(fc.nat({ max: 99_999 })), { minLength, maxLength: 500, size: 'max' });

export const tapes: fc.Arbitrary<number[]> = tapesFrom(20);
/** For programs that do something beyond their request and their tables. */
export const longTapes: fc.Arbitrary<number[]> = tapesFrom(200);

const variants = [{}, { trace: true }, { coverage: true }] as const;

/** @returns how the run ended; `undefined` if the program was too big to run */
export async function agrees(tape: readonly number[]): Promise<Seen['status'] | undefined> {
  const program = new Generator(new Tape(tape)).program();
  const text = printProgram(program);
  const expected = evaluate(program);
  if (expected === undefined) return undefined;
  const context = `${text}\nrequest: ${JSON.stringify(program.request)}\nanswers: ${JSON.stringify(program.answers)}`;
  let actual: Seen;
  try {
    actual = await runProgram(program, text, variants[(tape[0] ?? 0) % variants.length] ?? {});
  } catch (error) {
    const { message, cause } = error instanceof Error ? error : { message: String(error), cause: undefined };
    throw new Error(`${message}\n${cause instanceof Error ? `${cause.stack}\n` : ''}${context}`, { cause: error });
  }
  try {
    assertSeen(actual, expected);
  } catch (error) {
    throw new Error(`${error instanceof Error ? error.message : ''}\n${context}`);
  }
  return expected.status;
}
