// Finds the calls of other workflows in a journal: what happened inside them is shown at the line of the call.
import { pathOfBlock } from './addresses.js';
import { type EntryRow, entryKinds, isBegin } from './entries.js';
import { calledRunHex } from './run-ids.js';
import type { StoredSite } from './versions.js';

export type Sites = ReadonlyMap<number, StoredSite>;

export interface ShownSite {
  readonly line: number;
  /** Inside a called workflow: the name of its service, and the line in its own file. */
  readonly workflow?: string;
  readonly calledLine?: number;
}

/** Which part of which journal the rows are. */
export interface JournalPart {
  /** Id of the run with the journal: 32 hexadecimal digits. */
  readonly root: string;
  /** The branch that they are in: `""` for all rows, otherwise that of a called workflow. */
  readonly branch: string;
}

export class CallSites {
  readonly sites: Sites;
  /** Their starts, by branch. */
  readonly #calls = new Map<string, EntryRow>();

  readonly #within: JournalPart;

  constructor(sites: Sites, rows: readonly EntryRow[], within: JournalPart) {
    this.sites = sites;
    this.#within = within;
    this.add(rows);
  }

  add(rows: readonly EntryRow[]): void {
    for (const row of rows) if (this.isCall(row)) this.#calls.set(branchOf(row), row);
  }

  /** The id of the run of a called workflow. @param row the start or the end of its call */
  idOf(row: EntryRow): string {
    const { root, branch } = this.#within;
    return calledRunHex(root, branch === '' ? branchOf(row) : `${branch}/${branchOf(row)}`);
  }

  /** Whether another workflow is called here. */
  isCall(row: EntryRow): boolean {
    return row.kind === entryKinds.fork && isBegin(row) && this.siteOf(row)?.serviceKind === 'workflow';
  }

  siteOf({ site }: Pick<EntryRow, 'site'>): StoredSite | undefined {
    return site === null ? undefined : this.sites.get(site);
  }

  /** The calls around a branch, outermost first. */
  around(branch: string): readonly EntryRow[] {
    const calls: EntryRow[] = [];
    if (this.#calls.size === 0) return calls;
    for (let end = branch.indexOf('/'); ; end = branch.indexOf('/', end + 1)) {
      const call = this.#calls.get(end < 0 ? branch : branch.slice(0, end));
      if (call !== undefined) calls.push(call);
      if (end < 0) return calls;
    }
  }

  /** Where the effect of a row is shown; `undefined` for a row without a place. */
  placeOf(row: EntryRow): ShownSite | undefined {
    const site = this.siteOf(row);
    if (site?.inside === undefined) return site === undefined ? undefined : { line: site.line };
    const [call, next] = this.around(row.branch);
    const around = call === undefined ? undefined : this.siteOf(call);
    const { line } = (next === undefined ? undefined : this.siteOf(next)?.inside) ?? site.inside;
    return {
      line: around?.line ?? site.line,
      ...(around?.service === undefined ? {} : { workflow: around.service }),
      calledLine: line,
    };
  }
}

/** The branch in which a called workflow runs. */
export const branchOf = (row: EntryRow): string => branchOfBlock(row, 0);

/** A branch of a block. @param row the start or the end of the block @param index number of the branch, from 0 */
export const branchOfBlock = ({ branch, seq }: EntryRow, index: number): string => `${pathOfBlock(branch, seq)}.${index}`;
