// A small evaluator of programs, written only from docs/language.md: the expected result of the compiled program. Statements, calls,
// expressions and operations have a file each; they share the state of the run.
import { Answers } from './answers.js';
import { evaluateWorkflow } from './evaluate-statements.js';
import { UnknownTime, type World } from './run-state.js';
import type { Seen } from './seen.js';
import type { Program } from './tree.js';
import { fromJson, put, TooBig } from './values.js';

/** @returns `undefined` if the program creates more data than a test should hold, or reads the time after a wait */
export function evaluate(program: Program): Seen | undefined {
  try {
    return evaluated(program);
  } catch (error) {
    if (error instanceof TooBig || error instanceof UnknownTime) return undefined;
    throw error;
  }
}

function evaluated(program: Program): Seen {
  const world: World = {
    answers: new Answers(program.answers),
    calls: [],
    isUnordered: false,
    isCut: false,
    hasWaited: false,
    work: 0,
  };
  const { ends, logs } = evaluateWorkflow(program, program.zone, world, fromJson(program.request), program.isText);
  const [first, ...others] = ends.map(({ result: _, ...end }) => end);
  const ending = first ?? ({ status: 'completed', outputs: put(new Map()) } as const);
  const seen = { ...ending, logs, calls: world.calls };
  return world.isUnordered ? { ...seen, unordered: { ends: others, isCut: world.isCut } } : seen;
}
