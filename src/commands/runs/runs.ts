// `wf runs`: picks the action on the runs of a store.
import { closest } from '../../compiler/diagnostics/suggest.js';
import type { DurableEngine } from '../../durable/durable-engine.js';
import type { ManyAction } from '../../durable/engine/many-runs.js';
import type { Io } from '../../engine/io.js';
import type { Prepared } from '../../engine/prepare/prepared.js';
import { UsageError } from '../../engine/usage-error.js';
import type { Values } from '../command-spec.js';
import {
  cancelCommand,
  eraseCommand,
  manyRunsCommand,
  namesMany,
  rerunCommand,
  retryCommand,
  sendCommand,
  skipCommand,
} from './change-runs.js';
import { listRunsCommand } from './list-runs.js';
import { backupCommand, exportCommand, giveUpCommand, importCommand, pruneCommand, rekeyCommand } from './maintain-store.js';
import { onlyWord, withCommandStore } from './open-command-store.js';
import { resumeCommand } from './resume-runs.js';
import { showRunCommand } from './show-run.js';

type Action = (
  store: DurableEngine,
  rest: readonly string[],
  values: Values,
  io: Io,
  use: (current: Prepared) => void,
) => Promise<number>;

const id = (action: string, rest: readonly string[]): string => onlyWord(action, rest);

/** For the run of an id, or for all that `--where` or `--search` finds. */
const oneOrMany =
  (name: ManyAction, one: Action): Action =>
  (store, rest, values, io, use) =>
    namesMany(name, rest, values) ? manyRunsCommand(store, name, values, io, use) : one(store, rest, values, io, use);

const exportFile = ['the file of an export', 'Make one with: wf runs export --complete > runs.jsonl'] as const;
const copyFolder = ['the folder to copy the store to', 'For example: wf runs backup ./copy'] as const;
const lostFile = ['the name of a file', 'wf runs list names the files that cannot be read.'] as const;
const message = ['the name of a message', `For example: wf runs send payment --input '{"order": 7}'`] as const;

const actions: Readonly<Record<string, Action>> = {
  list: (store, rest, values, io) => listRunsCommand(store, nothingMore('list', rest, values), io),
  show: (store, rest, values, io) => showRunCommand(store, id('show', rest), values, io),
  cancel: oneOrMany('cancel', (store, rest, values, io) => cancelCommand(store, id('cancel', rest), values, io)),
  resume: oneOrMany('resume', (store, rest, values, io) =>
    resumeCommand(store, rest.length === 0 ? undefined : id('resume', rest), values, io),
  ),
  retry: oneOrMany('retry', (store, rest, values, io) => retryCommand(store, id('retry', rest), values, io)),
  skip: (store, rest, values, io) => skipCommand(store, id('skip', rest), values, io),
  rerun: oneOrMany('rerun', (store, rest, values, io, use) =>
    rerunCommand(store, [id('rerun', rest.slice(0, 1)), ...rest.slice(1)], values, io, use),
  ),
  erase: oneOrMany('erase', (store, rest, values, io) => eraseCommand(store, id('erase', rest), values, io)),
  backup: (store, rest, values, io) => backupCommand(store, onlyWord('backup', rest, ...copyFolder), values, io),
  prune: (store, rest, values, io) => pruneCommand(store, nothingMore('prune', rest, values), io),
  export: (store, rest, values, io) => exportCommand(store, nothingMore('export', rest, values), io),
  import: (store, rest, values, io) => importCommand(store, onlyWord('import', rest, ...exportFile), values, io),
  rekey: (store, rest, values, io) => rekeyCommand(store, nothingMore('rekey', rest, values), io),
  'give-up': (store, rest, values, io) => giveUpCommand(store, onlyWord('give-up', rest, ...lostFile), values, io),
  send: (store, rest, values, io) => sendCommand(store, onlyWord('send', rest, ...message), values, io),
};

export async function runsCommand(targets: readonly string[], values: Values, io: Io): Promise<number> {
  const [name = 'list', ...rest] = targets;
  const action = Object.hasOwn(actions, name) ? actions[name] : undefined;
  if (action === undefined) {
    const near = closest(name, Object.keys(actions));
    throw new UsageError(
      `wf runs does not know "${name}".${near === undefined ? '' : ` Did you mean "${near}"?`}`,
      `It knows ${Object.keys(actions).join(', ')}.`,
    );
  }
  let current: Prepared | undefined;
  const use = (prepared: Prepared): void => {
    current = prepared;
  };
  return withCommandStore('runs', values, io, (store) => action(store, rest, values, io, use), {
    current: () => current,
    isRekeying: name === 'rekey',
    makesStore: name === 'import',
  });
}

function nothingMore(action: string, rest: readonly string[], values: Values): Values {
  if (rest[0] !== undefined) throw new UsageError(`Unexpected argument "${rest[0]}".`, `wf runs ${action} takes no argument.`);
  return values;
}
