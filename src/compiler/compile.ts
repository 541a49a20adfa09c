// The compiler on one screen: text → tokens → tree → checked tree → module text. Does no I/O and can stop after any phase.
import type { WorkflowInfo } from '../../runtime/types.js';
import { layout } from './1-layout/layout.js';
import { parse } from './2-parse/parse.js';
import { isAbout, rewordLine } from './2-parse/reword/reword-line.js';
import type { Workflow } from './2-parse/tree.js';
import { withTableFiles } from './2-parse/with-table-files.js';
import { check } from './3-check/check.js';
import type { Facts } from './3-check/checker.js';
import { type Emitted, emit, type FileInfo } from './4-emit/emit.js';
import type { EmitOptions } from './4-emit/emitter.js';
import { type CalledWorkflow, CallTree, type WorkflowFiles } from './call-tree.js';
import { binaryFault, decode } from './decode.js';
import type { Diagnostic, LocatedDiagnostic } from './diagnostics/diagnostic.js';
import { createLineMap, firstDiagnostics, locate } from './diagnostics/locate.js';
import { type Mistakes, withWorkingFixes } from './diagnostics/working-fixes.js';
import { type InTurns, runToEnd } from './in-turns.js';
import { kindOfLine } from './vocabulary/line-table.js';

export type { Emitted, Workflow, WorkflowInfo };

export interface CompileOptions extends EmitOptions, CheckOptions {
  /** The path as messages show it. */
  readonly file: string;
}

export interface CheckOptions {
  /** Where called workflows and files of tables are read from. Without it, they stay unknown. */
  readonly files?: WorkflowFiles | undefined;
  /** Whether messages offer fixes. Each is tried first, which takes longer than the check. Default: true. */
  readonly offersFixes?: boolean | undefined;
}

/** A checked file. `facts` are what later phases need, and hold only if there are no errors. */
export interface Checked {
  readonly text: string;
  readonly workflow: Workflow;
  readonly facts: Facts;
  /** Sorted by line. */
  readonly diagnostics: readonly LocatedDiagnostic[];
  readonly hasErrors: boolean;
}

/** A file that is compiled into a module. */
export interface ReadFile {
  /** Absolute. */
  readonly path: string;
  /** From the folder of the workflow: `part.wf`, `../shared/rates.csv`. */
  readonly name: string;
  readonly source: Uint8Array;
}

export type Compiled =
  | (Checked & {
      readonly hasErrors: true;
      /** Absolute paths of the files that it calls, or tries to. */
      readonly lookedFor: readonly string[];
    })
  | (Checked & {
      readonly hasErrors: false;
      readonly emitted: Emitted;
      /** The workflows that it calls, directly or indirectly, and the files of their tables. */
      readonly called: readonly ReadFile[];
    });

/** A path without its folders. */
const baseName = (file: string): string => file.replace(/^.*[\\/]/, '');

/** Runs layout, parse and check for a file and those that it calls. Any content produces diagnostics, never an exception. */
export const checkFile = (source: Uint8Array | string, file: string, options: CheckOptions = {}): Checked =>
  runToEnd(checkInTurns(source, file, options));

export function* checkInTurns(source: Uint8Array | string, file: string, options: CheckOptions): InTurns<Checked> {
  return (yield* checkTree(source, file, options)).checked;
}

function* checkTree(
  source: Uint8Array | string,
  file: string,
  { files, offersFixes }: CheckOptions,
): InTurns<{ readonly checked: Checked; readonly lookedFor: readonly string[] } & Pick<CallTree, 'order' | 'tableFiles'>> {
  const tree = files === undefined ? undefined : new CallTree(files, checkOne);
  const checked = yield* checkOneInTurns(source, file, tree, offersFixes);
  if (tree === undefined) return { checked, order: [], tableFiles: [], lookedFor: [] };
  const { order, tableFiles, paths } = tree;
  const all = order.length === 0 ? checked : { ...checked, diagnostics: [...checked.diagnostics, ...tree.errors] };
  return { checked: all, order, tableFiles, lookedFor: [...paths] };
}

/** Takes the bytes of a file, or text. The diagnostics of called files are not among those of the file. */
export const checkOne = (source: Uint8Array | string, file: string, tree: CallTree | undefined): Checked =>
  runToEnd(checkOneInTurns(source, file, tree));

