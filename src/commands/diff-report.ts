// How `wf diff` writes what it found: the most telling difference of each kind, as much as fits on one screen.
import { oneLine } from '../../runtime/values/one-line.js';
import type { BehaviourChange } from '../testing/compare-behaviour.js';

export const FORMATS = ['text', 'markdown', 'json'] as const;

interface Report {
  /** The most important first. */
  readonly changes: readonly BehaviourChange[];
  readonly old: string;
  readonly now: string;
  readonly format: (typeof FORMATS)[number];
  /** Every kind of difference, with all its lines. */
  readonly isWhole: boolean;
}

/** A change, and how many others lead from the same end to the same other one. */
interface Shown {
  readonly change: BehaviourChange;
  readonly others: number;
}

/** Lines of one screen. */
const MOST_LINES = 36;
/** Lines of one change before, and now. */
const MOST_OF_EACH = 4;

export function diffReport(report: Report): string {
  const { changes, old, now, format } = report;
  if (format === 'json')
    return JSON.stringify({
      old,
      new: now,
      changes: changes.map(({ weight: _weight, group: _group, cost: _cost, ...change }) => change),
    });
  const [from, to] = format === 'text' ? [old, now] : [`\`${old}\``, `\`${now}\``];
  if (changes.length === 0) return `${from} and ${to} do the same, as far as wf can tell.`;
  const shown = shownOf(report);
  const left = changes.length - shown.reduce((sum, { others }) => sum + 1 + others, 0);
  const more = left === 0 ? [] : ['', `And ${kinds(left)} more: --all shows them.`];
  return [...(format === 'text' ? textOf(shown, report) : markdownOf(shown, report)), ...more].join('\n');
}

const kinds = (count: number): string => `${count} ${count === 1 ? 'kind' : 'kinds'} of difference`;

/** The simplest change of each group, until a screen is full. */
function shownOf({ changes, isWhole }: Report): Shown[] {
  if (isWhole) return changes.map((change) => ({ change, others: 0 }));
  const groups = new Map<string, BehaviourChange[]>();
  for (const change of changes) groups.set(change.group, [...(groups.get(change.group) ?? []), change]);
  const all = [...groups.values()].map((group): Shown => {
    const [change] = [...group].sort((one, other) => costOfChange(one) - costOfChange(other));
    return { change: change as BehaviourChange, others: group.length - 1 }; // no group is empty
  });
  let lines = 0;
  return all.filter(({ change: { before, after } }, index) => {
    lines += 2 + Math.min(before.length, MOST_OF_EACH) + Math.min(after.length, MOST_OF_EACH);
    return index === 0 || lines <= MOST_LINES;
  });
}

/** One that says whom it concerns tells most. */
const costOfChange = ({ who, before, after, cost }: BehaviourChange): number =>
  cost + (who.length === 0 ? 1_000 : 0) + 100 * (before.length + after.length);

const whoOf = ({ who }: BehaviourChange): string => (who.length === 0 ? 'some requests' : who.join(' and '));

const sides = ({ before, after }: BehaviourChange, isWhole: boolean): (readonly string[])[] =>
  [before, after].map((lines) => {
    if (lines.length === 0) return ['nothing of this'];
    const left = isWhole ? 0 : lines.length - MOST_OF_EACH;
    // The last line says how the run ends.
    return left <= 0 ? lines : [...lines.slice(0, MOST_OF_EACH - 2), `… ${left + 1} more lines`, ...lines.slice(-1)];
  });

function textOf(shown: readonly Shown[], { isWhole }: Report): string[] {
  return shown.flatMap(({ change, others }, index) => {
    const [before = [], after = []] = sides(change, isWhole);
    const example = `, for example ${JSON.stringify(change.example.input)}${besideOf(change)}`;
    return [
      ...(index === 0 ? [] : ['']),
      `${index + 1}. With ${oneLine(whoOf(change))}${change.weight === 'setting' ? '' : example}:`,
      ...linesOf('before', before),
      ...linesOf('now', after),
      ...(others === 0 ? [] : [`   and ${kinds(others)} like it`]),
    ];
  });
}

const linesOf = (label: string, lines: readonly string[]): string[] =>
  lines.map((line, index) => `   ${(index === 0 ? label : '').padEnd(8)}${oneLine(line)}`);

/** Other values that the example needs. */
function besideOf({ example: { input: _input, ...others } }: BehaviourChange): string {
  return Object.entries(others)
    .map(([name, value]) => `, ${name} ${JSON.stringify(value)}`)
    .join('');
}

function markdownOf(shown: readonly Shown[], { now, isWhole }: Report): string[] {
  const cell = (text: string): string =>
    oneLine(text).replaceAll('\\', '\\\\').replaceAll('|', '\\|').replaceAll('<', '&lt;').replaceAll('`', '&#96;');
  const rows = shown.map(({ change, others }) => {
    const [before = [], after = []] = sides(change, isWhole);
    const like = others === 0 ? '' : `<br>and ${kinds(others)} like it`;
    const example = change.weight === 'setting' ? '–' : cell(JSON.stringify(change.example.input) + besideOf(change));
    return `| ${cell(whoOf(change))}${like} | ${before.map(cell).join('<br>')} | ${after.map(cell).join('<br>')} | ${example} |`;
  });
  return [`### What changes in \`${now}\``, '', '| for whom | before | now | for example |', '|---|---|---|---|', ...rows];
}
