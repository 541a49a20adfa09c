// Compiles and runs a program with scripted mock answers. Reports the result in the evaluator's format.
import type { LogEntry, MockAnswer, Outcome, ServiceExchange } from '../../../runtime/types.js';
import type { EmitOptions } from '../../../src/compiler/4-emit/emitter.js';
import { renderText } from '../../../src/compiler/diagnostics/render-text.js';
import { loadEmitted } from '../load-emitted.js';
import { Answers, numberOfCall } from './answers.js';
import { compileAnyway } from './compile-anyway.js';
import { type Seen, startOfPrograms } from './evaluate.js';
import { envOfPrograms } from './print.js';
import type { Program, ScriptedAnswer } from './tree.js';
import { putActual } from './values.js';

export async function runProgram(program: Program, text: string, options: EmitOptions): Promise<Seen> {
  // Only coverage shows whether a run reaches a line.
  const { emitted, failing } = compileAnyway(text, (errors) => (errors.length > 0 ? { coverage: true } : options));
  const lines = text.split('\n');
  const bound = new Set(failing.map(({ line }) => line).filter((line) => !MAY_BE_LEFT_OUT.test(lines[line - 1] ?? '')));
  const { run } = await loadEmitted(emitted.code);
  const reached = new Set<number>();
  const logs: unknown[] = [];
  const calls: unknown[] = [];
  const answers = new Answers(program.answers);
  let cause: unknown;
  const outcome = await run(structuredClone(program.request), {
    env: envOfPrograms,
    startedAt: startOfPrograms,
    mock: { answer: (call) => mockAnswer(answers.next(numberOfCall(call))) },
    onLog: (entry) => logs.push(...seenEntry(entry)),
    onExchange: (exchange) => calls.push(seenCall(exchange)),
    onReach: (index) => reached.add(emitted.reachable[index]?.line ?? 0),
    onEnd: (details) => {
      cause = details.cause;
    },
  });
  const { error } = outcome;
  // If several parts fail at the same time, only one of them is reported.
  const isCut = error !== undefined && / at a time:$|at the same time:$/m.test(text);
  const passed = isCut ? [] : failing.filter(({ line }) => bound.has(line) && reached.has(line) && error?.line !== line);
  if (passed.length > 0)
    throw new Error(`The check says that these lines can't work, and they did:\n${renderText(passed, { colour: false })}`);
  if (error?.code === 'WF699') throw new Error('An unexpected fault', { cause });
  return { ...seenOutcome(outcome), logs, calls };
}

/** How a run ended, in the evaluator's terms. */
export const seenOutcome = ({ status, outputs, message, error }: Outcome): Omit<Seen, 'logs' | 'calls'> => ({
  status,
  ...(status === 'completed'
    ? { outputs: putActual(outputs) }
    : status === 'rejected'
      ? { message: message ?? '' }
      : { line: error?.line ?? 0 }),
});

/** Lines of which a run may skip parts: after `and` or `or`, what is done with each item, and conditions of later branches. */
const MAY_BE_LEFT_OUT = / and | or | where | for each | satisfies |^\s*otherwise if /;

export function mockAnswer(answer: ScriptedAnswer): MockAnswer {
  if (answer.ok)
    return {
      ok: true,
      value: structuredClone(answer.value),
      status: answer.status,
      headers: { 'x-test': 'yes' },
      confidence: 0.75,
    };
  const { status, body, retryable } = answer;
  return { ok: false, message: 'scripted', retryable, body, ...(status === undefined ? {} : { status }) };
}

export function seenEntry({ type, line, step, message, event }: LogEntry): unknown[] {
  if (type === 'log') return [['log', line, message, step]];
  return type === 'step' ? [[event, line, step, step]] : [];
}

export function seenCall({ call, attempt, result }: ServiceExchange): unknown {
  const { service, verb, description, path, instruction, parameters } = call;
  return {
    service: service.name,
    phrase: description === '' ? verb : `${verb} ${description}`,
    path,
    instruction,
    parameters: putActual(parameters),
    attempt,
    ok: result.ok,
  };
}
