// The files of a target, prepared: all of them or none at the start, one by one when they change while the server runs. Knows by the bytes of a
// file whether it changed.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { LocatedDiagnostic } from '../compiler/diagnostics/diagnostic.js';
import type { Preparation, Prepared } from '../engine/prepared.js';
import { UsageError } from '../engine/usage-error.js';
import { findServed } from './served-files.js';

export type Prepare = (file: string) => Promise<Preparation>;

export interface Loaded {
  readonly single: boolean;
  /** Absolute; where to look for changes. */
  readonly folder: string;
  readonly workflows: readonly Prepared[];
  readonly warnings: readonly LocatedDiagnostic[];
  /** Not empty: nothing may be served. */
  readonly errors: readonly LocatedDiagnostic[];
}

export interface Reloaded {
  /** What is served from now on; `undefined` where nothing has changed. */
  readonly workflows: readonly Prepared[] | undefined;
  /** One sentence for each file that was changed, added or removed, or could not be taken. */
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
  | { readonly ok: false; readonly diagnostics: readonly LocatedDiagnostic[]; readonly reason: string };

/** Files that are prepared at a time: each waits for the disk and for the bundler. */
const AT_ONCE = 8;

export class WorkflowSet {
  readonly #target: string;
  readonly #cwd: string;
  readonly #prepare: Prepare;
  #entries = new Map<string, Entry>();
  /** Bytes that were refused: told once, not at each look. */
  #refused = new Map<string, string>();

  constructor(target: string, cwd: string, prepare: Prepare) {
    this.#target = target;
    this.#cwd = cwd;
    this.#prepare = prepare;
  }

  /** @throws UsageError where there is nothing to serve */
  async load(): Promise<Loaded> {
    const { single, files, folder } = findServed(this.#target, this.#cwd);
    const digests = files.map((file) => this.#digest(file));
    const preparations = await inPortions(files, this.#prepare);
    const errors: LocatedDiagnostic[] = [];
    const workflows: Prepared[] = [];
    for (const [index, preparation] of preparations.entries()) {
      if (!preparation.ok) {
        errors.push(...preparation.diagnostics);
        continue;
      }
      workflows.push(preparation.prepared);
      this.#entries.set(files[index] ?? '', { digest: digests[index] ?? '', prepared: preparation.prepared });
    }
    return { single, folder, workflows, errors, warnings: workflows.flatMap(({ warnings }) => warnings) };
  }

  /** Looks at the files again. A file with errors leaves its last good version in place. Never rejects. */
  async reload(): Promise<Reloaded> {
    const news: string[] = [];
    const diagnostics: LocatedDiagnostic[] = [];
    const entries = new Map<string, Entry>();
    let changed = false;
    const files = this.#filesNow(news);
    if (files === undefined) return { workflows: undefined, news, diagnostics };
    for (const file of files) {
      const before = this.#entries.get(file);
      const digest = this.#digest(file);
      if (digest === before?.digest || digest === this.#refused.get(file)) {
        if (before !== undefined) entries.set(file, before);
        continue;
      }
      const preparation = await this.#tryPrepare(file);
      if (preparation.ok) {
        entries.set(file, { digest, prepared: preparation.prepared });
        diagnostics.push(...preparation.prepared.warnings);
        this.#refused.delete(file);
        news.push(before === undefined ? `${file} is served now.` : `${file} has changed; its new version is served.`);
        changed = true;
      } else {
        if (before !== undefined) entries.set(file, before);
        this.#refused.set(file, digest);
        diagnostics.push(...preparation.diagnostics);
        news.push(
          `${file} ${preparation.reason}; ${before === undefined ? 'it is not served' : 'its last good version stays in place'}.`,
        );
      }
    }
    for (const file of this.#entries.keys()) {
      if (entries.has(file)) continue;
      news.push(`${file} is gone; it is no longer served.`);
      changed = true;
    }
    this.#entries = entries;
    return { workflows: changed ? [...entries.values()].map(({ prepared }) => prepared) : undefined, news, diagnostics };
  }

  /** Where the target is gone altogether, what is served stays: it may be in the middle of being replaced. */
  #filesNow(news: string[]): readonly string[] | undefined {
    try {
      return findServed(this.#target, this.#cwd).files;
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      news.push(`${error.message} What was served before stays in place.`);
      return undefined;
    }
  }

  /** A file that vanishes between two looks, or cannot be read, must not end the server. */
  async #tryPrepare(file: string): Promise<Attempt> {
    try {
      const preparation = await this.#prepare(file);
      return preparation.ok ? preparation : { ...preparation, reason: 'has errors' };
    } catch (error) {
      return {
        ok: false,
        diagnostics: [],
        reason: `cannot be taken (${error instanceof Error ? error.message : String(error)})`,
      };
    }
  }

  #digest(file: string): string {
    try {
      return createHash('sha256')
        .update(readFileSync(path.resolve(this.#cwd, file)))
        .digest('base64');
    } catch {
      // `prepare` says why it cannot be read.
      return 'unreadable';
    }
  }
}

async function inPortions(files: readonly string[], prepare: Prepare): Promise<Preparation[]> {
  const done: Preparation[] = [];
  for (let start = 0; start < files.length; start += AT_ONCE) {
    done.push(...(await Promise.all(files.slice(start, start + AT_ONCE).map(prepare))));
  }
  return done;
}
