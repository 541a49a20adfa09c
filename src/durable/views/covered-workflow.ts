// Compiles the stored text of a version into a workflow that reports every statement it reaches, from files in memory. Caches the latest
// ones.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { TableFile } from '../../compiler/2-parse/table-from-file.js';
import type { Statement } from '../../compiler/2-parse/tree.js';
import { blocksOf, isLoop, isTogether, statementsIn } from '../../compiler/2-parse/walk.js';
import type { WorkflowFiles } from '../../compiler/call-tree.js';
import type { Checked, Emitted, ReadFile } from '../../compiler/compile.js';
import type { Runnable } from '../../engine/engine.js';
import { readTableFile } from '../../engine/prepare/read-table-file.js';

/** A loop: its first line, and the last line with a statement in it. */
export interface LoopLines {
  readonly line: number;
  readonly last: number;
  /** Its rounds run concurrently. */
  readonly isTogether: boolean;
}

export interface CoveredWorkflow extends Runnable {
  readonly checked: Checked;
  readonly reachable: Emitted['reachable'];
  /** By the index that `onReach` reports: the line, and whether it is a statement (a `log` apart) or the start of a round. */
  readonly places: readonly { readonly line: number; readonly kind: 'statement' | 'log' | 'round' | 'branch' }[];
  /** Outer loops before inner ones. */
  readonly loops: readonly LoopLines[];
}

export interface WorkflowText {
  readonly text: string;
  readonly files: WorkflowFiles;
}

const MOST_KEPT = 8;

export class CoveredWorkflows {
  readonly #kept = new Map<string, Promise<CoveredWorkflow | undefined>>();

  /**
   * @param version differs if anything that is compiled differs
   * @param read returns the text of the workflow, and the files that it names
   * @param trace its runs also report every variable that is set
   * @returns `undefined` without a text, or if this version of wf can't compile it
   */
  of(version: string, read: () => Promise<WorkflowText | undefined>, trace = false): Promise<CoveredWorkflow | undefined> {
    const key = `${version}${trace ? ' with variables' : ''}`;
    const found = this.#kept.get(key) ?? read().then((text) => (text === undefined ? undefined : compile(text, trace)));
    this.#kept.delete(key);
    this.#kept.set(key, found);
    // The store may be readable again the next time.
    found.catch(() => this.#kept.get(key) === found && this.#kept.delete(key));
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > MOST_KEPT && oldest !== undefined) this.#kept.delete(oldest);
    return found;
  }
}

async function compile({ text, files }: WorkflowText, trace: boolean): Promise<CoveredWorkflow | undefined> {
  const { file } = files.root;
  const { makeModule } = await import('../../engine/prepare/make-module.js');
  const { load } = await import('../../engine/prepare/prepare.js');
  const made = await makeModule(new TextEncoder().encode(text), file, file, { trace, coverage: true, files });
  if (!made.ok) return undefined;
  const { workflow, run } = await load(made.code, file);
  const { checked } = made;
  const statements = [...statementsIn(checked.workflow.body)];
  const loops = [...loopsIn(statements)];
  const loopLines = new Set(loops.map(({ line }) => line));
  const logLines = new Set(statements.flatMap(({ kind, line }) => (kind === 'log' ? [line] : [])));
  // The only branch of a loop is its round.
  const kindOf = ({ line, kind }: (typeof made.reachable)[number]): CoveredWorkflow['places'][number]['kind'] => {
    if (kind === 'row') return 'branch';
    if (kind === 'statement') return logLines.has(line) ? 'log' : kind;
    return loopLines.has(line) ? 'round' : kind;
  };
  const places = made.reachable.map((place) => ({ line: place.line, kind: kindOf(place) }));
  // Plugins have records. One without a record ends the retracing before it is called.
  const loadPlugin = (): Promise<never> => Promise.reject(new Error('Nothing is called while a run is retraced.'));
  return { workflow, run, loadPlugin, places, loops, checked, reachable: made.reachable };
}

function* loopsIn(statements: readonly Statement[]): Iterable<LoopLines> {
  for (const statement of statements) {
    if (!isLoop(statement.kind)) continue;
    const inside = blocksOf(statement).flatMap((block) => [...statementsIn(block)].map(({ line }) => line));
    yield { line: statement.line, last: Math.max(statement.line, ...inside), isTogether: isTogether(statement) };
  }
}

/**
 * @param root name of the workflow that is compiled, from the same folder as those of the files
 * @param files what it calls, and the files of its tables
 */
export function filesFromMemory(root: string, files: readonly Omit<ReadFile, 'path'>[]): WorkflowFiles {
  const byName = new Map(files.map(({ name, source }) => [name, source]));
  const { posix } = path;
  return {
    root: { path: root, file: root },
    locate(target, from) {
      const name = posix.join(posix.dirname(from.path), target);
      return { path: name, file: name };
    },
    folderOf: (place) => posix.relative(posix.dirname(root), posix.dirname(place.path)) || '.',
    read: (place) => byName.get(place.path) ?? 'the store does not have it',
    readTable: (place, bytes) => tableIn(place.path, bytes),
  };
}

/** A workbook is read from a file, by another process. */
function tableIn(name: string, bytes: Uint8Array): TableFile {
  if (/\.csv$/i.test(name)) return readTableFile(name, bytes);
  const folder = mkdtempSync(path.join(tmpdir(), 'wf-table-'));
  try {
    const file = path.join(folder, path.basename(name));
    writeFileSync(file, bytes, { mode: 0o600 });
    return readTableFile(file, bytes);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
