// The prepared files of a target. At startup, either all of them are ready or none; after that, each changed file is prepared on its own.
// Watching a folder doesn't say what changed, because systems disagree about that: each burst of changes is reported once, and bytes are
// compared.
import { createHash } from 'node:crypto';
import { type FSWatcher, readFileSync, watch } from 'node:fs';
import path from 'node:path';
import type { LocatedDiagnostic } from '../compiler/diagnostics/diagnostic.js';
import { findServed } from '../engine/prepare/find-served.js';
import type { Preparation, Prepared } from '../engine/prepare/prepared.js';
import { UsageError } from '../engine/usage-error.js';
import { inTurn } from '../engine/waits.js';
import { reservedNames } from './workflows/route-table.js';

type Prepare = (file: string) => Promise<Preparation>;

export interface Loaded {
  readonly single: boolean;
  /** Absolute. The folder to watch for changes. */
  readonly folder: string;
  readonly workflows: readonly Prepared[];
  readonly warnings: readonly LocatedDiagnostic[];
  /** If not empty, nothing may be served. */
  readonly errors: readonly LocatedDiagnostic[];
}

export interface Reloaded {
  /** The workflows to serve from now on; `undefined` if nothing changed. */
  readonly workflows: readonly Prepared[] | undefined;
  /** One sentence per file that was changed, added, removed or rejected. */
  readonly news: readonly string[];
  readonly diagnostics: readonly LocatedDiagnostic[];
}

interface Entry {
  readonly digest: string;
  /** The last version without errors. */
  readonly prepared: Prepared;
}

type Attempt =
  | { readonly ok: true; readonly prepared: Prepared }
  | (Pick<Extract<Preparation, { ok: false }>, 'diagnostics' | 'lookedFor'> & { readonly ok: false; readonly reason: string });

/** Files to prepare at a time: each waits for the disk and the bundler. */
const AT_ONCE = 8;

export class WorkflowSet {
  readonly #target: string;
  readonly #cwd: string;
  readonly #prepare: Prepare;
  readonly #reserved: readonly string[];
  #entries = new Map<string, Entry>();
  /** Bytes that were rejected, so that each is reported only once. */
  #refused = new Map<string, { readonly digest: string; readonly called: readonly string[] }>();

  /** One look at a time: an older one that ends last would put older versions back. */
  readonly #looking = inTurn();

  /** @param reserved base names that the server needs for itself */
  constructor(target: string, cwd: string, prepare: Prepare, reserved: readonly string[] = reservedNames) {
    this.#target = target;
    this.#cwd = cwd;
    this.#prepare = prepare;
    this.#reserved = reserved;
  }

  /** @throws UsageError if there is nothing to serve */
  load(): Promise<Loaded> {
    return this.#looking(() => this.#load());
  }

