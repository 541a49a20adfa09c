// Opens the store of `--store` or `WF_STORE` for a command, and finds the run of `--run` for commands that show a workflow with what one of
// its runs did. Servers may be using the store at the same time.
import { existsSync } from 'node:fs';
import { userInfo } from 'node:os';
import path from 'node:path';
import { oneLine } from '../../../runtime/values/one-line.js';
import type { DurableEngine, OpenStoreOptions } from '../../durable/durable-engine.js';
import type { Actor } from '../../durable/model/changes.js';
import type { RunDetail } from '../../durable/model/run-views.js';
import type { Io } from '../../engine/io.js';
import { readKeepMessages } from '../../engine/shared-options.js';
import { UsageError } from '../../engine/usage-error.js';
import type { Values } from '../command-spec.js';
import { storeOption } from '../interruption.js';

/** The text of an option that takes a value. */
export const optionText = (values: Values, name: string): string | undefined => {
  const value = values[name];
  return typeof value === 'string' ? value : undefined;
};

/** The person who runs the command: the user of the system. */
export function commandActor(): Actor {
  let name: string | undefined;
  try {
    name = userInfo().username;
  } catch {
    // A container may run as a number that no user has.
    name = process.getuid === undefined ? undefined : `uid ${process.getuid()}`;
  }
  return { name, role: 'operator', way: 'command line' };
}

const placeOfStore = (values: Values, { env }: Io): string => (optionText(values, 'store') ?? env.WF_STORE)?.trim() ?? '';

/** Prints what a command has done: one line of JSON with `--json`, otherwise a sentence. */
export function printDone(values: Values, io: Io, done: object, sentence: string): void {
  io.stdout.write(`${values.json === true ? JSON.stringify(done) : sentence}\n`);
}

/** The option that each command printed as a hint must end with. */
export const storeHint = (values: Values, io: Io): string => storeOption(placeOfStore(values, io), io.env);

interface CommandStoreOptions extends Pick<OpenStoreOptions, 'current' | 'isRekeying'> {
  /** Makes a folder that is not there a store. Otherwise it is a slip. */
  readonly makesStore?: boolean;
}

/** @throws UsageError if no store is named, there is none, or it can't be used */
async function openCommandStore(
  command: string,
  values: Values,
  io: Io,
  { current, isRekeying, makesStore = false }: CommandStoreOptions,
): Promise<DurableEngine> {
  const where = placeOfStore(values, io);
  if (where === '')
    throw new UsageError(
      `wf ${command} needs a store: the place where runs are kept.`,
      'Name it with --store ./runs, or set WF_STORE.',
    );
  const isNew = !/:\/\/|^postgres(?:ql)?:/i.test(where) && !existsSync(path.resolve(io.cwd, where));
  if (isNew && !makesStore)
    throw new UsageError(
      `There is no store at ${where}.`,
      'Check --store or WF_STORE. A store is made by the first "wf run", "wf serve" or "wf schedule" that uses it, and by "wf runs import".',
    );
  const { openStore } = await import('../../durable/open-store.js');
  const store = await openStore(where, {
    env: io.env,
    cwd: io.cwd,
    ...(current === undefined ? {} : { current }),
    ...(isRekeying === undefined ? {} : { isRekeying }),
    keepMs: undefined,
    keepMessagesMs: readKeepMessages('--keep-messages', optionText(values, 'keepMessages')),
    publicUrl: io.env.WF_PUBLIC_URL || undefined,
    secrets: [],
    onProblem: (sentence) => io.stderr.write(`${sentence}\n`),
  });
  if (isNew) io.stderr.write(`There was no store at ${oneLine(where)}. This one is new and empty.\n`);
  return store;
}

/**
 * Does the work of a command with its store, then closes it.
 * @throws UsageError also if the store can't be written meanwhile
 */
export async function withCommandStore(
  command: string,
  values: Values,
  io: Io,
  work: (store: DurableEngine) => Promise<number>,
  options: CommandStoreOptions = {},
): Promise<number> {
  const store = await openCommandStore(command, values, io, options);
  try {
    return await work(store);
  } catch (error) {
    const health = store.health();
    if (health.ok || error instanceof UsageError) throw error;
    throw new UsageError(`The command could not be completed: ${health.problem}.`, 'Run it again when the store can be written.');
  } finally {
    await store.close(0);
  }
}

/** The only argument of an action on runs. @throws UsageError if it is missing, or there are more */
export function onlyWord(
  action: string,
  rest: readonly string[],
  what = 'the id of a run',
  hint = 'wf runs list shows them.',
): string {
  const [word, extra] = rest;
  if (word === undefined) throw new UsageError(`wf runs ${action} needs ${what}.`, hint);
  if (extra !== undefined) throw new UsageError(`Unexpected argument "${extra}".`, `wf runs ${action} takes only ${what}.`);
  return word;
}

export const unknownRunError = (id: string): UsageError =>
  new UsageError(
    `There is no run ${JSON.stringify(id)} in this store.`,
    'wf runs list shows the runs. Finished ones are deleted after a while.',
  );

interface StoredRun {
  readonly store: DurableEngine;
  readonly run: RunDetail;
  /** The text that the run used, whatever the file says today. */
  readonly text: string;
  readonly file: string;
}

const baseName = (file: string): string => file.replace(/^.*[\\/]/, '');

/**
 * @param file its workflow, if the command line names one
 * @throws UsageError if there is no such run, or it is of another workflow
 */
export async function withStoredRun(
  command: string,
  file: string,
  values: Values,
  io: Io,
  work: (found: StoredRun) => Promise<number>,
): Promise<number> {
  const id = optionText(values, 'run') ?? '';
  return withCommandStore(command, values, io, async (store) => {
    const run = await store.get(id);
    if (run === undefined) throw unknownRunError(id);
    const version = await store.text(run.textHash);
    if (version === undefined) throw new UsageError('The text of this run is no longer in the store.');
    if (file !== '' && baseName(file) !== baseName(version.file))
      throw new UsageError(
        `This run is of ${baseName(version.file)}, not of ${file}.`,
        'Leave out the file: the run knows its own.',
      );
    return work({ store, run, text: version.text, file: version.file });
  });
}
