// `wf runs cancel`, `rerun`, `resume`, `retry` and `send`: commands that affect a run from outside, or with `--where` all runs that a
// filter finds, with progress, until Ctrl+C.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { counted } from '../../../runtime/texts/words.js';
import type { Value } from '../../../runtime/types.js';
import { parseJson } from '../../../runtime/values/json.js';
import { oneLine } from '../../../runtime/values/one-line.js';
import type { CallInDoubt, DurableEngine, Rerun, RerunRequest } from '../../durable/durable-engine.js';
import {
  type ChangedRuns,
  type ChangeRate,
  type ChosenRuns,
  changeMany,
  changeRateForms,
  chooseRuns,
  type ManyAction,
  readChangeRate,
} from '../../durable/engine/many-runs.js';
import { isMessageName, messageNameForms } from '../../durable/model/messages.js';
import { type DurableStatus, isFinished, type RunDetail } from '../../durable/model/run-views.js';
import { readRunFilter, runFilterExample } from '../../durable/views/run-filter.js';
import type { Io } from '../../engine/io.js';
import { prepare } from '../../engine/prepare/prepare.js';
import type { Prepared } from '../../engine/prepare/prepared.js';
import { UsageError } from '../../engine/usage-error.js';
import { readInput } from '../../input/read-input.js';
import type { Values } from '../command-spec.js';
import { GRACE_MS, INTERRUPTED, shellWord } from '../interruption.js';
import { createProgress } from '../progress.js';
import { exitCodeOfState } from './list-runs.js';
import { commandActor, optionText, printDone, storeHint, unknownRunError } from './open-command-store.js';
import { letGo, printState, stopOf } from './resume-runs.js';

/** @throws UsageError for an unknown id and a run that has ended */
export async function cancelCommand(store: DurableEngine, id: string, values: Values, io: Io): Promise<number> {
  const change = await store.cancel(id, commandActor());
  if (change.kind === 'unknown') throw unknownRunError(id);
  if (change.kind === 'not possible') throw new UsageError(change.problem);
  printDone(values, io, { run: id, status: change.state.status }, `Run ${id} is being cancelled.`);
  return 0;
}

/** @throws UsageError for an unknown id and a run that has not ended */
export async function eraseCommand(store: DurableEngine, id: string, values: Values, io: Io): Promise<number> {
  const change = await store.erase(id, commandActor());
  if (change.kind === 'unknown') throw unknownRunError(id);
  if (change.kind === 'not possible') throw new UsageError(change.problem);
  const { reruns = [], rerunOf } = (await store.get(id)) ?? {};
  const others = [...(rerunOf === undefined ? [] : [rerunOf]), ...reruns];
  const same = others.length === 0 ? '' : ` The same request has: ${others.join(', ')}.`;
  printDone(values, io, { run: id, erased: change.state.erased, sameRequest: others }, `The data of run ${id} is erased.${same}`);
  return 0;
}

/** @throws UsageError for an unknown id and a run that does not wait before a retry */
export async function retryCommand(store: DurableEngine, id: string, values: Values, io: Io): Promise<number> {
  const change = await store.retry(id, commandActor());
  if (change.kind === 'unknown') throw unknownRunError(id);
  if (change.kind === 'not possible') throw new UsageError(change.problem);
  const when = change.kind === 'asked' ? 'as soon as its process responds' : 'now';
  printDone(values, io, { run: id, status: change.state.status }, `Run ${id} tries its call again ${when}.`);
  return 0;
}

/** @throws UsageError for an unknown id, and for a run that does not wait there */
export async function skipCommand(store: DurableEngine, id: string, values: Values, io: Io): Promise<number> {
  const given = optionText(values, 'line');
  const line = given === undefined ? undefined : lineNumber('--line', given);
  const change = await store.skip(id, line, commandActor());
  if (change.kind === 'unknown') throw unknownRunError(id);
  if (change.kind === 'not possible') throw new UsageError(change.problem);
  const when = change.kind === 'asked' ? 'as soon as its process responds' : 'now';
  printDone(values, io, { run: id, status: change.state.status }, `Run ${id} waits no longer: it goes on ${when}.`);
  return 0;
}

