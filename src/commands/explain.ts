// `wf explain`: says which decisions led to the outcome of a request with mock services, or of a run of a store, and what would have led to
// the nearest other.
import { RunDays } from '../../runtime/run/run-days.js';
import { standardAnswer, succeeded } from '../../runtime/services/mock.js';
import type { MockCall, Mocks } from '../../runtime/types.js';
import { oneLine } from '../../runtime/values/one-line.js';
import type { DurableEngine } from '../durable/durable-engine.js';
import type { Journal, RunDetail } from '../durable/model/run-views.js';
import { createEngine } from '../engine/engine.js';
import { readMocks } from '../engine/files/mocks-file.js';
import type { Io } from '../engine/io.js';
import { UsageError } from '../engine/usage-error.js';
import { type Explanation, explainRun, type OtherAnswer, standing } from '../explain/explain-run.js';
import { problemText } from '../input/problem-text.js';
import { acceptedInput, readInput } from '../input/read-input.js';
import { prepareWithCoverage } from '../testing/coverage.js';
import type { Values } from './command-spec.js';
import { namedWorkflow, printDiagnostics } from './named-sources.js';

const ofRequest = ['input', 'inputFile', 'sheet', 'asText', 'mocks'];

/** @returns 0 whatever the outcome; 1 if the file has errors, 2 if the input does not fit */
export async function explainCommand(file: string, values: Values, io: Io): Promise<number> {
  if (values.run !== undefined) return explainStored(file, values, io);
  if (values.store !== undefined) throw new UsageError('--store needs --run: it is the store of that run.');
  if (file === '')
    throw new UsageError(
      'wf explain needs a workflow or a run.',
      "Name a file: wf explain order.wf --input '{…}', or a run of a store: wf explain --run <id>",
    );
  const source = namedWorkflow(file, io);
  const preparation = await prepareWithCoverage(file, { cwd: io.cwd, trace: true, source });
  if (!preparation.ok) {
    printDiagnostics(preparation.checked, io);
    return 1;
  }
  const text = (name: string): string | undefined => (typeof values[name] === 'string' ? values[name] : undefined);
  const input = await readInput({
    input: text('input'),
    inputFile: text('inputFile'),
    sheet: text('sheet'),
    asText: text('asText'),
    cwd: io.cwd,
  });
  const { request, problems } = acceptedInput(preparation.prepared.workflow, input);
  if (problems.length > 0) {
    io.stderr.write(`${problemText(file, preparation.prepared.workflow, problems, input)}\n`);
    return 2;
  }
  const mocks = text('mocks');
  const startedAt = new Date();
  const engine = createEngine({ env: io.env, mock: true });
  const { checked, prepared, reachable } = preparation;
  const days = new RunDays(prepared.workflow.timezone, prepared.workflow);
  const asked = new AskedMocks();
  const explanation = await explainRun({
    checked,
    reachable,
    request,
    days: { today: days.today(startedAt.toISOString()), calendar: days.calendar },
    execute: (changed, options, other) =>
      // Answers in a row begin again with each execution.
      engine.execute(prepared, changed, {
        ...options,
        startedAt,
        mock: asked.around(mocks === undefined ? undefined : readMocks(mocks, io.cwd), other),
      }),
    otherAnswers: () => asked.others(),
  });
  await engine.close();
  print(explanation, values, io);
  return 0;
}

/** Mock services that know what a run has asked them, and can answer one call otherwise. */
class AskedMocks {
  /** By service and what it is asked for. */
  readonly #calls = new Map<string, MockCall>();
  readonly #messages = new Set<string>();

