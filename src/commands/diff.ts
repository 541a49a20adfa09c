// `wf diff`: what changes for whom between two files, or between a revision of git and a file.

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

const FORMATS = ['text', 'markdown', 'json'] as const;

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
  const written = { text: textOf, markdown: markdownOf, json: jsonOf }[format](changes, old, now);
  io.stdout.write(`${written}\n`);
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

const whoOf = ({ who }: BehaviourChange): string => (who.length === 0 ? 'some requests' : who.join(' and '));

function textOf(changes: readonly BehaviourChange[], old: string, now: string): string {
  if (changes.length === 0) return `${old} and ${now} do the same, as far as wf can tell.`;
  return changes
    .map((change, index) =>
      [
        `${index + 1}. With ${oneLine(whoOf(change))}, for example ${JSON.stringify(change.example.input)}${besideOf(change)}:`,
        ...linesOf('before', change.before),
        ...linesOf('now', change.after),
      ].join('\n'),
    )
    .join('\n\n');
}

const linesOf = (label: string, lines: readonly string[]): string[] =>
  (lines.length === 0 ? ['nothing of this'] : lines).map(
    (line, index) => `   ${(index === 0 ? label : '').padEnd(8)}${oneLine(line)}`,
  );

/** What else the example needs. */
function besideOf({ example: { input: _input, ...others } }: BehaviourChange): string {
  return Object.entries(others)
    .map(([name, value]) => `, ${name} ${JSON.stringify(value)}`)
    .join('');
}

function markdownOf(changes: readonly BehaviourChange[], old: string, now: string): string {
  if (changes.length === 0) return `\`${old}\` and \`${now}\` do the same, as far as wf can tell.`;
  const cell = (text: string): string =>
    oneLine(text).replaceAll('\\', '\\\\').replaceAll('|', '\\|').replaceAll('<', '&lt;').replaceAll('`', '&#96;');
  const lines = (all: readonly string[]): string => (all.length === 0 ? '–' : all.map(cell).join('<br>'));
  return [
    `### What changes in \`${now}\``,
    '',
    '| for whom | before | now | for example |',
    '|---|---|---|---|',
    ...changes.map(
      (change) =>
        `| ${cell(whoOf(change))} | ${lines(change.before)} | ${lines(change.after)} | ${cell(JSON.stringify(change.example.input) + besideOf(change))} |`,
    ),
  ].join('\n');
}

const jsonOf = (changes: readonly BehaviourChange[], old: string, now: string): string =>
  JSON.stringify({ old, new: now, changes });