/** The command with these options. */
function rerunLine(run: string, values: Values, io: Io): string {
  const file = optionText(values, 'file');
  const options = [
    ...(values.from === 'failure' ? ['--from failure'] : []),
    ...(values.again === true ? ['--again'] : []),
    ...(values.current === true ? ['--current'] : []),
    ...(file === undefined ? [] : [`--file ${shellWord(file)}`]),
  ];
  return `${['wf runs rerun', run, ...options].join(' ')}${storeHint(values, io)}`;
}

/** The file that a run was started from: in the current folder, or where it was then. @throws UsageError if it is in neither */
async function fileOf(store: DurableEngine, { run, workflow, textHash }: RunDetail, values: Values, io: Io): Promise<string> {
  const { file = `${workflow}.wf`, path: former } = (await store.text(textHash)) ?? {};
  if (existsSync(path.resolve(io.cwd, file))) return file;
  if (former !== undefined && existsSync(former)) return former;
  throw new UsageError(
    `The file of this run, ${file}, is neither in the current folder nor where it was when the run started.`,
    `Name it: ${rerunLine(run, { ...values, file: `path/to/${file}` }, io)}`,
  );
}

/** The current workflow, for `--current`. @throws UsageError if its file is gone or has errors */
async function currentWorkflow(store: DurableEngine, id: string, values: Values, io: Io): Promise<Prepared> {
  const run = await store.get(id);
  if (run === undefined) throw unknownRunError(id);
  const file = optionText(values, 'file') ?? (await fileOf(store, run, values, io));
  const preparation = await prepare(file, { cwd: io.cwd, env: io.env });
  if (preparation.ok) return preparation.prepared;
  const [first] = preparation.diagnostics;
  throw new UsageError(
    `${path.basename(file)} has errors: line ${first?.line ?? 1}: ${first?.message ?? ''}`,
    `wf check ${shellWord(file)} shows them.`,
  );
}

/** The options that decide on calls in doubt. @param results the words after the id. @throws UsageError if one cannot be read */
function decisionsOf(values: Values, results: readonly string[]): Pick<RerunRequest, 'again' | 'done'> | undefined {
  const [again, done] = [optionText(values, 'again'), optionText(values, 'done')];
  if (done === undefined && results[0] !== undefined)
    throw new UsageError(`Unexpected argument "${results[0]}".`, 'wf runs rerun takes only the id of a run.');
  if (again === undefined && done === undefined) return undefined;
  const example = `For example: --done 14 '{"id": 7}'`;
  if (done !== undefined && results.length === 0)
    throw new UsageError('--done needs the line of the call and its result, as JSON.', example);
  return {
    ...(again === undefined ? {} : { again: again.split(',').map((line) => lineNumber('--again', line)) }),
    ...(done === undefined
      ? {}
      : { done: results.map((text) => ({ line: lineNumber('--done', done), result: jsonOf(text, example) })) }),
  };
}

function lineNumber(option: string, text: string): number {
  if (/^ *[1-9]\d{0,6} *$/.test(text)) return Number(text);
  throw new UsageError(`${option} needs the number of a line, not ${JSON.stringify(text)}.`, `For example: ${option} 14`);
}

function jsonOf(text: string, example: string): Value {
  const parsed = parseJson(text);
  if (!parsed.ok) throw new UsageError(`The result ${JSON.stringify(text)} is not JSON.`, example);
  return parsed.value;
}

