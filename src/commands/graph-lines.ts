// Finds the lines that `wf graph` highlights: those that a request takes with mock services, that the cases reach, or that a run took.
import path from 'node:path';
import type { Checked } from '../compiler/compile.js';
import type { DrawOptions } from '../diagram/drawer.js';
import { createEngine } from '../engine/engine.js';
import { readMocks } from '../engine/files/mocks-file.js';
import type { Io } from '../engine/io.js';
import { UsageError } from '../engine/usage-error.js';
import { problemText } from '../input/problem-text.js';
import { acceptedInput, readInput } from '../input/read-input.js';
import { runCase } from '../testing/compare-outcome.js';
import { type CoveredPreparation, prepareWithCoverage } from '../testing/coverage.js';
import { caseFileOf, readCases } from '../testing/read-cases.js';
import type { Values } from './command-spec.js';

type Covered = Extract<CoveredPreparation, { ok: true }>;

/** @returns no lines if the file has errors @throws UsageError */
export async function reachedLines(
  file: string,
  source: Uint8Array,
  values: Values,
  io: Io,
): Promise<{ readonly checked: Checked; readonly reached: DrawOptions }> {
  const covered = await prepareWithCoverage(file, { cwd: io.cwd, trace: false, source });
  const { checked } = covered;
  if (!covered.ok) return { checked, reached: {} };
  const reached = new Set<number>();
  const onReach = (index: number): void => {
    const place = covered.reachable[index];
    if (place !== undefined && place.kind !== 'row') reached.add(place.line);
  };
  const engine = createEngine({ env: {}, mock: true });
  try {
    const covering = { prepared: covered.prepared, engine, onReach };
    if (values.cases === true) await runAll(file, covering, io);
    else await runOne(file, covering, values, io);
  } finally {
    await engine.close();
  }
  return { checked, reached: values.cases === true ? { covered: reached } : { lit: reached } };
}

interface Covering extends Pick<Covered, 'prepared'> {
  readonly engine: ReturnType<typeof createEngine>;
  readonly onReach: (index: number) => void;
}

async function runAll(file: string, { prepared, engine, onReach }: Covering, io: Io): Promise<void> {
  const cases = readCases(file, io.cwd)?.cases;
  if (cases === undefined) throw new UsageError(`There are no cases: ${caseFileOf(file)} does not exist.`);
  for (const one of cases) await runCase(engine, prepared, one, { onReach });
}

async function runOne(file: string, { prepared, engine, onReach }: Covering, values: Values, io: Io): Promise<void> {
  const text = (name: string): string | undefined => (typeof values[name] === 'string' ? values[name] : undefined);
  const input = await readInput({ input: text('input'), inputFile: text('inputFile'), cwd: io.cwd });
  const { request, problems } = acceptedInput(prepared.workflow, input);
  if (problems.length > 0) throw new UsageError(problemText(file, prepared.workflow, problems, input));
  const mocks = text('mocks');
  const mock = mocks === undefined ? true : readMocks(mocks, path.resolve(io.cwd));
  await engine.execute(prepared, request, { env: io.env, mock, onReach });
}
