// `wf explain`: runs a workflow with mock services and says which decisions led to its outcome, and what would have led to the nearest other.

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { oneLine } from '../../runtime/values/one-line.js';
import { createEngine } from '../engine/engine.js';
import { readMocks } from '../engine/files/mocks-file.js';
import type { Io } from '../engine/io.js';
import { acceptedInput } from '../input/accepted-input.js';
import { problemText } from '../input/problem-text.js';
import { readInput } from '../input/read-input.js';
import { prepareWithCoverage } from '../testing/coverage.js';
import { type Explanation, explainRun } from '../testing/explain-run.js';
import type { Values } from './command-table.js';
import { checkedFile, printDiagnostics } from './named-sources.js';

/** @returns 0 whatever the outcome; 1 if the file has errors, 2 if the input does not fit */
export async function explainCommand(file: string, values: Values, io: Io): Promise<number> {
  const checked = checkedFile(file, io);
  const preparation = checked.hasErrors
    ? undefined
    : await prepareWithCoverage(file, { cwd: io.cwd, trace: true, source: readFileSync(path.resolve(io.cwd, file)) });
  if (preparation?.ok !== true) {
    printDiagnostics(checked, io);
    return 1;
  }
  const text = (name: string): string | undefined => (typeof values[name] === 'string' ? values[name] : undefined);
  const input = await readInput({
    input: text('input'),
    inputFile: text('inputFile'),
    sheet: text('sheet'),
    asText: text('asText'),
    cwd: io.cwd,
  });
  const { request, problems } = acceptedInput(preparation.prepared.workflow, input);
  if (problems.length > 0) {
    io.stderr.write(`${problemText(file, preparation.prepared.workflow, problems, input)}\n`);
    return 2;
  }
  const mocks = text('mocks');
  const startedAt = new Date();
  const engine = createEngine({ env: io.env, mock: true });
  const options = () => ({ startedAt, ...(mocks === undefined ? {} : { mock: readMocks(mocks, io.cwd) }) });
  const explanation = await explainRun({ engine, checked, preparation, request, options });
  await engine.close();
  io.stdout.write(
    `${values.json === true ? JSON.stringify(jsonOf(explanation, values.all === true)) : textOf(explanation, values.all === true)}\n`,
  );
  return 0;
}

const shownOf = ({ decisions }: Explanation, all: boolean): Explanation['decisions'] =>
  decisions.filter(({ isRelevant }) => all || isRelevant);

function textOf(explanation: Explanation, all: boolean): string {
  const shown = shownOf(explanation, all);
  const width = Math.min(60, Math.max(0, ...shown.map(({ condition }) => condition.length)));
  const lines = shown.map(({ line, condition, answer, isExact, effects }) =>
    `${String(line).padStart(4)}  ${oneLine(condition).padEnd(width)}  ${`${answer ? 'yes' : 'no'}${isExact ? ', exactly' : ''}`.padEnd(12)}  ${oneLine(effects.join(', '))}`.trimEnd(),
  );
  return [
    oneLine(explanation.outcome),
    ...lines,
    ...(explanation.nearest === undefined ? [] : [oneLine(explanation.nearest)]),
  ].join('\n');
}

const jsonOf = (explanation: Explanation, all: boolean): unknown => ({
  ...explanation,
  line: explanation.line ?? null,
  nearest: explanation.nearest ?? null,
  decisions: shownOf(explanation, all).map(({ isRelevant: _isRelevant, ...decision }) => decision),
});
