// Requests and answers worth running: one for each way, and for each side of each boundary. What they do is known only once they have run.
import type { WfRecord } from '../../runtime/types.js';
import type { Checked } from '../compiler/compile.js';
import { Shapes } from './shapes.js';
import type { State } from './state.js';
import { walk } from './walk.js';
import type { WayEnd } from './walker.js';
import { boundaryChoices, type Choice, type Witness, witnessOf } from './witness.js';

export interface Candidate extends Witness {
  /** The way it is made for; only the branch, if there are too many ways behind it to follow each. */
  readonly end: { readonly status: WayEnd['status'] | undefined; readonly line: number | undefined };
  /** The boundary it stands at: `request.total = 100`. */
  readonly tag: string | undefined;
  /** The same in the words of the file. */
  readonly label?: string;
}

/** Ways to try at one boundary. */
const WAYS_PER_CHOICE = 4;
const MOST_WAYS = 600;
/** Ways into a branch to try its boundaries on. */
const WAYS_PER_BRANCH = 6;

/** @param typical a request with values of the declared kinds */
export function candidates(checked: Checked, typical: WfRecord): Candidate[] {
  const walked = walk(checked.text, checked.workflow, checked.facts);
  if (walked === undefined) return [];
  const shapes = new Shapes(checked.workflow.body);
  const ends = [...walked.endings]
    .sort((one, other) => Number(one.status === 'error') - Number(other.status === 'error'))
    .slice(0, MOST_WAYS);
  const plain = ends.map((end): Candidate => ({ ...witnessOf(end.state, shapes, typical), end, tag: undefined }));
  const tried = new Map<string, number>();
  const edgesOf = (state: State, end: Candidate['end']): Candidate[] =>
    boundaryChoices(state).flatMap((choice): Candidate[] => {
      const tag = tagOf(choice);
      const count = tried.get(tag) ?? 0;
      if (count >= WAYS_PER_CHOICE) return [];
      tried.set(tag, count + 1);
      return [{ ...witnessOf(state, shapes, typical, choice), end, tag, label: `${choice.name} = ${choice.value}` }];
    });
  const edges = ends.flatMap((end) => edgesOf(end.state, end));
  // Where ways are joined further down, only the branch itself still knows its boundary.
  const inside = [...walked.ifs.values()].flatMap(({ statement, taken }) =>
    taken.flatMap((states, index) => {
      const line = (statement.branches[index] ?? statement).line;
      return states.slice(0, WAYS_PER_BRANCH).flatMap((state) => edgesOf(state, { status: undefined, line }));
    }),
  );
  return [...plain, ...edges, ...inside];
}

const tagOf = ({ key, value }: Choice): string => `${key} = ${value}`;
