// Runs the cases of a workflow: compares each outcome with the expectation of its case, prints a line for each case, and lists what no case
// covered.
import { writtenTemplate } from '../../runtime/services/template.js';
import type { LogEntry, Outcome, Redactor, ServiceExchange, Value, WfRecord } from '../../runtime/types.js';
import { oneLine } from '../../runtime/values/one-line.js';
import { isRecord, record } from '../../runtime/values/record.js';
import { equal, show } from '../../runtime/values/values.js';
import type { Engine } from '../engine/engine.js';
import { mockWarnings } from '../engine/files/mocks-file.js';
import type { Prepared } from '../engine/prepare/prepared.js';
import type { RunRecord } from '../engine/records/run-record.js';
import { logLine } from '../engine/records/terminal-lines.js';
import { coverageLines, diagnosticsOf, prepareWithCoverage } from './coverage.js';
import type { CaseFile } from './read-cases.js';
import type { CallKey, Expectation, ExpectedText, ObservedCall, TestCase } from './test-case.js';
import type { TestCounts, TestSession } from './test-session.js';

/** The results of a run. */
export interface Observed {
  readonly outcome: Outcome;
  /** Every line of a `log` statement, redacted as in logs. */
  readonly logs: readonly string[];
  readonly calls: readonly ObservedCall[];
  readonly redactor: Redactor;
}

/** If the status differs, reports only that: everything else follows from it. */
export function compareOutcome(expected: Expectation, observed: Observed): string[] {
  const { outcome, redactor } = observed;
  const found =
    outcome.status !== expected.status
      ? statusDifference(expected, outcome)
      : [
          ...(expected.outputs === undefined ? [] : differences(expected.outputs, outcome.outputs ?? null, 'outputs')),
          ...(expected.message === undefined ? [] : textDifference(expected.message, outcome.message, 'message', redactor)),
          ...(expected.logs === undefined ? [] : logDifferences(expected.logs, observed.logs, redactor)),
          ...(expected.calls === undefined ? [] : callDifferences(expected.calls, observed.calls)),
        ];
  return found.map((line) => oneLine(redactor.text(line)));
}

function statusDifference({ status }: Expectation, { status: got, message, error, outputs }: Outcome): string[] {
  const place = error?.line === undefined ? '' : `line ${error.line}: `;
  const more = got === 'completed' ? `with ${shown(outputs ?? {})}` : `${place}${message ?? ''}`;
  return [`status: expected ${status}, got ${got}`, `    ${more}`];
}

/** The run's own text may be redacted already, so redact the expected text, too. */
function textDifference(expected: ExpectedText, got: string | undefined, path: string, redactor: Redactor): string[] {
  const text = redactor.text(got ?? '');
  if (typeof expected === 'string') return redactor.text(expected) === text ? [] : [difference(path, expected, got)];
  return text.includes(redactor.text(expected.contains))
    ? []
    : [`${path}: expected text containing ${shown(expected.contains)}, got ${shown(got)}`];
}

function logDifferences(expected: readonly ExpectedText[], got: readonly string[], redactor: Redactor): string[] {
  const shared = expected
    .slice(0, got.length)
    .flatMap((line, index) => textDifference(line, got[index], `logs.${index}`, redactor));
  const missing = expected.slice(got.length).map((line, index) => {
    const text = typeof line === 'string' ? shown(line) : `text containing ${shown(line.contains)}`;
    return `logs.${got.length + index}: expected ${text}, got no line`;
  });
  const extra = got
    .slice(expected.length)
    .map((line, index) => `logs.${expected.length + index}: expected no more lines, got ${shown(line)}`);
  return [...shared, ...missing, ...extra];
}

/** Calls to list if an expected one is missing. */
const mostListed = 20;

/**
 * The expected calls must appear in the same order; others may come in between. Each describes part of a call and matches the
 * way records do. An empty list expects no calls at all.
 */
export function callDifferences(expected: readonly WfRecord[], made: readonly ObservedCall[]): string[] {
  if (expected.length === 0) return made.length === 0 ? [] : [`calls: expected none, got ${made.length}`, ...listOf(made)];
  const found: string[] = [];
  let next = 0;
  expected.forEach((call, index) => {
    const at = made.findIndex((candidate, place) => place >= next && fits(call, candidate));
    if (at === -1) found.push(...missing(call, `calls.${index}`, made, next));
    else next = at + 1;
  });
  return found.length === 0 ? [] : [...found, ...listOf(made)];
}

const fits = (expected: WfRecord, made: ObservedCall): boolean => compare(expected, made, '').length === 0;

/** A path matches with or without its leading slash, and without its query unless one is expected. */
function compare(expected: WfRecord, made: ObservedCall, path: string): string[] {
  if (typeof expected.path !== 'string' || typeof made.path !== 'string') return differences(expected, { ...made }, path);
  const comparable = (text: string): string => text.replace(/^\/+/, '');
  const whole = expected.path.includes('?') ? made.path : (made.path.split('?', 1)[0] ?? '');
  return differences(expected, { ...made, path: comparable(whole) === comparable(expected.path) ? expected.path : whole }, path);
}

