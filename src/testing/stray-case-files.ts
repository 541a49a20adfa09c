// Finds case files without a workflow, whose cases would never run.

import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { closest } from '../compiler/diagnostics/suggest.js';
import { filesIn } from '../engine/prepare/find-workflows.js';
import { caseFileOf } from './read-cases.js';

const ENDING = '.test.json';

/**
 * Looks in each tested folder, and next to each tested file that has no cases, because they may be there under a different
 * name.
 */
export function strayCaseFiles(targets: readonly string[], cwd: string): string[] {
  const strays = targets.flatMap((target) => {
    if (isFolder(target, cwd)) return filesIn(target, cwd, ENDING).filter((file) => !hasWorkflow(file, cwd));
    if (existsSync(path.resolve(cwd, caseFileOf(target)))) return [];
    const folder = path.dirname(target);
    return filesIn(folder, cwd, ENDING, { deep: false }).filter((file) => !hasWorkflow(file, cwd));
  });
  return [...new Set(strays.map((file) => path.normalize(file)))].map((file) => sentence(file, cwd));
}

function sentence(file: string, cwd: string): string {
  const folder = path.dirname(file);
  const without = filesIn(folder, cwd, '.wf', { deep: false })
    .filter((workflow) => !existsSync(path.resolve(cwd, caseFileOf(workflow))))
    .map((workflow) => path.basename(workflow));
  const wanted = path.basename(workflowOf(file));
  const near = closest(wanted, without);
  return `${file} belongs to no workflow: there is no ${wanted} next to it.${near === undefined ? '' : ` Did you mean ${near}?`}`;
}

const workflowOf = (caseFile: string): string => `${caseFile.slice(0, -ENDING.length)}.wf`;
const hasWorkflow = (caseFile: string, cwd: string): boolean => existsSync(path.resolve(cwd, workflowOf(caseFile)));
const isFolder = (target: string, cwd: string): boolean =>
  statSync(path.resolve(cwd, target), { throwIfNoEntry: false })?.isDirectory() === true;
