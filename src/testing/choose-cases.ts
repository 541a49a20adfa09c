// `--case <name>`: selects the cases to run.

import { counted } from '../compiler/diagnostics/render-text.js';
import { closest } from '../compiler/diagnostics/suggest.js';
import { UsageError } from '../engine/usage-error.js';
import type { CaseFile } from './read-cases.js';

export interface Planned {
  readonly file: string;
  readonly cases: CaseFile | undefined;
}

/** Maximum number of names in a message. */
const mostListed = 10;

/**
 * Returns the cases with exactly this name or, if there are none, those whose names contain it, ignoring case. Leaves out
 * workflows without such cases.
 * @throws UsageError if no case matches
 */
export function chooseCases(plan: readonly Planned[], wanted: string): Planned[] {
  if (wanted.trim() === '') throw new UsageError('--case needs the name of a case, or part of it.');
  const part = wanted.toLowerCase();
  for (const fits of [(name: string) => name === wanted, (name: string) => name.toLowerCase().includes(part)]) {
    const chosen = plan.flatMap(({ file, cases: all }) => {
      const cases = all?.cases.filter(({ name }) => fits(name)) ?? [];
      return all === undefined || cases.length === 0 ? [] : [{ file, cases: { ...all, cases } }];
    });
    if (chosen.length > 0) return chosen;
  }
  throw noSuchCase(plan, wanted);
}

function noSuchCase(plan: readonly Planned[], wanted: string): UsageError {
  const names = plan.flatMap(({ cases }) => cases?.cases.map(({ name }) => name) ?? []);
  const [only] = plan;
  const where =
    plan.length === 1 && only !== undefined ? (only.cases?.file ?? `${only.file.replace(/\.wf$/, '')}.test.json`) : undefined;
  if (names.length === 0) {
    return new UsageError(
      `--case has no cases to choose from: ${where === undefined ? 'these workflows have none' : `there is no ${where}`}.`,
    );
  }
  const near = closest(wanted, names);
  const more = names.length > mostListed ? `, and ${counted(names.length - mostListed, 'more case')}` : '';
  const list = names.slice(0, mostListed).map((name) => JSON.stringify(name));
  return new UsageError(
    `No case${where === undefined ? '' : ` in ${where}`} has ${JSON.stringify(wanted)} in its name.`,
    near === undefined ? `The cases are ${list.join(', ')}${more}.` : `Did you mean ${JSON.stringify(near)}?`,
  );
}