/**
 * Explains why none of the calls from `next` on is the expected one: how the closest call to the same service differs, or that there is
 * none.
 */
function missing(expected: WfRecord, path: string, made: readonly ObservedCall[], next: number): string[] {
  if (made.slice(0, next).some((call) => fits(expected, call)))
    return [`${path}: ${shown(expected)} was called, but earlier than expected`];
  let nearest: string[] | undefined;
  for (const call of made.slice(next)) {
    if (expected.service !== undefined && call.service !== expected.service) continue;
    const wrong = compare(expected, call, path);
    if (nearest === undefined || wrong.length < nearest.length) nearest = wrong;
  }
  return nearest ?? [`${path}: expected ${shown(expected)}, but it was not called`];
}

function listOf(made: readonly ObservedCall[]): string[] {
  if (made.length === 0) return ['no calls were made'];
  const shownCalls = made.slice(0, mostListed).map((call) => `    ${describe(call)}`);
  const more = made.length > mostListed ? [`    and ${made.length - mostListed} more`] : [];
  return ['calls made:', ...shownCalls, ...more];
}

function describe({ service, phrase, method, path, parameters, instruction, attempt }: ObservedCall): string {
  const words = (...values: readonly Value[]): string => values.filter((value) => typeof value === 'string').join(' ');
  const what =
    instruction === undefined
      ? `${words(phrase, 'using', service)}: ${words(method, path)}`
      : words('ask', service, 'to', instruction);
  const pairs = parameters === undefined || shown(parameters) === '{}' ? '' : ` with ${shown(parameters)}`;
  return `${what}${pairs}${typeof attempt === 'number' && attempt > 1 ? `, attempt ${attempt}` : ''}`;
}

/** Characters of a value to show. */
const longestValue = 200;

/**
 * The differences, one line each: `outputs.level: expected 4, got 3`. Records match if they contain the expected fields. Lists
 * must have the same length, and each item must match. `null` stands for `empty` and matches a missing field. Numbers compare
 * as they do in the language.
 */
export function differences(expected: Value, got: Value, path: string): string[] {
  if (isRecord(expected) && isRecord(got)) {
    return Object.keys(expected).flatMap((key) =>
      differences(expected[key], Object.hasOwn(got, key) ? got[key] : null, `${path}.${key}`),
    );
  }
  if (Array.isArray(expected) && Array.isArray(got)) {
    const items = expected.slice(0, got.length).flatMap((item, index) => differences(item, got[index], `${path}.${index}`));
    return expected.length === got.length ? items : [difference(`${path}.count`, expected.length, got.length), ...items];
  }
  return equal(expected, got) ? [] : [difference(path, expected, got)];
}

/** `outputs.level: expected 4, got 3`. */
const difference = (path: string, expected: Value, got: Value): string =>
  `${path}: expected ${shown(expected)}, got ${shown(got)}`;

/** A value as JSON, so that `"3"` and `3` differ, cut off if it is long. */
function shown(value: Value): string {
  if (value === null || value === undefined) return 'empty';
  const text = typeof value === 'string' ? JSON.stringify(value) : show(value);
  return text.length <= longestValue ? text : `${text.slice(0, longestValue)}… (${text.length} characters)`;
}

/** A call that reached a mock service: how cases are compared with it, and how it is printed. */
export function observedCall({ call, url, attempt, result }: ServiceExchange): ObservedCall {
  const { service, verb, description, method, path, parameters, where, statement, body, instruction, addressee, choices } = call;
  const phrase = description === '' ? verb : `${verb} ${description}`;
  const known = {
    service: service.name,
    phrase,
    verb,
    method,
    path,
    url,
    parameters,
    where,
    statement,
    body,
    instruction,
    addressee,
    choices: choices?.slice(),
    attempt,
    status: result.status,
  } satisfies Record<CallKey, Value>;
  return record(Object.entries(known));
}

