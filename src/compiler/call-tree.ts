// The workflows that a workflow calls, directly or indirectly: each is read and checked once, callees before callers. The same goes for the
// files of their decision tables. The host reads the files; the compiler itself does no I/O.
import type { TableFile } from './2-parse/table-from-file.js';
import type { Service, Workflow } from './2-parse/tree.js';
import type { Checked } from './compile.js';
import * as catalogue from './diagnostics/catalogue/index.js';
import type { Diagnostic, LocatedDiagnostic } from './diagnostics/diagnostic.js';

/** The location of a workflow. */
export interface WorkflowPlace {
  /** Absolute; the same file always has the same path. */
  readonly path: string;
  /** As shown in messages. */
  readonly file: string;
}

export interface WorkflowFiles {
  readonly root: WorkflowPlace;
  /** Resolves `target`, a path as written in a workflow, from that workflow. */
  locate(target: string, from: WorkflowPlace): WorkflowPlace;
  /** From the folder of the root to the folder of a file: `.`, `../shared`. */
  folderOf(place: WorkflowPlace): string;
  /** The bytes of a file, or why it can't be read: a clause. */
  read(place: WorkflowPlace): Uint8Array | string;
  /** The content of a decision table's file, whose name ends in `.csv` or `.xlsx`. */
  readTable(place: WorkflowPlace, bytes: Uint8Array): TableFile;
}

export interface CalledWorkflow {
  /** Position in `CallTree.order`. */
  readonly index: number;
  readonly place: WorkflowPlace;
  readonly source: Uint8Array;
  readonly checked: Checked;
  /** From the folder of the root to its own. */
  readonly folder: string;
  /** Its path from the folder of the root. */
  readonly name: string;
}

/** Maximum depth of calls. More are never intended. */
const mostLevels = 20;

type CheckCalled = (source: Uint8Array, file: string, tree: CallTree) => Checked;

export class CallTree {
  /** Every called workflow, each after those that it calls itself. */
  readonly order: CalledWorkflow[] = [];
  /** Absolute paths of all files that were looked for, also in vain. */
  readonly paths = new Set<string>();
  readonly #files: WorkflowFiles;
  readonly #check: CheckCalled;
  /** Reported for the first workflow only, not at every level. */
  #isTooDeep = false;
  readonly #tables = new Map<string, { readonly place: WorkflowPlace; readonly source: Uint8Array; readonly table: TableFile }>();
  readonly #known = new Map<string, CalledWorkflow>();
  #opened: WorkflowPlace[] | undefined;

  constructor(files: WorkflowFiles, check: CheckCalled) {
    this.#files = files;
    this.#check = check;
  }

  /** From the root to the workflow that is being checked. Finding the root takes time, and most workflows call no other. */
  get #chain(): WorkflowPlace[] {
    this.#opened ??= [this.#files.root];
    return this.#opened;
  }

  /** The called workflows by the names of their services. Reports unusable ones. */
  resolve({ services }: Workflow, report: (diagnostic: Diagnostic) => void): ReadonlyMap<string, CalledWorkflow> {
    const called = new Map<string, CalledWorkflow>();
    for (const service of services) {
      if (service.kind !== 'workflow' || called.has(service.name.text)) continue;
      const target = fixedTarget(service);
      const found = target === undefined ? undefined : this.#find(target, service, report);
      if (found !== undefined) called.set(service.name.text, found);
    }
    return called;
  }

  /** A file with a decision table of the workflow that is being checked. */
  table(target: string): TableFile {
    const place = this.#files.locate(target, this.#chain.at(-1) ?? this.#files.root);
    this.paths.add(place.path);
    const known = this.#tables.get(place.path);
    if (known !== undefined) return known.table;
    const source = this.#files.read(place);
    if (typeof source === 'string') return { ok: false, what: `it can't be read, because ${source}` };
    const table = this.#files.readTable(place, source);
    this.#tables.set(place.path, { place, source, table });
    return table;
  }

  /** The files of tables that were read: each with its absolute path, and its path from the folder of the root. */
  get tableFiles(): { readonly path: string; readonly name: string; readonly source: Uint8Array }[] {
    return [...this.#tables].map(([path, { place, source }]) => ({ path, name: this.#nameOf(place), source }));
  }

  #nameOf(place: WorkflowPlace): string {
    const folder = this.#files.folderOf(place);
    const base = place.path.replace(/^.*[\\/]/, '');
    return folder === '.' ? base : `${folder}/${base}`;
  }

  /** The errors of all called files. */
  get errors(): LocatedDiagnostic[] {
    return this.order.flatMap(({ checked }) =>
      checked.diagnostics.filter(({ severity, code }) => severity === 'error' && code !== 'WF261' && code !== 'WF263'),
    );
  }

  #find(target: string, { target: { span } }: Service, report: (diagnostic: Diagnostic) => void): CalledWorkflow | undefined {
    const from = this.#chain.at(-1) ?? this.#files.root;
    const place = this.#files.locate(target, from);
    const before = this.#chain.findIndex(({ path }) => path === place.path);
    if (before !== -1) {
      report(
        catalogue.workflowCircle(
          span,
          [...this.#chain.slice(before), place].map(({ file }) => file),
        ),
      );
      return undefined;
    }
    if (this.#chain.length > mostLevels) {
      this.#isTooDeep = true;
      report(catalogue.tooManyLevels(span, mostLevels));
      return undefined;
    }
    const called = this.#known.get(place.path) ?? this.#load(place);
    if (typeof called === 'string') report(catalogue.unreadableWorkflow(span, target, called));
    else if (called.checked.hasErrors)
      report(this.#isTooDeep ? catalogue.tooManyLevels(span, mostLevels) : catalogue.workflowWithErrors(span, target));
    return typeof called === 'string' ? undefined : called;
  }

  #load(place: WorkflowPlace): CalledWorkflow | string {
    this.paths.add(place.path);
    const source = this.#files.read(place);
    if (typeof source === 'string') return source;
    this.#chain.push(place);
    const checked = this.#check(source, place.file, this);
    this.#chain.pop();
    const at = { folder: this.#files.folderOf(place), name: this.#nameOf(place) };
    const called = { index: this.order.length, place, source, checked, ...at };
    this.order.push(called);
    this.#known.set(place.path, called);
    return called;
  }
}

/** The path, if the declaration names one; the check reports every other. */
function fixedTarget({ target }: Pick<Service, 'target'>): string | undefined {
  const [path = '', ...more] = target.parts;
  return typeof path === 'string' && more.length === 0 && path.endsWith('.wf') && !target.isFaulty ? path : undefined;
}
