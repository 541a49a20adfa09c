// `wf runs cancel`, `rerun` and `send`: commands that affect runs from outside.

import { existsSync } from 'node:fs';
import path from 'node:path';
import type { DurableEngine } from '../../durable/durable-engine.js';
import { isMessageName, messageNameForms } from '../../durable/model/message-name.js';
import type { RunDetail } from '../../durable/model/run-views.js';
import type { Io } from '../../engine/io.js';
import { prepare } from '../../engine/prepare/prepare.js';
import type { Prepared } from '../../engine/prepare/prepared.js';
import { UsageError } from '../../engine/usage-error.js';
import { readInput } from '../../input/read-input.js';
import type { Values } from '../command-table.js';
import { shellWord } from '../interruption.js';
import { exitCodeOfState } from './list-runs.js';
import { optionText, printDone, storeHint, unknownRunError } from './open-command-store.js';
import { letGo, printState, stopOf } from './resume-runs.js';

/** @throws UsageError for an unknown id and a run that has ended */
export async function cancelCommand(store: DurableEngine, id: string, values: Values, io: Io): Promise<number> {
  const change = await store.cancel(id, 'the command line');
  if (change.kind === 'unknown') throw unknownRunError(id);
  if (change.kind === 'not possible') throw new UsageError(change.problem);
  printDone(values, io, { run: id, status: change.state.status }, `Run ${id} is being cancelled.`);
  return 0;
}

/** The command with these options. */
function rerunLine(run: string, values: Values, io: Io): string {
  const file = optionText(values, 'file');
  const options = [
    ...(values.from === 'failure' ? ['--from failure'] : []),
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

/** Runs the same request again and waits for the end. @param use receives the current workflow, for the store to run */
export async function rerunCommand(
  store: DurableEngine,
  id: string,
  values: Values,
  io: Io,
  use: (current: Prepared) => void,
): Promise<number> {
  const from = optionText(values, 'from') ?? 'start';
  if (from !== 'start' && from !== 'failure')
    throw new UsageError(`--from must be start or failure, not ${JSON.stringify(from)}.`);
  if (values.current !== true && values.file !== undefined)
    throw new UsageError(
      '--file names the current file, which only --current uses.',
      `That is: ${rerunLine(id, { ...values, current: true }, io)}`,
    );
  if (values.current === true) use(await currentWorkflow(store, id, values, io));
  const stop = stopOf(io);
  const rerun = await store.rerun(id, { from, workflow: values.current === true ? 'current' : 'recorded' });
  if (rerun.kind === 'unknown') throw unknownRunError(id);
  if (rerun.kind === 'not possible')
    throw new UsageError(
      rerun.problem,
      rerun.fromStart ? `That is: ${rerunLine(id, { ...values, from: 'start' }, io)}` : undefined,
    );
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
  const sent = await store.send({ name, body, ...(run === undefined ? {} : { run }) });
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