  around(given: Mocks = { answer: standardAnswer }, other?: OtherAnswer): Mocks {
    return {
      ...given,
      answer: (call) => {
        const key = `${call.service.name}: ${call.description}`;
        if (other === undefined) this.#calls.set(key, call);
        if (other?.key !== key) return given.answer(call);
        return other.answer === undefined
          ? { ok: false, message: 'no answer', retryable: true }
          : { ...succeeded(other.answer), confidence: 1 };
      },
      awaits: (name) => void (other === undefined && this.#messages.add(name)),
      messages: { ...given.messages, ...(other?.answer === undefined && other ? { [other.key]: 'none' as const } : {}) },
    };
  }

  others(): OtherAnswer[] {
    const calls = [...this.#calls];
    return [
      ...calls.flatMap(([key, { service, choices = [] }]) =>
        choices.map((answer) => ({ words: `With the answer ${JSON.stringify(answer)} of ${service.name}`, key, answer })),
      ),
      ...calls.map(([key, { service }]) => ({ words: `Without an answer of ${service.name}`, key, answer: undefined })),
      ...[...this.#messages].map((key) => ({ words: `Without the message "${key}"`, key, answer: undefined })),
    ];
  }
}

/** @throws UsageError if there is no such run */
async function explainStored(file: string, values: Values, io: Io): Promise<number> {
  const other = ofRequest.find((name) => values[name] !== undefined);
  if (other !== undefined)
    throw new UsageError('--run explains a recorded run, which has its own request and answers.', 'Leave out the other options.');
  const { withStoredRun } = await import('./runs/open-command-store.js');
  return withStoredRun('explain --run', file, values, io, async ({ store, run }) => {
    const recalled = await store.recall(run.run);
    if (recalled === undefined)
      throw new UsageError(
        'This run cannot be explained: its text is no longer in the store, or does not fit this version of wf.',
        `See what it did with: wf runs show ${run.run}`,
      );
    const explanation = await explainRun({ ...recalled, standing: standing(run.status) });
    const said = await answerTo(run, store);
    const outcome =
      said === undefined || explanation.outcome.includes(said)
        ? explanation.outcome
        : `${explanation.outcome} The service answered: ${said}`;
    print({ ...explanation, outcome }, values, io);
    return 0;
  });
}

/** The answer of a service to the call that ended the run. */
async function answerTo(run: RunDetail, store: DurableEngine): Promise<string | undefined> {
  const [{ RunHistory }, { failedCall }] = await Promise.all([
    import('../durable/views/run-history.js'),
    import('../durable/views/failed-runs.js'),
  ]);
  const history = new RunHistory();
  for (let from: number | undefined = 0; from !== undefined; ) {
    const part: Journal | undefined = await store.journal(run.run, { from });
    history.feed(part?.entries ?? []);
    from = part?.next;
  }
  return (await failedCall(run, history.effects, store))?.said;
}

function print(explanation: Explanation, { json, all }: Values, io: Io): void {
  const text = json === true ? JSON.stringify(jsonOf(explanation, all === true)) : textOf(explanation, all === true);
  io.stdout.write(`${text}\n`);
}

const shownOf = ({ decisions }: Explanation, all: boolean): Explanation['decisions'] =>
  decisions.filter(({ isRelevant }) => all || isRelevant);

function textOf(explanation: Explanation, all: boolean): string {
  const shown = shownOf(explanation, all);
  const width = Math.min(60, Math.max(0, ...shown.map(({ condition }) => condition.length)));
  const lines = shown.map(({ line, condition, answer, isExact, effects }) =>
    `${String(line).padStart(4)}  ${oneLine(condition).padEnd(width)}  ${`${answer ? 'yes' : 'no'}${isExact ? ', exactly' : ''}`.padEnd(12)}  ${oneLine(effects.join(', '))}`.trimEnd(),
  );
  return [
    oneLine(explanation.outcome),
    ...lines,
    ...(explanation.nearest === undefined ? [] : [oneLine(explanation.nearest)]),
  ].join('\n');
}

const jsonOf = (explanation: Explanation, all: boolean): unknown => ({
  ...explanation,
  status: explanation.status ?? null,
  line: explanation.line ?? null,
  nearest: explanation.nearest ?? null,
  decisions: shownOf(explanation, all).map(({ isRelevant: _isRelevant, ...decision }) => decision),
});