/** @param command the one that has to be given with a decision */
function inDoubtError(calls: readonly CallInDoubt[], command: string): UsageError {
  const lines = calls.map((call) => `Line ${call.line}${callWords(call)} was sent at ${call.sentAt}, and ${call.reason}.`);
  const { line } = calls[0] ?? { line: 0 };
  return new UsageError(
    `Nobody knows whether ${calls.length === 1 ? 'this call was' : 'these calls were'} received:\n    ${lines.join('\n    ')}`,
    `Ask the service, then decide.\nTo send it again: ${command} --again ${line}\nTo take its result as it is: ${command} --done ${line} '{"id": 7}'`,
  );
}

/** Which call it is, after its line. */
export const callWords = ({ workflow, calledLine, phrase, service }: CallInDoubt): string =>
  [
    workflow === undefined ? '' : ` (${workflow}, line ${calledLine})`,
    phrase === undefined ? '' : `, ${oneLine(phrase)}${service === undefined ? '' : ` using ${service}`},`,
  ].join('');

/** @throws UsageError for anything but a start or a failure */
function readFrom(values: Values): RerunRequest['from'] | undefined {
  const from = optionText(values, 'from');
  if (from === undefined || from === 'start' || from === 'failure') return from;
  throw new UsageError(`--from must be start or failure, not ${JSON.stringify(from)}.`);
}

/** The command that would do it. */
function adviceFor(
  { fromStart, hasOne }: Extract<Rerun, { kind: 'not possible' }>,
  id: string,
  values: Values,
  io: Io,
): string | undefined {
  if (fromStart) return `That is: ${rerunLine(id, { ...values, from: 'start' }, io)}`;
  return hasOne ? `To rerun it once more: ${rerunLine(id, { ...values, again: true }, io)}` : undefined;
}

/** Runs the same request again and waits for the end. @param use receives the current workflow, for the store to run */
export async function rerunCommand(
  store: DurableEngine,
  [id, ...results]: readonly [string, ...string[]],
  values: Values,
  io: Io,
  use: (current: Prepared) => void,
): Promise<number> {
  const from = readFrom(values) ?? 'start';
  if (values.current !== true && values.file !== undefined)
    throw new UsageError(
      '--file names the current file, which only --current uses.',
      `That is: ${rerunLine(id, { ...values, current: true }, io)}`,
    );
  if (values.current === true) use(await currentWorkflow(store, id, values, io));
  const decided = decisionsOf(values, results);
  if (decided !== undefined && from !== 'failure')
    throw new UsageError(
      '--again and --done decide on calls in doubt, which only a rerun from the failure has.',
      `That is: ${rerunLine(id, { ...values, from: 'failure' }, io)}`,
    );
  const stop = stopOf(io);
  const workflow = values.current === true ? 'current' : 'recorded';
  const onlyFirst = values.again !== true && values.from !== 'start';
  const rerun = await store.rerun(id, { from, workflow, ...decided, onlyFirst }, commandActor());
  if (rerun.kind === 'unknown') throw unknownRunError(id);
  if (rerun.kind === 'in doubt') throw inDoubtError(rerun.calls, rerunLine(id, values, io));
  if (rerun.kind === 'not possible') throw new UsageError(rerun.problem, adviceFor(rerun, id, values, io));
  if (rerun.kind === 'known') throw new Error('A rerun without a key is never known.');
  io.stderr.write(`Run ${rerun.run}\n`);
  if ((await Promise.race([rerun.end, stop])) === 'stopped') return letGo(store, rerun.run, values, io);
  const state = await store.state(rerun.run);
  if (state === undefined) throw unknownRunError(rerun.run);
  await printState(store, state, values, io);
  return exitCodeOfState(state);
}

