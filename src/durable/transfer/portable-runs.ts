// Exports runs as lines of JSON, and imports them into another store: with their modules, texts and journals, so that unfinished ones
// continue there. Contains requests and results as they are.
import { UsageError } from '../../engine/usage-error.js';
import type { ExportedRun } from '../durable-engine.js';
import { entryWrite } from '../model/entries.js';
import { DamagedRun, troubleError } from '../model/file-troubles.js';
import type { Imported, PortableLine, PortableRun, RunMoving } from '../model/portable-lines.js';
import { canonicalJson } from '../model/request-keys.js';
import { idAt, toRunId } from '../model/run-ids.js';
import { hasEnded, type StoredState, storedStates } from '../model/run-rows.js';
import { readExtra, readRequest } from '../model/stored-run.js';
import { contentsOf, intactText, type VersionInfo } from '../model/versions.js';
import type { Store, StoreAccess } from '../store/port.js';
import type { RunLookup } from '../views/run-lookup.js';

const PAGE = 100;

type VersionLine = Extract<PortableLine, { kind: 'version' }>;

/** All runs of a store, oldest first; each text and version comes before the first run that needs it. @throws UsageError if some can't be read */
async function* portableRuns({ client, queue, unreadable }: StoreAccess, lookup: RunLookup): AsyncIterable<PortableLine> {
  await queue.settled();
  const { reader } = client;
  const written = new Set<string>();
  for (let after: string | undefined; ; ) {
    const found = await reader.list({ after, ascending: true, limit: PAGE });
    for (const [file, trouble] of unreadable ?? []) throw troubleError(trouble, file);
    for (const run of found) {
      const { row, workflow, hash } = run;
      if (row.isDamaged === true) throw new DamagedRun(toRunId(row.id), 'it cannot be exported');
      const info = JSON.parse(run.info) as VersionInfo; // written with the version
      for (const text of contentsOf(info)) {
        const data = written.has(text) ? undefined : await reader.readContent(text);
        if (data !== undefined) yield { kind: 'text', hash: text, data };
        written.add(text);
      }
      // Each file of a folder knows the places to which its own runs have come.
      const version = `${workflow} ${hash} ${row.shard} ${row.v}`;
      if (!written.has(version)) {
        const sites = [...(await lookup.sites(run)).values()];
        yield { kind: 'version', workflow, hash, info, sites };
        written.add(version);
      }
      const { id, state, finished, request, outcome, extra } = row;
      const entries = await lookup.entries(run);
      yield { kind: 'run', version: hash, id, workflow, state, finished, request, outcome, extra, entries };
    }
    after = found.at(-1)?.row.id;
    if (after === undefined) return;
  }
}

export const runMoving = (store: Store, lookup: RunLookup): RunMoving => ({
  isUsedElsewhere: () => store.isUsedElsewhere(),
  unrecorded: () => store.undelivered(),
  export: () => portableRuns(store, lookup),
  import: (lines) => store.importing(() => importRuns(store, lines)),
});

/** Each run waits for several commits in turn. A store makes those of many runs at once. */
const AT_ONCE = 32;

/** @throws UsageError if a version is missing */
async function importRuns(store: Store, lines: AsyncIterable<PortableLine>): Promise<Imported> {
  const versions = new Map<string, VersionLine>();
  const underWay = new Map<string, Promise<'known' | 'ended' | 'unfinished'>>();
  const counts = { known: 0, ended: 0, unfinished: 0 };
  const faults: unknown[] = [];
  const begin = (run: PortableRun): void => {
    const before = underWay.get(run.id);
    const work = Promise.resolve(before).then(() => importIfNew(store, run, versions.get(`${run.workflow} ${run.version}`)));
    underWay.set(run.id, work);
    work
      .then(
        (how) => counts[how]++,
        (fault) => faults.push(fault),
      )
      .finally(() => underWay.get(run.id) === work && underWay.delete(run.id));
  };
  try {
    for await (const line of lines) {
      if (line.kind === 'run') begin(line);
      else if (line.kind === 'version') {
        const version = `${line.workflow} ${line.hash}`;
        versions.set(version, { ...line, sites: [...(versions.get(version)?.sites ?? []), ...line.sites] });
      } else await importText(store, line);
      if (underWay.size >= AT_ONCE) await Promise.race(underWay.values()).catch(() => undefined);
      if (faults.length > 0) break;
    }
  } finally {
    await Promise.allSettled(underWay.values());
  }
  if (faults.length > 0) throw faults[0];
  return { runs: counts.ended + counts.unfinished, unfinished: counts.unfinished, known: counts.known };
}

