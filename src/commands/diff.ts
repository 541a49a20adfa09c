// `wf diff`: what changes for whom between two files, or between a revision of git and a file.

import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { createEngine } from '../engine/engine.js';
import type { Io } from '../engine/io.js';
import { UsageError } from '../engine/usage-error.js';
import { compareBehaviour, type Version } from '../testing/compare-behaviour.js';
import { prepareWithCoverage } from '../testing/coverage.js';
import type { Values } from './command-spec.js';
import { diffReport, FORMATS } from './diff-report.js';
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
