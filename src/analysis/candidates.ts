// Requests and answers worth running: one for each way, and for each side of each boundary. What they do is known only once they have run.
import { dateText } from '../../runtime/dates/moment.js';
import type { WfRecord } from '../../runtime/types.js';
import type { Checked } from '../compiler/compile.js';
import { boundaryNumbers } from './pick.js';
import { Shapes } from './shapes.js';
import { type Decision, entriesOf, passedBy, type State } from './state.js';
import { walk } from './walk.js';
import type { WayEnd } from './walker.js';
import { type Choice, type Witness, witnessOf } from './witness.js';
import { isDay } from './words.js';

export interface Candidate extends Witness {
  /** The way it is made for; only the branch, if there are too many ways behind it to follow each. */
  readonly end: { readonly status: WayEnd['status'] | undefined; readonly line: number | undefined };
  /** At its end. */
  readonly state: State;
  /** The boundary it stands at: `request.total = 100`. */
  readonly tag: string | undefined;
  /** The same requirement in the words of the file. */
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
  const plain = ends.map(
    (end): Candidate => ({ ...witnessOf(end.state, shapes, typical), end, state: end.state, tag: undefined }),
  );
  const tried = new Map<string, number>();
  const edgesOf = (state: State, end: Candidate['end']): Candidate[] =>
    boundaryChoices(state).flatMap((choice): Candidate[] => {
      const tag = tagOf(choice);
      const count = tried.get(tag) ?? 0;
      if (count >= WAYS_PER_CHOICE) return [];
      tried.set(tag, count + 1);
      return [{ ...witnessOf(state, shapes, typical, choice), end, state, tag, label: choice.label }];
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

/** The values of a way whose boundaries are worth trying, each with its numbers at the ends. */
function boundaryChoices(state: State): (Choice & { readonly label: string })[] {
  return [...entriesOf(state.atoms)].flatMap(([key, { atom, domain }]) =>
    boundaryNumbers(domain, key.startsWith('day number') ? 1 : undefined)
      .filter((value) => !isEndOfStatuses(key, value))
      .map((value) => ({ key, name: atom.name, value, label: `${atom.name} = ${isDay(atom) ? dateText(value) : value}` })),
  );
}

/** A status can be no lower or higher, and no line asks whether it is. */
const isEndOfStatuses = (key: string, value: number): boolean =>
  /\.(failing )?status$/.test(key) && [100, 199, 200, 299, 300, 599].includes(value);

/** An answer of an `if`, as a run gives it: `12 true`. */
export const answerAt = (line: number, answer: boolean): string => `${line} ${answer}`;

/** Findings of a run. */
export interface Taken {
  readonly status: string;
  /** That it has reached. */
  readonly lines: ReadonlySet<number | undefined>;
  /** Of its `if`s, in order, each as `answerAt`. */
  readonly answers: readonly string[];
}

/**
 * Whether a run took the way that its request was made for: it ended there, and each `if` answered as predicted. Where ways were joined, only
 * the end is known.
 * @param lines of the conditions of `if`s: those of loops are asked elsewhere
 */
export function isOnWay({ end, state }: Pick<Candidate, 'end' | 'state'>, taken: Taken, lines: ReadonlySet<number>): boolean {
  if ((end.status ?? taken.status) !== taken.status || (end.line !== undefined && !taken.lines.has(end.line))) return false;
  if (!state.isExact) return true;
  const predicted = passedBy(state)
    .filter((one): one is Decision => one.kind === 'decision' && lines.has(one.line))
    .map(({ line, answer }) => answerAt(line, answer));
  // An `if` that ends a run as error tells none of its answers.
  const [longer, shorter] = end.status === 'error' ? [predicted, taken.answers] : [taken.answers, predicted];
  const isWhole = end.status === undefined || end.status === 'error' || longer.length === shorter.length;
  return isWhole && shorter.every((answer, index) => longer[index] === answer);
}

const tagOf = ({ key, value }: Choice): string => `${key} = ${value}`;