async function importText(store: Store, { hash, data }: Extract<PortableLine, { kind: 'text' }>): Promise<void> {
  if (intactText(hash, data) === undefined)
    throw new UsageError(
      'The file is damaged: a text of a workflow is not the one that was exported.',
      'Export the store again.',
    );
  await store.client.shared.storeContents([[hash, data]], Date.now());
}

async function importIfNew(
  store: Store,
  run: PortableRun,
  version: VersionLine | undefined,
): Promise<'known' | 'ended' | 'unfinished'> {
  if ((await store.client.reader.findRun(run.id)) !== undefined) return 'known';
  if (version === undefined) {
    throw new UsageError(`The file is damaged: the workflow of run ${toRunId(run.id)} is missing.`, 'Export the store again.');
  }
  await importRun(store, run, version);
  return hasEnded(run.state) ? 'ended' : 'unfinished';
}

async function importRun(
  { client, custody }: Store,
  { id, workflow, state, finished, request, outcome, extra, entries }: PortableRun,
  { hash, info: { environment: _ofOtherStore, ...info }, sites }: VersionLine,
): Promise<void> {
  const writer = await custody.takeImportWriter();
  const { owner } = writer;
  const { key } = readExtra(extra);
  // Claimed first, so that no run lacks its key after an interrupted import, which leaves it out when it is repeated.
  if (key !== undefined) {
    const bodies = [canonicalJson(readRequest(request).request)] as const;
    await client.shared.claimKey({ scope: workflow, key, run: id, owner, bodies, onlyAsks: false, at: Date.now() });
  }
  const version = await writer.importedVersion(workflow, hash, info);
  for (const site of sites) writer.describe(version.v, site);
  const n = writer.newRun(id);
  const isOver = hasEnded(state);
  // It continues from its records, and asks, waits and listens again on its own.
  const stored = isOver || state === storedStates.stuck ? state : storedStates.released;
  let written = writer.write(['run', n, id, version.v, stored, finished, request, outcome, extra]);
  for (const entry of entries) written = writer.write(entryWrite(n, entry));
  writer.flush();
  await writer.durable(written);
  await writer.leave?.(isOver ? 'ended' : 'free');
  if (!writer.isLost) return;
  throw new UsageError(
    `Run ${toRunId(id)} could not be written.`,
    'Import the file again when the store can be written. Runs already imported are skipped.',
  );
}

/** Exports the finished runs of a store. */
const EXPORT_PAGE = 100;

const finished: readonly StoredState[] = Object.values(storedStates).filter((state) => hasEnded(state));

/** Finished runs, oldest first. */
export async function* exportRuns(store: StoreAccess, lookup: RunLookup, since: string | undefined): AsyncIterable<ExportedRun> {
  await store.queue.settled();
  let after = since === undefined ? undefined : idAt(since);
  for (;;) {
    const found = await store.client.reader.list({ states: finished, after, ascending: true, limit: EXPORT_PAGE });
    for (const { row } of found) yield* exportedRun(lookup, toRunId(row.id));
    const last = found.at(-1);
    if (last === undefined) return;
    after = last.row.id;
  }
}

/** A run, then the workflows that it has called, oldest first, each followed by those that it has called itself. */
async function* exportedRun(lookup: RunLookup, id: string): AsyncIterable<ExportedRun> {
  const detail = await lookup.get(id);
  // It may have been pruned meanwhile.
  if (detail === undefined) return;
  const entries = [];
  try {
    for (let next: number | undefined = 0; next !== undefined; ) {
      const part = await lookup.journal(id, { from: next });
      entries.push(...(part?.entries ?? []));
      next = part?.next;
    }
  } catch (error) {
    if (!(error instanceof DamagedRun)) throw error;
    yield { ...detail, message: error.message, journal: [] };
    return;
  }
  yield { ...detail, journal: entries };
  for (const called of entries)
    if (called.run !== undefined && called.finishedAt === undefined && called.workflow === undefined)
      yield* exportedRun(lookup, called.run);
}
