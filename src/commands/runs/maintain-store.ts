// `wf runs prune`, `export`, `import`, `rekey` and `give-up`: maintain a store.
import { createReadStream, statSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { counted } from '../../../runtime/texts/words.js';
import type { DurableEngine } from '../../durable/durable-engine.js';
import type { ChangeView } from '../../durable/model/changes.js';
import type { PortableLine } from '../../durable/model/portable-lines.js';
import { type ChangeLine, isUnchecked, LineChecker } from '../../durable/transfer/checked-line.js';
import { fileFault } from '../../engine/files/file-fault.js';
import type { Io } from '../../engine/io.js';
import { readDays } from '../../engine/shared-options.js';
import { UsageError } from '../../engine/usage-error.js';
import type { Values } from '../command-spec.js';
import { readSince } from './list-runs.js';
import { commandActor, optionText, printDone } from './open-command-store.js';

export async function pruneCommand(store: DurableEngine, values: Values, io: Io): Promise<number> {
  const older = optionText(values, 'olderThan');
  if (older === undefined)
    throw new UsageError('wf runs prune needs --older-than.', 'For example: wf runs prune --older-than 30d');
  const dryRun = values.dryRun === true;
  const { runs } = await store.changes.during(
    { action: 'prune', by: dryRun ? undefined : commandActor() },
    () => store.prune({ olderThanMs: readDays('--older-than', older), dryRun }),
    (pruned) => pruned.runs > 0 && { about: `${counted(pruned.runs, 'run')}, older than ${older}` },
  );
  const sentence = `${runs} finished ${runs === 1 ? 'run' : 'runs'} ${dryRun ? 'would be deleted' : 'deleted'}.`;
  printDone(values, io, { runs, dryRun }, sentence);
  return 0;
}

/** JSON lines, oldest first. */
export async function exportCommand(store: DurableEngine, values: Values, io: Io): Promise<number> {
  if (values.complete === true) return exportComplete(store, io);
  for await (const run of store.export(readSince(optionText(values, 'since')))) io.stdout.write(`${JSON.stringify(run)}\n`);
  return 0;
}

/** The current key is `WF_STORE_KEY`, the new one `WF_NEW_STORE_KEY`, so that neither appears in a process list. */
export async function rekeyCommand(store: DurableEngine, values: Values, io: Io): Promise<number> {
  const text = io.env.WF_NEW_STORE_KEY;
  if (text === undefined)
    throw new UsageError(
      'wf runs rekey needs the new key in WF_NEW_STORE_KEY; the present one is WF_STORE_KEY.',
      'Make a key with: openssl rand -base64 32. Set WF_NEW_STORE_KEY to an empty text to store without encryption.',
    );
  const key = text === '' ? undefined : Buffer.from(text, 'base64');
  if (key !== undefined && key.length !== 32)
    throw new UsageError('WF_NEW_STORE_KEY must be 32 bytes in base64.', 'Make one with: openssl rand -base64 32');
  await store.rekey(key, commandActor());
  const isEncrypted = key !== undefined;
  const sentence = isEncrypted ? 'The store is encrypted with the new key.' : 'The store is no longer encrypted.';
  printDone(values, io, { encrypted: isEncrypted }, sentence);
  return 0;
}

/** The last way out of a loss: the rest of the store works again as if those runs had never been. */
export async function giveUpCommand(store: DurableEngine, file: string, values: Values, io: Io): Promise<number> {
  const { keptAs } = await store.giveUp(file, commandActor());
  const rest = keptAs === undefined ? '' : ` The file is kept as ${keptAs}.`;
  printDone(values, io, { file, ...(keptAs === undefined ? {} : { keptAs }) }, `The runs in ${file} are given up.${rest}`);
  return 0;
}

/** A copy that can be used as a store at once. */
export async function backupCommand(store: DurableEngine, folder: string, values: Values, io: Io): Promise<number> {
  const copy = await store.backUp(path.resolve(io.cwd, folder));
  const size = `${(copy.bytes / 1_048_576).toFixed(1)} MB`;
  printDone(values, io, { folder, ...copy }, `The store is copied to ${folder}: ${counted(copy.files, 'file')}, ${size}.`);
  return 0;
}

const FORMAT = 'wf runs 2';

/** The last line of an export, with the number of those between it and the first. Without it, the file was cut off. */
interface LastLine {
  readonly kind: 'end';
  readonly lines: number;
}

/**
 * @throws UsageError if another process uses the store: what it did to a run after the export would be done again. Also if a message or
 * an answer would be lost, because its run has not recorded it.
 */
async function exportComplete(store: DurableEngine, io: Io): Promise<number> {
  if (await store.moving.isUsedElsewhere()) {
    throw new UsageError('Another process uses the store.', 'Stop the servers that use it, then try again.');
  }
  const unrecorded = await store.moving.unrecorded();
  if (unrecorded > 0) {
    const which = unrecorded === 1 ? '1 run has' : `${unrecorded} runs have`;
    throw new UsageError(
      `${which} received a message or an answer that no process has recorded yet. It would be lost.`,
      'Record it with: wf runs resume. Then try again.',
    );
  }
  io.stdout.write(`${JSON.stringify({ format: FORMAT })}\n`);
  let lines = 0;
  const write = (line: PortableLine | ChangeLine): void => {
    io.stdout.write(`${JSON.stringify(line)}\n`);
    lines++;
  };
  for await (const line of store.moving.export()) write(line);
  for await (const change of store.changes.list()) write({ kind: 'change', ...change });
  io.stdout.write(`${JSON.stringify({ kind: 'end', lines } satisfies LastLine)}\n`);
  return 0;
}

/** @throws UsageError for a file that can't be read, is not a complete export, or has a field that wf has not written */
export async function importCommand(store: DurableEngine, file: string, values: Values, io: Io): Promise<number> {
  const [where, changes]: [string, ChangeView[]] = [path.resolve(io.cwd, file), []];
  // Whatever is wrong with it, nothing of it is imported. What comes through a pipe can't be read twice.
  const isChecked = statSync(where, { throwIfNoEntry: false })?.isFile() === true;
  if (isChecked) for await (const _ of linesOf(where, file, [], isChecked));
  const { runs, unfinished, known } = await store.changes.during(
    { action: 'import', by: commandActor() },
    async () => {
      const imported = await store.moving.import(linesOf(where, file, changes, isChecked));
      await store.changes.take(changes);
      return imported;
    },
    (imported) => imported.runs > 0 && { about: counted(imported.runs, 'run') },
  );
  const were = known === 0 ? '' : ` ${known} ${known === 1 ? 'was' : 'were'} there already.`;
  const sentence = `${runs} ${runs === 1 ? 'run' : 'runs'} imported, ${unfinished} of them unfinished.${were}`;
  printDone(values, io, { runs, unfinished, known }, sentence);
  return 0;
}

/** Lines about runs. @param changes to which those on record are added @param isChecked nothing has been imported if a line is wrong */
async function* linesOf(file: string, shown: string, changes: ChangeView[], isChecked: boolean): AsyncIterable<PortableLine> {
  let lines = -1;
  let isComplete = false;
  const checker = new LineChecker();
  const input = createReadStream(file, 'utf8');
  const bad = (): UsageError => badExport(shown, lines, isChecked);
  try {
    for await (const text of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
      if (text === '') continue;
      const line = readLine(text);
      if (line === undefined || isComplete || lines < 0 !== (line.format !== undefined)) throw bad();
      if (line.format !== undefined) lines = 0;
      else if (line.kind === 'end') {
        if (line.lines !== lines) throw bad();
        isComplete = true;
      } else if (!isUnchecked(line)) throw bad();
      else {
        lines++;
        const checked = checker.check(line, lines + 1);
        if (checked.kind !== 'change') yield checked;
        else {
          const { kind: _, ...change } = checked;
          changes.push(change);
        }
      }
    }
    if (!isComplete) throw bad();
  } catch (error) {
    if (error instanceof Error && 'syscall' in error) throw new UsageError(`${shown} cannot be read: ${fileFault(error)}.`);
    throw error;
  } finally {
    input.destroy();
  }
}

/** @param lines how many could be read after the first one; negative if that is not the first line of an export */
function badExport(shown: string, lines: number, isChecked: boolean): UsageError {
  if (lines < 0) {
    return new UsageError(`${shown} is not an export of a store.`, 'Make one with: wf runs export --complete > runs.jsonl');
  }
  const done = isChecked ? 'Nothing was imported.' : 'The runs up to there are imported.';
  return new UsageError(
    `${shown} is incomplete: it was cut off or changed after line ${lines + 1}. ${done}`,
    'Export the store again and import that file. Runs already imported are skipped.',
  );
}

/** `undefined` for text that is no line of an export of this format. */
function readLine(text: string): Readonly<Record<string, unknown>> | undefined {
  let line: unknown;
  try {
    line = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof line !== 'object' || line === null || Array.isArray(line)) return undefined;
  const fields: Readonly<Record<string, unknown>> = { ...line };
  return fields.format === undefined || fields.format === FORMAT ? fields : undefined;
}