/** @throws UsageError for a message that can't be sent */
export async function sendCommand(store: DurableEngine, name: string, values: Values, io: Io): Promise<number> {
  if (!isMessageName(name)) throw new UsageError(`${JSON.stringify(name)} cannot be the name of a message.`, messageNameForms);
  const { request: body } = await readInput({
    input: optionText(values, 'input'),
    inputFile: optionText(values, 'inputFile'),
    sheet: undefined,
    cwd: io.cwd,
  });
  const run = optionText(values, 'run');
  const sent = await store.send({ name, body, ...(run === undefined ? {} : { run }) }, commandActor());
  if (sent.kind === 'unknown run') throw unknownRunError(run ?? '');
  if (sent.kind === 'run finished') throw new UsageError(`Run ${run ?? ''} has ended and takes no more messages.`);
  if (sent.kind === 'other body') throw new UsageError('This message was sent before with another body.');
  const kept =
    sent.keptUntil === undefined ? '' : ` It is kept until ${sent.keptUntil.slice(0, 10)} for a run that waits for it.`;
  const { delivered, keptUntil } = sent;
  const sentence = delivered === 1 ? 'Delivered to a waiting run.' : `No run is waiting for this message.${kept}`;
  printDone(values, io, { delivered, ...(keptUntil === undefined ? {} : { keptUntil }) }, sentence);
  return 0;
}

/** Whether the options name many runs instead of one. @throws UsageError if an id is given as well */
export function namesMany(action: ManyAction, rest: readonly string[], values: Values): boolean {
  const isMany = values.where !== undefined || values.search !== undefined;
  if (!isMany && (values.rate !== undefined || values.dryRun !== undefined))
    throw new UsageError(
      `wf runs ${action} takes --rate and --dry-run only with --where or --search.`,
      `For example: wf runs ${action} --where '${runFilterExample}' --dry-run`,
    );
  if (isMany && rest[0] !== undefined)
    throw new UsageError(
      `wf runs ${action} takes the id of a run, or --where, but not both.`,
      'Nothing was changed. Leave out one of them.',
    );
  return isMany;
}

const DONE: Readonly<Record<ManyAction, string>> = {
  rerun: 'rerun',
  cancel: 'cancelled',
  resume: 'resumed',
  retry: 'retried',
  erase: 'erased',
};

/** @throws UsageError for a filter, a rate or an option that cannot be used */
export async function manyRunsCommand(
  store: DurableEngine,
  action: ManyAction,
  values: Values,
  io: Io,
  use: (current: Prepared) => void,
): Promise<number> {
  const read = readRunFilter(optionText(values, 'where'), optionText(values, 'search'));
  if (!read.ok) throw new UsageError(`--where: ${read.problem}`, read.hint);
  const [rate, rerun] = [readRate(optionText(values, 'rate')), rerunOf(values)];
  if (rerun.workflow === 'current' && read.query.workflow === undefined)
    throw new UsageError('--current needs workflow=… in --where: each workflow has a file of its own.');
  const chosen = await chooseRuns(store, action, read.query);
  const [first] = chosen.runs;
  if (values.dryRun === true || first === undefined) {
    print(values, io, { action, dryRun: values.dryRun === true, ...counts(chosen) }, [wouldBe(chosen), ...passedOver(chosen)]);
    return 0;
  }
  if (rerun.workflow === 'current') use(await currentWorkflow(store, first, values, io));
  return change(store, chosen, { rerun, rate }, values, io);
}

interface Manner {
  readonly rerun: Pick<RerunRequest, 'from' | 'workflow'>;
  readonly rate: ChangeRate | undefined;
}