  async #load(): Promise<Loaded> {
    const { single, files, folder } = findServed(this.#target, this.#cwd, 'serve', this.#reserved);
    const digests = files.map((file) => this.#digest(file, []));
    const preparations = await prepareInBatches(files, this.#prepare);
    const errors: LocatedDiagnostic[] = [];
    const workflows: Prepared[] = [];
    for (const [index, preparation] of preparations.entries()) {
      if (!preparation.ok) {
        errors.push(...preparation.diagnostics);
        continue;
      }
      workflows.push(preparation.prepared);
      const { prepared } = preparation;
      const digest = withCalled(digests[index] ?? '', prepared);
      this.#entries.set(files[index] ?? '', { digest, prepared });
    }
    return { single, folder, workflows, errors, warnings: workflows.flatMap(({ warnings }) => warnings) };
  }

  /** Looks at the files again. A file with errors keeps its last valid version. Never rejects. */
  reload(): Promise<Reloaded> {
    return this.#looking(() => this.#reload());
  }

  async #reload(): Promise<Reloaded> {
    const news: string[] = [];
    const diagnostics: LocatedDiagnostic[] = [];
    const entries = new Map<string, Entry>();
    let changed = false;
    const files = this.#filesNow(news);
    if (files === undefined) return { workflows: undefined, news, diagnostics };
    for (const file of files) {
      const before = this.#entries.get(file);
      const own = this.#digest(file, []);
      const digest = before === undefined ? own : this.#digest(file, pathsOf(before.prepared));
      const refused = this.#refused.get(file);
      if (digest === before?.digest || (refused !== undefined && this.#digest(file, refused.called) === refused.digest)) {
        if (before !== undefined) entries.set(file, before);
        continue;
      }
      const preparation = await this.#tryPrepare(file);
      if (preparation.ok) {
        entries.set(file, { digest: withCalled(own, preparation.prepared), prepared: preparation.prepared });
        diagnostics.push(...preparation.prepared.warnings);
        this.#refused.delete(file);
        news.push(before === undefined ? `Now serving ${file}.` : `${file} changed; now serving its new version.`);
        changed = true;
      } else {
        if (before !== undefined) entries.set(file, before);
        const called = preparation.lookedFor ?? [];
        this.#refused.set(file, { called, digest: this.#digest(file, called) });
        diagnostics.push(...preparation.diagnostics);
        news.push(
          `${file} ${preparation.reason}; ${before === undefined ? 'not serving it' : 'still serving its last valid version'}.`,
        );
      }
    }
    for (const file of this.#entries.keys()) {
      if (entries.has(file)) continue;
      news.push(`${file} is gone and no longer served.`);
      changed = true;
    }
    this.#entries = entries;
    return { workflows: changed ? [...entries.values()].map(({ prepared }) => prepared) : undefined, news, diagnostics };
  }

  /** If the whole target is gone, keep serving: it may be in the middle of being replaced. */
  #filesNow(news: string[]): readonly string[] | undefined {
    try {
      return findServed(this.#target, this.#cwd, 'serve', this.#reserved).files;
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      news.push(`${error.message} The current workflows stay in place.`);
      return undefined;
    }
  }

  /** A file that vanishes between two looks, or can't be read, must not end the server. */
  async #tryPrepare(file: string): Promise<Attempt> {
    try {
      const preparation = await this.#prepare(file);
      return preparation.ok ? preparation : { ...preparation, reason: 'has errors' };
    } catch (error) {
      return {
        ok: false,
        diagnostics: [],
        reason: `can't be loaded (${error instanceof Error ? error.message : String(error)})`,
      };
    }
  }

  /** Of the file and of those that it calls, as they are now. */
  #digest(file: string, called: readonly string[]): string {
    return [path.resolve(this.#cwd, file), ...called].map(digestOf).join(' ');
  }
}

const pathsOf = ({ called = [] }: Prepared): string[] => called.map((one) => one.path);

/** With the files that are compiled into it: what was read, even if they have changed since. */
const withCalled = (own: string, { called = [] }: Prepared): string =>
  [own, ...called.map(({ source }) => sha256(source))].join(' ');

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('base64');

function digestOf(file: string): string {
  try {
    return sha256(readFileSync(file));
  } catch {
    // `prepare` reports why it can't be read.
    return 'unreadable';
  }
}

async function prepareInBatches(files: readonly string[], prepare: Prepare): Promise<Preparation[]> {
  const done: Preparation[] = [];
  for (let start = 0; start < files.length; start += AT_ONCE) {
    done.push(...(await Promise.all(files.slice(start, start + AT_ONCE).map(prepare))));
  }
  return done;
}

/** Milliseconds of quiet to wait for: editors write a file in several steps. */
const QUIET_MS = 80;

/**
 * Calls back when the folder has been quiet for a moment after a change, but never while an earlier call is still running.
 * Returns a function that stops watching.
 * @param onLost called when the folder can no longer be watched
 */
export function watchFolder(folder: string, onChange: () => Promise<void>, onLost: (cause: Error) => void): () => void {
  let timer: NodeJS.Timeout | undefined;
  let busy = false;
  let again = false;
  let ended = false;

  const run = async (): Promise<void> => {
    timer = undefined;
    if (busy) {
      again = true;
      return;
    }
    busy = true;
    try {
      await onChange();
    } finally {
      busy = false;
    }
    if (again) {
      again = false;
      schedule();
    }
  };
  const schedule = (): void => {
    if (ended) return;
    clearTimeout(timer);
    timer = setTimeout(() => void run(), QUIET_MS);
  };

  let watcher: FSWatcher | undefined;
  try {
    watcher = watch(folder, schedule);
    watcher.on('error', onLost);
  } catch (cause) {
    onLost(cause instanceof Error ? cause : new Error(String(cause)));
  }
  return () => {
    ended = true;
    clearTimeout(timer);
    watcher?.close();
  };
}
