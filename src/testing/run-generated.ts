// Tests a workflow without cases that declares its inputs: runs it with generated requests, and lists the lines that none of them reached.
import type { InputField } from '../../runtime/inputs/input-types.js';
import type { Value, WfRecord } from '../../runtime/types.js';
import { outcomeText } from '../engine/records/terminal-lines.js';
import { exampleRecord } from '../input/example-value.js';
import { coverageLines, prepareWithCoverage } from './coverage.js';
import type { OnceOptions } from './run-once.js';
import type { TestCounts, TestSession } from './test-session.js';

/** `file` has passed the check. */
export async function runGenerated(
  session: TestSession,
  file: string,
  { mocks, brief, single }: Pick<OnceOptions, 'mocks' | 'brief' | 'single'>,
): Promise<TestCounts> {
  const preparation = await prepareWithCoverage(file, { cwd: session.cwd, trace: session.verbose });
  if (!preparation.ok) return { passed: 0, failed: 1 };
  const { prepared, reachable } = preparation;
  const { env, signal } = session;
  const all = generatedCases(prepared.workflow.inputs ?? []);
  const reached = new Set<number>();
  let passed = 0;
  let failed = 0;
  for (const { name, request } of single ? all.slice(0, 1) : all) {
    const answers = mocks?.();
    const record = await session.engine.execute(prepared, request, {
      env,
      signal,
      ...(answers === undefined ? {} : { mock: answers }),
      onReach: (index) => void reached.add(index),
      onLog: (entry) => session.watch(entry),
    });
    if (signal.aborted) return { passed, failed: failed + 1 };
    const { status } = record.outcome;
    const isWrong = status === 'error';
    session.add(
      {
        file,
        name: `generated: ${name}: ${status}`,
        status: isWrong ? 'failed' : 'passed',
        details: isWrong ? [`with the request ${JSON.stringify(record.redactor.value(request))}`] : [],
      },
      isWrong ? outcomeText(record, { colour: false }).split('\n') : [],
    );
    if (isWrong) {
      session.note(outcomeText(record, { colour: session.colour.stderr }));
      failed++;
    } else passed++;
    await session.save(record);
  }
  session.cover(file, reached.size, reachable.length);
  if (!brief) for (const line of ['', ...coverageLines(reachable, reached, file)]) session.print(line);
  return { passed, failed };
}

interface GeneratedCase {
  readonly name: string;
  readonly request: WfRecord;
}

/** Enough for each choice of a few fields; more would hide the line that fails. */
const mostCases = 20;

export function generatedCases(fields: readonly InputField[]): GeneratedCase[] {
  const typical = exampleRecord(fields, 'typical');
  const cases: GeneratedCase[] = [
    { name: 'every field', request: typical },
    { name: 'only the required fields', request: exampleRecord(fields, 'typical', true) },
    { name: 'the lowest values', request: exampleRecord(fields, 'lowest') },
    { name: 'the highest values', request: exampleRecord(fields, 'highest') },
  ];
  for (const { name, kind } of fields)
    for (const value of choicesOf(kind))
      cases.push({
        name: `${name} ${typeof value === 'boolean' ? (value ? 'yes' : 'no') : JSON.stringify(value)}`,
        request: { ...typical, [name]: value },
      });
  const seen = new Set<string>();
  return cases.filter(({ request }) => isNew(seen, JSON.stringify(request))).slice(0, mostCases);
}

function choicesOf(kind: InputField['kind']): readonly Value[] {
  if (kind.is === 'choice') return kind.values;
  return kind.is === 'yes or no' ? [true, false] : [];
}

function isNew(seen: Set<string>, key: string): boolean {
  if (seen.has(key)) return false;
  seen.add(key);
  return true;
}