async function change(store: DurableEngine, chosen: ChosenRuns, manner: Manner, values: Values, io: Io): Promise<number> {
  const { action } = chosen;
  const stopper = new AbortController();
  const progress = createProgress(io, 1);
  const outcomes = new Map<DurableStatus, number>();
  const stopped = new Promise<undefined>((resolve) => stopper.signal.addEventListener('abort', () => resolve(undefined)));
  // After Ctrl+C, nothing more is awaited: what is left to record comes before the store is closed.
  const follow = async (run: string): Promise<void> => {
    const status = await Promise.race([settled(store, run, stopper.signal), stopped]);
    if (status !== undefined) outcomes.set(status, (outcomes.get(status) ?? 0) + 1);
  };
  const changing = changeMany(store, chosen, {
    ...manner,
    by: commandActor(),
    signal: stopper.signal,
    ...(action === 'rerun' || action === 'resume' ? { follow } : {}),
    onProgress: (handled, of) => progress.update(0, DONE[action], handled, of),
  });
  const isStopped = (await Promise.race([changing, stopOf(io)])) === 'stopped';
  if (isStopped) stopper.abort();
  const done = await changing;
  if (isStopped) await store.close(GRACE_MS);
  progress.clear();
  const byOutcome = Object.fromEntries(outcomes);
  print(values, io, { action, ...counts(chosen), ...done, outcomes: byOutcome }, [
    hasBeen(chosen, done, byOutcome),
    ...passedOver(chosen),
    ...done.refused.map(({ run, problem }) => `Run ${run}: ${problem}`),
    ...(isStopped ? ['Interrupted. The same command continues with the rest.'] : []),
  ]);
  if (isStopped) return INTERRUPTED;
  return done.refused.length > 0 || outcomes.has('error') || outcomes.has('stuck') ? 1 : 0;
}

const PATIENCE_MS = 60_000;

/** Tells how a run ended, or that it waits for long. */
async function settled(store: DurableEngine, run: string, signal: AbortSignal): Promise<DurableStatus | undefined> {
  while (!signal.aborted) {
    // A store that is closed after Ctrl+C can't be asked any more.
    const state = await store.settled(run, 'paused', PATIENCE_MS).catch((error: unknown) => {
      if (!signal.aborted) throw error;
      return undefined;
    });
    if (state === undefined || isFinished(state.status) || state.status !== 'running') return state?.status;
  }
  return undefined;
}

const counts = ({ runs, action: _, ...rest }: ChosenRuns): object => ({ runs: runs.length, ...rest });

const wouldBe = ({ action, runs }: ChosenRuns): string =>
  runs.length === 0 ? `There is no run to ${action}.` : `${counted(runs.length, 'run')} would be ${DONE[action]}.`;

function hasBeen(
  { action, runs }: ChosenRuns,
  { changed, left }: ChangedRuns,
  outcomes: Readonly<Record<string, number>>,
): string {
  const ends = Object.entries(outcomes).map(([status, count]) => `${count} ${status}`);
  const of = changed === runs.length ? counted(changed, 'run') : `${changed} of ${counted(runs.length, 'run')}`;
  return `${of} ${DONE[action]}${ends.length === 0 ? '' : `: ${ends.join(', ')}`}.${left === 0 ? '' : ` ${left} left.`}`;
}

/** Tells what else the filter found, or why it found nothing. */
const passedOver = ({ action, unfit, rerunBefore, note }: ChosenRuns): string[] => [
  ...(rerunBefore === 0 ? [] : [`Passed over: ${rerunBefore} that ${rerunBefore === 1 ? 'has' : 'have'} been rerun already.`]),
  ...(unfit === 0 ? [] : [`Passed over: ${unfit} that cannot be ${DONE[action]} in ${unfit === 1 ? 'its' : 'their'} state.`]),
  ...(note === undefined ? [] : [note]),
];

function print(values: Values, io: Io, json: object, lines: readonly string[]): void {
  if (values.json === true) io.stdout.write(`${JSON.stringify(json)}\n`);
  else io.stdout.write(lines.map((line) => `${oneLine(line)}\n`).join(''));
}

function readRate(text: string | undefined): ChangeRate | undefined {
  if (text === undefined) return undefined;
  const rate = readChangeRate(text);
  if (rate === undefined) throw new UsageError(`--rate must be ${changeRateForms}, not ${JSON.stringify(text)}.`);
  return rate;
}

/** Of many runs, only what failed is done again, unless the start is asked for. */
function rerunOf(values: Values): Manner['rerun'] {
  const from = readFrom(values) ?? 'failure';
  if (values.again !== undefined || values.done !== undefined)
    throw new UsageError('--again and --done decide on one run, so they cannot be used with --where.');
  return { from, workflow: values.current === true ? 'current' : 'recorded' };
}