/** `create item using Api: POST https://api.invalid/items`, then one line per pair. Says so if the attempt failed. */
export function callLines({ call, url, attempt, result }: ServiceExchange, redactor: Redactor): string[] {
  const { service, verb, description, method, parameters, where = {}, statement, body, instruction, path } = call;
  const phrase = `${description === '' ? verb : `${verb} ${description}`} using ${service.name}`;
  const what = {
    api: () => `${phrase}: ${method} ${url ?? ''}`,
    webhook: () => `${phrase}: ${method} ${url ?? ''}`,
    ai: () => `ask ${service.name} (${service.provider ?? ''}/${writtenTemplate(service.model ?? [])}) to ${instruction ?? ''}`,
    person: () => `ask ${service.name} to ${instruction ?? ''}`,
    plugin: () => `${phrase}: plugin ${service.module ?? ''}${path === undefined ? '' : ` at ${path}`}`,
    workflow: () => phrase,
    database: () => `${phrase}${statement === undefined ? ` at ${path ?? ''}` : `: ${statement}`}`,
    mail: () => phrase,
    folder: () => `${phrase}${path === undefined ? '' : ` at ${path}`}`,
  }[service.kind]();
  const tries = attempt === 1 ? '' : `, attempt ${attempt}`;
  const end = result.ok ? tries : `${tries}: ${result.error ?? 'failed'}`;
  const clean = (text: string): string => oneLine(redactor.text(text));
  // Long values are cut off, so redact first, or part of a secret would remain.
  const textOf = (value: Value): string => (typeof value === 'string' ? value : shown(redactor.value(value)));
  return [
    clean(`${what}${end}`),
    ...(body === undefined ? [] : [clean(`    body: ${textOf(body)}`)]),
    ...Object.entries(parameters).map(([key, value]) => clean(`    ${key}: ${textOf(value)}`)),
    ...Object.entries(where).map(([key, value]) => clean(`    where ${key}: ${textOf(value)}`)),
  ];
}

/** @param coverage whether to list what no case covered, which makes no sense for a selection of cases */
export async function runCases(
  session: TestSession,
  file: string,
  { file: caseFile, cases }: CaseFile,
  { coverage }: { readonly coverage: boolean },
): Promise<TestCounts> {
  const preparation = await prepareWithCoverage(file, { cwd: session.cwd, trace: session.verbose });
  session.report(diagnosticsOf(preparation));
  if (!preparation.ok) {
    session.notRun(file);
    session.print('');
    return { passed: 0, failed: 1 };
  }
  const { prepared, reachable } = preparation;
  const reached = new Set<number>();
  let passed = 0;
  let failed = 0;
  for (const testCase of cases) {
    if (session.verbose) session.note(`case ${oneLine(testCase.name)}:`);
    const result = await runCase(session.engine, prepared, testCase, {
      signal: session.signal,
      onReach: (index) => void reached.add(index),
      onLog(entry) {
        session.watch(entry);
        if (session.verbose && entry.type === 'log') session.note(logLine(entry));
      },
    });
    if (session.signal.aborted) return { passed, failed: failed + 1 };
    showResult(session, result, { file, caseFile });
    await session.save(result.record);
    if (result.differences.length === 0) passed++;
    else failed++;
  }
  session.cover(file, reached.size, reachable.length);
  for (const line of coverage ? ['', ...coverageLines(reachable, reached, file), ''] : ['']) session.print(line);
  return { passed, failed };
}

function showResult(
  session: TestSession,
  { name, differences, warnings }: CaseResult,
  { file, caseFile }: { readonly file: string; readonly caseFile: string },
): void {
  session.add({ file, name, status: differences.length === 0 ? 'passed' : 'failed', details: differences });
  for (const warning of warnings) session.warn(`Warning in ${caseFile}, case ${JSON.stringify(name)}: ${warning}`);
}

interface CaseResult {
  readonly name: string;
  /** Empty if the case passed. */
  readonly differences: readonly string[];
  /** One sentence for each mock answer that no call used. */
  readonly warnings: readonly string[];
  readonly record: RunRecord;
}

interface CaseWatch {
  readonly onReach?: (index: number) => void;
  readonly onLog?: (entry: LogEntry) => void;
  readonly signal?: AbortSignal;
}

export async function runCase(
  engine: Engine,
  prepared: Prepared,
  { name, input, env, now, received, mocks, messages, expect }: TestCase,
  watch: CaseWatch = {},
): Promise<CaseResult> {
  const { onLog, ...others } = watch;
  const logs: string[] = [];
  const calls: ObservedCall[] = [];
  const answers = mocks();
  const awaited = new Set<string>();
  const record = await engine.execute(prepared, input, {
    ...others,
    env,
    mock: { ...answers, messages, awaits: (message) => void awaited.add(message) },
    ...(now === undefined ? {} : { startedAt: now }),
    ...(received === undefined ? {} : { received: { ...received, at: (now ?? new Date()).toISOString() } }),
    onExchange: (exchange) => void calls.push(observedCall(exchange)),
    onLog(entry) {
      if (entry.type === 'log') logs.push(entry.message ?? '');
      onLog?.(entry);
    },
  });
  const { outcome, redactor } = record;
  const { problems } = outcome.error ?? {};
  return {
    name,
    differences:
      problems === undefined
        ? compareOutcome(expect, { outcome, logs, calls, redactor })
        : [
            'the input does not fit the inputs of the workflow, so nothing ran',
            ...problems.map(({ field, problem }) => redactor.text(`${field} ${problem}`)),
          ],
    warnings: [
      ...mockWarnings(answers, prepared.workflow, redactor),
      ...Object.keys(messages)
        .filter((message) => !awaited.has(message))
        .map((message) => redactor.text(`no line waited for the message "${message}".`)),
    ],
    record,
  };
}
