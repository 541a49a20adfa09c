// Executes workflows against a journal in memory, and again from any beginning of it, as after a crash: so thousands of crashes take seconds.
// The only service is a plugin that answers after a random number of turns; what it was asked to do is the judge.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { suspensionOf } from '../../runtime/run/durable-run.js';
import type { Outcome, RunOptions, WfRecord } from '../../runtime/types.js';
import type { JournalHost } from '../../src/durable/journal/journal-host.js';
import { RunJournal } from '../../src/durable/journal/run-journal.js';
import { RunRecords } from '../../src/durable/journal/run-records.js';
import type { EntryRow } from '../../src/durable/model/entries.js';
import { prepare } from '../../src/engine/prepare/prepare.js';
import type { Prepared } from '../../src/engine/prepare/prepared.js';
import { testFile } from '../root.js';

/** Compiles statements that a test generates; the service Work is the plugin. */
export function journaled(body: string): Promise<Prepared> {
  const lines = body.split('\n').map((line) => `    ${line}`);
  const head = 'config:\n    name: "Journaled"\n    version: 1\n\nservices:\n    Work is a plugin "./work.mjs"\n';
  return compiled(`${head}\nworkflow:\n    trigger: t\n\n${lines.join('\n')}\n`);
}

/** Compiles a workflow with the service Work. @param name in `test/durable/files` */
export const journaledFile = (name: string): Promise<Prepared> => compiled(testFile(`durable/files/${name}`));

async function compiled(text: string): Promise<Prepared> {
  const folder = mkdtempSync(path.join(tmpdir(), 'wf-journaled-'));
  writeFileSync(path.join(folder, 'work.mjs'), 'export const call = () => null;\n');
  writeFileSync(path.join(folder, 'flow.wf'), text);
  try {
    const prepared = await prepare('flow.wf', { cwd: folder, env: { WF_CACHE: 'off' } });
    assert.ok(prepared.ok, JSON.stringify(prepared));
    return prepared.prepared;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export interface Execution {
  /** `undefined` if the run was released. */
  readonly outcome: Outcome | undefined;
  /** Everything that is recorded, what was recorded before included. */
  readonly rows: readonly EntryRow[];
  /** What the plugin was asked to do, by key: the words of the call. */
  readonly done: ReadonlyMap<string, string>;
  /** Why the run became stuck. */
  readonly stuck: string | undefined;
  /** Most calls that were in progress together. */
  readonly most: number;
}

export interface ExecutionOptions {
  /** How long calls take; with infinity, until they are aborted. */
  readonly random?: () => number;
  readonly request?: WfRecord;
  /** The workflow reads them; they are not recorded. */
  readonly env?: Readonly<Record<string, string>>;
  readonly options?: RunOptions;
  /** Calls that are recorded already, as far as the limit goes. */
  readonly effects?: number;
  /** What the store does, where that matters. */
  readonly host?: Partial<JournalHost>;
}

/** @param before the rows that a crash left */
export async function execute(
  prepared: Prepared,
  before: readonly EntryRow[],
  { random = () => 0, request = {}, env = {}, options = {}, effects = 0, host = {} }: ExecutionOptions = {},
): Promise<Execution> {
  const rows = [...before];
  const done = new Map<string, string>();
  let [now, most] = [0, 0];
  const records = new RunRecords();
  for (const row of before) records.add(row);
  records.effects += effects;
  const journal = new RunJournal({ ...hostOf(rows), ...host }, records);
  const call = async ({ description, parameters, idempotencyKey, signal }: PluginArgument): Promise<unknown> => {
    assert.ok(!done.has(idempotencyKey), `${description} was done twice`);
    done.set(idempotencyKey, description);
    most = Math.max(most, ++now);
    for (let turns = Math.floor(random() * 4); turns >= 0 && !signal.aborted; turns--)
      await new Promise((resolve) => setImmediate(resolve));
    now--;
    if (parameters.fails === true) throw new Error('it does not work');
    return { value: { n: parameters.n ?? null } };
  };
  let outcome: Outcome | undefined;
  try {
    outcome = await prepared.run(request, { ...options, env, durable: journal, loadPlugin: async () => ({ call }) });
    journal.finish(outcome.error === undefined);
  } catch (error) {
    if (suspensionOf(error) === undefined) throw error;
    outcome = undefined;
  }
  return { outcome, rows, done, stuck: journal.stuck, most };
}

interface PluginArgument {
  readonly description: string;
  readonly parameters: WfRecord;
  readonly idempotencyKey: string;
  readonly signal: AbortSignal;
}

function hostOf(rows: EntryRow[]): JournalHost {
  const nothing = (): undefined => undefined;
  return {
    id: 'run',
    n: 1,
    startedAt: Date.parse('2026-03-02T09:00:00Z'),
    isSame: (recorded, site) => recorded === site.site,
    keyOf: (branch, seq) => `${branch}-${seq}`,
    accept: nothing,
    write(write) {
      assert.ok(write[0] === 'entry');
      const [, , pos, branch, seq, part, kind, site, at, ms, body] = write;
      assert.equal(pos, rows.length);
      rows.push({ pos, branch: branch ?? '', seq, part, kind, site, at, ms, body });
    },
    flush: nothing,
    durable: async () => undefined,
    lose: () => undefined,
    describe: nothing,
    siteText: (site) => `place ${site}`,
    wantMessage: async () => undefined,
    messageDone: nothing,
    openTask: async () => ({ task: 't', run: 'run', question: 'q', url: 'u' }),
    answerOf: async () => undefined,
    taskDone: nothing,
    knocked: () => new Promise(() => undefined),
    showWaiting: nothing,
  };
}
