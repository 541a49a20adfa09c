// `wf diff`: tells what changes for whom between two files, or between a Git revision and a file.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { oneLine } from '../../runtime/values/one-line.js';
import { createEngine } from '../engine/engine.js';
import type { Io } from '../engine/io.js';
import { UsageError } from '../engine/usage-error.js';
import { type BehaviourChange, compareBehaviour, type Version } from '../testing/compare-behaviour.js';
import { prepareWithCoverage } from '../testing/coverage.js';
import type { Values } from './command-spec.js';
import { printDiagnostics, readFormat } from './named-sources.js';

/** @returns 0; 1 with `--exit-code` if behaviour differs, or if a file has errors */
export async function diffCommand(targets: readonly string[], values: Values, io: Io): Promise<number> {
  const [old, now, more] = targets;
  if (old === undefined || now === undefined || more !== undefined)
    throw new UsageError('wf diff takes two files, or a revision of git and a file.', 'wf diff HEAD~1 order.wf');
  const format = readFormat(FORMATS, values.format);
  if (!existsSync(path.resolve(io.cwd, now)))
    throw new UsageError(`${now} can't be read: it does not exist.`, 'The second one is a file: wf diff HEAD~1 order.wf');
  const [before, after] = [await versionOf(old, now, io), await versionOf(now, now, io)];
  if (before === undefined || after === undefined) return 1;
  const engine = createEngine({ env: {}, mock: true });
  const changes = await compareBehaviour(engine, before, after);
  await engine.close();
  io.stdout.write(`${diffReport({ changes, old, now, format, isWhole: values.all === true })}\n`);
  return values.exitCode === true && changes.length > 0 ? 1 : 0;
}

/** A file, or the file `beside` in a revision of git. `undefined` if it has errors, which are printed. */
async function versionOf(name: string, beside: string, io: Io): Promise<Version | undefined> {
  const isFile = existsSync(path.resolve(io.cwd, name));
  if (isFile && !name.endsWith('.wf')) throw new UsageError(`${name} is not a workflow: its name must end in .wf.`);
  const file = isFile ? name : beside;
  const source = isFile ? readFileSync(path.resolve(io.cwd, name)) : revisionOf(name, beside, io);
  const shown = isFile ? name : `${name}:${beside}`;
  const preparation = await prepareWithCoverage(file, { cwd: io.cwd, trace: true, source, shown });
  if (preparation.ok) return preparation;
  printDiagnostics(preparation.checked, io);
  return undefined;
}

function revisionOf(revision: string, file: string, io: Io): Buffer {
  const full = path.resolve(io.cwd, file);
  const where = `${revision}:./${path.basename(full)}`;
  try {
    // After --end-of-options, nothing is an option.
    return execFileSync('git', ['show', '--end-of-options', where], {
      cwd: path.dirname(full),
      env: { ...io.env },
      stdio: ['ignore', 'pipe', 'ignore'],
      maxBuffer: 64 * 1024 * 1024,
    });
  } catch {
    if (revision.endsWith('.wf')) throw new UsageError(`${revision} can't be read: it does not exist.`);
    if (isRevision(revision, path.dirname(full), io))
      throw new UsageError(
        `${file} is not in ${revision}.`,
        `If it had another name there, save it first: git show ${revision}:./old.wf > old.wf`,
      );
    throw new UsageError(
      `${revision} is neither a file nor a revision of git that contains ${file}.`,
      'Compare two files, or a revision with a file: wf diff HEAD~1 order.wf',
    );
  }
}

function isRevision(name: string, cwd: string, io: Io): boolean {
  try {
    const options = { cwd, env: { ...io.env }, stdio: 'ignore' } as const;
    execFileSync('git', ['rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`], options);
    return true;
  } catch {
    return false;
  }
}

// Prints what `wf diff` found: the most telling difference of each kind, as much as fits on one screen.

const FORMATS = ['text', 'markdown', 'json'] as const;

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

function diffReport(report: Report): string {
  const { changes, old, now, format } = report;
  if (format === 'json')
    return JSON.stringify({
      old,
      new: now,
      changes: changes.map(({ weight: _weight, group: _group, cost: _cost, isFailing: _isFailing, ...change }) => change),
    });
  const [from, to] = format === 'text' ? [old, now] : [`\`${old}\``, `\`${now}\``];
  if (changes.length === 0) return `${from} and ${to} do the same, as far as wf can tell.`;
  const shown = shownOf(report);
  const left = changes.length - shown.reduce((sum, { others }) => sum + 1 + others, 0);
  const more = left === 0 ? [] : ['', `And ${count(left, 'more')}: --all shows them.`];
  return [...(format === 'text' ? textOf(shown, report) : markdownOf(shown, report)), ...more].join('\n');
}

const count = (others: number, which: string): string => `${others} ${which} ${others === 1 ? 'difference' : 'differences'}`;

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
  return withoutRepeats(all).filter(({ change: { before, after } }, index) => {
    lines += 2 + Math.min(before.length, MOST_OF_EACH) + Math.min(after.length, MOST_OF_EACH);
    return index === 0 || lines <= MOST_LINES;
  });
}

/** Counts a change with a failing call among those like an earlier one that has all of its lines. */
function withoutRepeats(all: readonly Shown[]): Shown[] {
  const kept: Shown[] = [];
  for (const one of all) {
    const { before, after, weight, isFailing } = one.change;
    const like =
      isFailing && weight === 'way'
        ? kept.findIndex(({ change }) => hasAll(change.before, before) && hasAll(change.after, after))
        : -1;
    const earlier = kept[like];
    if (earlier === undefined) kept.push(one);
    else kept[like] = { ...earlier, others: earlier.others + 1 + one.others };
  }
  return kept;
}

const hasAll = (lines: readonly string[], those: readonly string[]): boolean => {
  const has = new Set(lines.map(withoutAnswer));
  return those.every((line) => has.has(withoutAnswer(line)));
};

/** Whatever the call got. */
const withoutAnswer = (line: string): string => line.replace(/, answered(?: \d+)?(?=,|$)/, '');

/** One that says whom it concerns tells most. */
const costOfChange = ({ who, before, after, cost }: BehaviourChange): number =>
  cost + (who.length === 0 ? 1_000 : 0) + 100 * (before.length + after.length);

const whoOf = ({ who, hasOthers }: BehaviourChange): string =>
  who.length === 0 ? 'some requests' : `${who.join(' and ')}${hasOthers ? ', among others' : ''}`;

const sides = ({ before, after }: BehaviourChange, isWhole: boolean): (readonly string[])[] =>
  [before, after].map((lines) => {
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
      ...linesOf(after.length === 0 ? 'no longer' : 'before', before),
      ...linesOf(before.length === 0 ? 'now also' : 'now', after),
      ...(others === 0 ? [] : [`   and ${count(others, 'similar')}`]),
    ];
  });
}

const linesOf = (label: string, lines: readonly string[]): string[] =>
  lines.map((line, index) => `   ${(index === 0 ? label : '').padEnd(11)}${oneLine(line)}`);

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
    const like = others === 0 ? '' : `<br>and ${count(others, 'similar')}`;
    const example = change.weight === 'setting' ? '–' : cell(JSON.stringify(change.example.input) + besideOf(change));
    const [old, next] = [before, after].map((lines) => (lines.length === 0 ? '–' : lines.map(cell).join('<br>')));
    return `| ${cell(whoOf(change))}${like} | ${old} | ${next} | ${example} |`;
  });
  return [`### What changes in \`${now}\``, '', '| for whom | before | now | for example |', '|---|---|---|---|', ...rows];
}
