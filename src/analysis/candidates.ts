// Requests and answers worth running: one for each way, and for each side of each boundary. What they do is known only once they have run.
import type { WfRecord } from '../../runtime/types.js';
import type { Checked } from '../compiler/compile.js';
import { Shapes } from './shapes.js';
import { walk } from './walk.js';
import type { WayEnd } from './walker.js';
import { boundaryChoices, type Choice, type Witness, witnessOf } from './witness.js';

export interface Candidate extends Witness {
  /** The way it is made for. */
  readonly end: WayEnd;
  /** The boundary it stands at: `request.total = 100`. */
  readonly tag: string | undefined;
  /** The same in the words of the file. */
  readonly label?: string;
}

/** Ways to try at one boundary. */
const WAYS_PER_CHOICE = 4;
const MOST_WAYS = 600;

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
  const edges = ends.flatMap((end) =>
    boundaryChoices(end.state).flatMap((choice): Candidate[] => {
      const tag = tagOf(choice);
      const count = tried.get(tag) ?? 0;
      if (count >= WAYS_PER_CHOICE) return [];
      tried.set(tag, count + 1);
      return [{ ...witnessOf(end.state, shapes, typical, choice), end, tag, label: `${choice.name} = ${choice.value}` }];
    }),
  );
  return [...plain, ...edges];
}

const tagOf = ({ key, value }: Choice): string => `${key} = ${value}`;
