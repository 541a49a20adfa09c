// A program → compiled and run with scripted mock answers, in the form in which the evaluator tells what it saw.
import type { Exchange, LogEntry, MockAnswer } from '../../../runtime/types.js';
import type { EmitOptions } from '../../../src/compiler/4-emit/emitter.js';
import { compile } from '../../../src/compiler/compile.js';
import { renderText } from '../../../src/compiler/diagnostics/render-text.js';
import { loadEmitted } from '../load-emitted.js';
import { type Seen, startOfPrograms } from './evaluate.js';
import { envOfPrograms } from './print.js';
import type { Program, ScriptedAnswer } from './tree.js';
import { putActual } from './values.js';

export async function runProgram(program: Program, text: string, options: EmitOptions): Promise<Seen> {
  const compiled = compile(text, { file: 'random.wf', ...options });
  if (compiled.hasErrors)
    throw new Error(
      `It does not compile:\n${renderText(
        compiled.diagnostics.filter(({ severity }) => severity === 'error'),
        { colour: false },
      )}`,
    );
  const { run } = await loadEmitted(compiled.emitted.code);
  const logs: unknown[] = [];
  const calls: unknown[] = [];
  let answered = 0;
  const outcome = await run(structuredClone(program.request), {
    env: envOfPrograms,
    startedAt: startOfPrograms,
    mock: { answer: () => mockAnswer(program.answers[answered++ % program.answers.length]) },
    onLog: (entry) => logs.push(...seenEntry(entry)),
    onExchange: (exchange) => calls.push(seenCall(exchange)),
  });
  const { status, outputs, message, error } = outcome;
  if (error?.code === 'WF699') throw new Error('An unexpected fault', { cause: outcome.cause });
  return {
    status,
    ...(status === 'completed'
      ? { outputs: putActual(outputs) }
      : status === 'rejected'
        ? { message: message ?? '' }
        : { line: error?.line ?? 0 }),
    logs,
    calls,
  };
}

function mockAnswer(answer: ScriptedAnswer | undefined): MockAnswer {
  if (answer === undefined) throw new Error('A program has answers');
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

function seenEntry({ type, line, step, message, event }: LogEntry): unknown[] {
  if (type === 'log') return [['log', line, message, step]];
  return type === 'step' ? [[event, line, step, step]] : [];
}

function seenCall({ call, attempt, result }: Exchange): unknown {
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
