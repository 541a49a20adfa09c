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
  const text =
    json === true ? JSON.stringify(jsonOf(explanation, all === true)) : textOf(explanation, all === true, lineWidth(io));
  io.stdout.write(`${text}\n`);
}

const shownOf = ({ decisions }: Explanation, all: boolean): Explanation['decisions'] =>
  decisions.filter(({ isRelevant }) => all || isRelevant);

/** Lines of a terminal break at spaces; those in a pipe don't. */
function lineWidth({ env, stdout }: Io): number {
  const columns = Number(env.COLUMNS ?? (stdout.isTTY === true ? stdout.columns : undefined));
  return columns > 0 ? Math.max(columns, NARROWEST) : Number.POSITIVE_INFINITY;
}

const NARROWEST = 40;
/** Before a condition, and of `yes, exactly` with the spaces around it. */
const BEFORE = 6;
const ANSWER = 16;
/** Less room beside the answer is not worth using. */
const LEAST_EFFECTS = 20;

function textOf(explanation: Explanation, all: boolean, most: number): string {
  const shown = shownOf(explanation, all);
  const longest = Math.max(0, ...shown.map(({ condition }) => condition.length));
  const isPipe = most === Number.POSITIVE_INFINITY;
  const width = Math.min(isPipe ? 60 : most - BEFORE - ANSWER, longest);
  const besides = most - BEFORE - width - ANSWER;
  const lines = shown.flatMap(({ line, condition, answer, isExact, effects }) => {
    const [first = '', ...others] = wrapped(condition, isPipe ? most : width);
    const said = `${answer ? 'yes' : 'no'}${isExact ? ', exactly' : ''}`.padEnd(12);
    const [beside = '', ...more] = wrapped(effects.join(', '), besides < LEAST_EFFECTS ? most - BEFORE : besides);
    const isBelow = besides < Math.max(LEAST_EFFECTS, beside.length);
    const indented = (text: string): string => ' '.repeat(BEFORE) + text;
    return [
      `${String(line).padStart(4)}  ${first.padEnd(width)}  ${said}  ${isBelow ? '' : beside}`.trimEnd(),
      ...others.map(indented),
      ...(isBelow && beside !== '' ? [beside, ...more] : more).map(indented),
    ];
  });
  const sentence = (text: string): string => wrapped(text, most).join('\n');
  return [
    sentence(explanation.outcome),
    ...lines,
    ...(explanation.nearest === undefined ? [] : [sentence(explanation.nearest)]),
  ].join('\n');
}

/** Words that are longer than a line stay whole. */
function wrapped(text: string, most: number): string[] {
  const lines: string[] = [];
  for (const word of oneLine(text).split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= most) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

const jsonOf = (explanation: Explanation, all: boolean): unknown => ({
  ...explanation,
  status: explanation.status ?? null,
  line: explanation.line ?? null,
  nearest: explanation.nearest ?? null,
  decisions: shownOf(explanation, all).map(({ isRelevant: _isRelevant, ...decision }) => decision),
});
