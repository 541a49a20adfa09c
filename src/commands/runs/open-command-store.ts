// Opens the store of `--store` or `WF_STORE` for a command. Servers may be using it at the same time.
import type { DurableEngine } from '../../durable/durable-engine.js';
import type { OpenStoreOptions } from '../../durable/open-store.js';
import type { Io } from '../../engine/io.js';
import { UsageError } from '../../engine/usage-error.js';
import type { Values } from '../command-table.js';

/** The text of an option that takes a value. */
export const optionText = (values: Values, name: string): string | undefined => {
  const value = values[name];
  return typeof value === 'string' ? value : undefined;
};

/** @throws UsageError if no store is named, or it can't be used */
export async function openCommandStore(
  command: string,
  values: Values,
  io: Io,
  { current, isRekeying }: Pick<OpenStoreOptions, 'current' | 'isRekeying'> = {},
): Promise<DurableEngine> {
  const where = (optionText(values, 'store') ?? io.env.WF_STORE)?.trim() ?? '';
  if (where === '')
    throw new UsageError(
      `wf ${command} needs a store: the place where runs are kept.`,
      'Name it with --store ./runs, or set WF_STORE.',
    );
  const { openStore } = await import('../../durable/open-store.js');
  return openStore(where, {
    env: io.env,
    cwd: io.cwd,
    ...(current === undefined ? {} : { current }),
    ...(isRekeying === undefined ? {} : { isRekeying }),
    keepMs: undefined,
    publicUrl: io.env.WF_PUBLIC_URL || undefined,
    secrets: [],
    onTrouble: (sentence) => io.stderr.write(`${sentence}\n`),
  });
}

/** The only argument of an action. @throws UsageError if it is missing, or there are more */
export function onlyId(command: string, action: string, rest: readonly string[], what = 'the id of a run'): string {
  const [id, extra] = rest;
  if (id === undefined) throw new UsageError(`wf ${command} ${action} needs ${what}.`, `wf ${command} list shows them.`);
  if (extra !== undefined) throw new UsageError(`wf ${command} ${action} takes one id, and "${extra}" is one too many.`);
  return id;
}

export const unknownRunError = (id: string): UsageError =>
  new UsageError(
    `There is no run ${JSON.stringify(id)} in this store.`,
    'wf runs list shows the runs. Finished ones are deleted after a while.',
  );
