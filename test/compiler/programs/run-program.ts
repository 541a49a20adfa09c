// Compiles and runs a program with scripted mock answers. Reports the result in the evaluator's format.
import type { InputProblem } from '../../../runtime/inputs/input-types.js';
import type { LogEntry, MockAnswer, Outcome, ServiceExchange } from '../../../runtime/types.js';
import type { EmitOptions } from '../../../src/compiler/4-emit/emitter.js';
import type { LocatedDiagnostic } from '../../../src/compiler/diagnostics/diagnostic.js';
import { renderText } from '../../../src/compiler/diagnostics/render-text.js';
import { acceptedInput } from '../../../src/input/read-input.js';
import { loadEmitted } from '../load-emitted.js';
import { Answers, numberOfCall } from './answers.js';
import { badRequest, compileAnyway } from './compile-anyway.js';
import { type Files, programFile } from './files.js';
import { partNames } from './generate.js';
import type { Problem } from './inputs.js';
import { envOfPrograms } from './print.js';
import { type Seen, startOfPrograms } from './seen.js';
import type { Program, ScriptedAnswer } from './tree.js';
import { putActual } from './values.js';

export async function runProgram(program: Program, files: Files, options: EmitOptions): Promise<Seen> {
  // Only coverage shows whether a run reaches a line.
  const { emitted, failing } = compileAnyway(files, (errors) => (errors.length > 0 ? { coverage: true } : options));
  const text = String(files.get(programFile));
  const lines = text.split('\n');
  const refused = refusedCalls(failing, lines);
  const bound = new Set(
    failing
      .filter(isBound)
      .map(({ line }) => line)
      .filter((line) => !MAY_BE_LEFT_OUT.test(lines[line - 1] ?? '')),
  );
  const { run, workflow } = await loadEmitted(emitted.code);
  const { inputs } = workflow;
  const isConverted = program.isText && inputs !== undefined;
  const given = structuredClone(program.request);
  const { request, problems } = isConverted
    ? acceptedInput(workflow, { request: given, untyped: () => given, warnings: [] })
    : { request: given, problems: [] };
  if (problems.length > 0) return { status: 'error', line: 0, problems: problems.map(seenProblem), logs: [], calls: [] };
  const reached = new Set<number>();
  const logs: unknown[] = [];
  const calls: unknown[] = [];
  const sent: string[] = [];
  const answers = new Answers(program.answers);
  let cause: unknown;
  const outcome = await run(request, {
    ...(isConverted ? { requestIsAccepted: true } : {}),
    env: envOfPrograms,
    startedAt: startOfPrograms,
    mock: { answer: (call) => mockAnswer(answers.next(numberOfCall(call))) },
    onLog: (entry) => logs.push(...seenEntry(entry)),
    onExchange: (exchange) => {
      if (exchange.result.ok && refused.has(exchange.call.description)) sent.push(exchange.call.description);
      calls.push(seenCall(exchange));
    },
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
  if (sent.length > 0) throw new Error(`The check says that these calls can't work, and they did: ${sent.join(', ')}`);
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
      : { line: error?.line ?? 0, ...(error?.problems === undefined ? {} : { problems: error.problems.map(seenProblem) }) }),
});

/** The field, and what it is instead; without the reason why a date is none. */
const seenProblem = ({ field, problem }: InputProblem): Problem => [
  field,
  problem.slice(problem.lastIndexOf(', and ') + 6).replace(/ \([^()]*\)$/, ''),
];

/** The words of calls whose requests can't fit. */
const refusedCalls = (failing: readonly LocatedDiagnostic[], lines: readonly string[]): Set<string> =>
  new Set(
    failing
      .filter(({ code }) => code === badRequest)
      .map(({ line }) => /^\s*\w+ ?(.*?) using /.exec(lines[line - 1] ?? '')?.[1] ?? ''),
  );

/** Whether the line fails with every value. A list of declared records may be empty, but `sum of` it is never meant. */
const isBound = ({ code, message }: LocatedDiagnostic): boolean => code !== badRequest && !message.includes('each item of');

/** Lines of which a run may skip parts: after `and` or `or`, what is done with each item, and conditions of later branches or of no rounds. */
const MAY_BE_LEFT_OUT = / and | or | where | for each | satisfies |^\s*otherwise if |^\s*repeat until /;

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

/** Whether it calls another workflow. @param call from `seenCall` or the evaluator */
export const isCallOfPart = (call: unknown): call is { readonly service: string; readonly ok: boolean } =>
  typeof call === 'object' && call !== null && 'service' in call && partNames.some((name) => name === call.service);