function* checkOneInTurns(
  source: Uint8Array | string,
  file: string,
  tree: CallTree | undefined,
  offersFixes = true,
): InTurns<Checked> {
  const unreadable: Diagnostic[] = [];
  const decoded = decode(source, unreadable);
  const binary = binaryFault(decoded);
  // For a binary file, only that is reported. The phases get an empty file.
  const text = binary === undefined ? decoded : '';
  const { found, workflow, facts } = yield* checkText(text, file, tree);
  const first = firstDiagnostics(binary === undefined ? [...unreadable, ...found] : [binary]);
  // A faulty line may be the one that uses a service, or sets a name.
  const certain = first.some(isError) ? first.filter(({ code }) => code !== 'WF101' && code !== 'WF105') : first;
  const shown = yield* withWorkingFixes(text, certain, {
    before: mistakesIn(text, found),
    count: (other) => mistakesIn(other, runToEnd(checkText(other, file, tree)).found),
    reword: rewordLine,
    isAbout,
    kindOf: kindOfLine,
    offersFixes,
  });
  const lineMap = createLineMap(decoded);
  const diagnostics = shown.map((diagnostic) => locate(diagnostic, file, lineMap));
  return { text, workflow, facts, diagnostics, hasErrors: diagnostics.some(isError) };
}

const isError = ({ severity }: Diagnostic): boolean => severity === 'error';

function mistakesIn(text: string, found: readonly Diagnostic[]): Mistakes {
  const lines = new Map<string, Diagnostic[]>();
  const errors = found.filter(isError);
  let [start, end, line] = [0, -1, ''];
  for (const error of errors) {
    const { span } = error;
    // A line may be long, and have many.
    if (span.start < start || span.start > end) {
      start = text.lastIndexOf('\n', span.start - 1) + 1;
      end = text.indexOf('\n', span.start);
      if (end === -1) end = text.length;
      line = text.slice(start, end).trim();
    }
    const there = lines.get(line);
    if (there === undefined) lines.set(line, [error]);
    else there.push(error);
  }
  const errorsOn = (line: string): readonly Diagnostic[] => lines.get(line) ?? [];
  return { errors: errors.length, warnings: found.length - errors.length, errorsOn };
}

/** One pass over a text: what its fixes are tried with, too. */
function* checkText(
  text: string,
  file: string,
  tree: CallTree | undefined,
): InTurns<Pick<Checked, 'workflow' | 'facts'> & { readonly found: readonly Diagnostic[] }> {
  const lines = layout(text);
  yield;
  const found: Diagnostic[] = [...lines.diagnostics];
  const parsed = parse(text, lines, found);
  yield;
  const hasTableFiles = parsed.tables.some(({ kind }) => kind === 'file');
  const workflow = hasTableFiles ? withTableFiles(parsed, tree, found) : parsed;
  const called = tree?.resolve(workflow, (diagnostic) => found.push(diagnostic));
  const facts = check(text, workflow, baseName(file).replace(/\.wf$/, ''), found, called);
  return { found, workflow, facts };
}

/** Compiles a file, with the workflows that it calls, to the text of a module; a file with errors stops after the check. */
export function compile(source: Uint8Array | string, options: CompileOptions): Compiled {
  const { checked, order, tableFiles, lookedFor } = runToEnd(checkTree(source, options.file, options));
  if (checked.hasErrors) return { ...checked, hasErrors: true, lookedFor };
  const emitted = emit(checked, fileInfo(options.file), options, emitCalled(order, options));
  const called = order.map(({ place, name, source: read }) => ({ path: place.path, name, source: read }));
  return { ...checked, hasErrors: false, emitted, called: [...called, ...tableFiles] };
}

/** The called workflows as parts of their caller's module. Their places have negative numbers, so no two of the module are equal. */
export function emitCalled(order: readonly CalledWorkflow[], { format }: EmitOptions): Emitted[] {
  let firstSite = -1;
  return order.map(({ checked, place, folder }) => {
    const emitted = emit(checked, fileInfo(place.file), {
      format: 'called',
      folder,
      firstSite,
      bundlesPlugins: format === 'build',
    });
    firstSite -= emitted.info.sites.length;
    return emitted;
  });
}

export function fileInfo(path: string): FileInfo {
  const file = baseName(path);
  return { file, source: file, defaultName: file.replace(/\.wf$/, ''), version: WF_VERSION };
}
