// `wf test --generate`: writes cases for every way through a workflow and for both sides of each boundary. Each is run first, and kept if it
// reaches something that no case before it does. People review them: they say what happens, not what should.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { mocksFromJson } from '../../runtime/services/given-mocks.js';
import type { Value, WfRecord } from '../../runtime/types.js';
import { type Candidate, candidates } from '../analysis/candidates.js';
import { EXAMPLE_DAY } from '../analysis/witness.js';
import { checkFile } from '../compiler/compile.js';
import { workflowFiles } from '../engine/prepare/workflow-files.js';
import { exampleRecord } from '../input/example-value.js';
import { prepareWithCoverage } from './coverage.js';
import { caseFileOf, readCases } from './read-cases.js';
import { runCase } from './run-cases.js';
import type { TestSession } from './test-session.js';
import { type Tried, tryOut } from './trial.js';

interface Kept {
  readonly candidate: Candidate;
  readonly tried: Tried;
}

/** Returns the number of cases that were added; `undefined` if the file has errors. */
export async function generateCases(session: TestSession, file: string): Promise<number | undefined> {
  const { cwd } = session;
  const preparation = await prepareWithCoverage(file, { cwd, trace: false });
  if (!preparation.ok) {
    session.report(preparation.diagnostics);
    session.notRun(file);
    return undefined;
  }
  const full = path.resolve(cwd, file);
  const checked = checkFile(readFileSync(full), file, { files: workflowFiles(file, cwd) });
  const news = new News(preparation.reachable.map(({ line }) => line));
  const existing = readCases(file, cwd)?.cases ?? [];
  for (const one of existing) {
    const reached = new Set<number>();
    const { record } = await runCase(session.engine, preparation.prepared, one, { onReach: (index) => void reached.add(index) });
    news.add(reached, ending(record.outcome.status, record.outcome.message));
  }
  const same = new Set(existingInputs(full).map((one) => JSON.stringify(one)));
  const kept: Kept[] = [];
  for (const candidate of candidates(checked, exampleRecord(checked.facts.inputs ?? [], 'typical'))) {
    if (session.signal.aborted) break;
    const key = JSON.stringify([candidate.request, candidate.mocks]);
    if (same.has(key) || !mocksFromJson(candidate.mocks).ok) continue;
    const tried = await tryOut(session.engine, preparation.prepared, candidate);
    if (tried.isRefused || !news.isNew(candidate, tried)) continue;
    same.add(key);
    kept.push({ candidate, tried });
  }
  if (kept.length > 0)
    append(
      path.resolve(cwd, caseFileOf(file)),
      kept,
      existing.map(({ name }) => name),
      checked.text,
    );
  return kept.length;
}

const ending = (status: string, message: string | undefined): string => `${status} ${message ?? ''}`;

/** What the cases so far have reached. */
class News {
  readonly #lines: readonly number[];
  readonly #reached = new Set<number>();
  readonly #ends = new Set<string>();
  readonly #tags = new Set<string>();

  constructor(lines: readonly number[]) {
    this.#lines = lines;
  }

  add(reached: ReadonlySet<number>, end: string): boolean {
    const before = this.#reached.size + this.#ends.size;
    for (const index of reached) this.#reached.add(index);
    this.#ends.add(end);
    return this.#reached.size + this.#ends.size > before;
  }

  /** Whether a run reached something new: a line, a branch, an end, or a boundary on the way that it was made for. */
  isNew({ end, tag }: Candidate, { outcome, reached }: Tried): boolean {
    const lines = new Set([...reached].map((index) => this.#lines[index]));
    const isOnWay = outcome.status === end.status && (end.line === undefined || lines.has(end.line));
    const message = outcome.status === 'rejected' ? outcome.message?.replaceAll(/\d+/g, '#') : String(outcome.error?.line ?? '');
    const isNew = this.add(reached, ending(outcome.status, message));
    if (tag === undefined || !isOnWay || this.#tags.has(`${tag} ${outcome.status}`)) return isNew;
    this.#tags.add(`${tag} ${outcome.status}`);
    return true;
  }
}

/** Input and answers of the cases in the file, as written. */
function existingInputs(full: string): [Value, Value][] {
  const file = full.replace(/\.wf$/, '.test.json');
  if (!existsSync(file)) return [];
  const read: unknown = JSON.parse(readFileSync(file, 'utf8'));
  const list = Array.isArray(read) ? read : ((read as { cases?: unknown[] }).cases ?? []); // `readCases` has accepted it
  return list.map((one: WfRecord) => [one.input ?? {}, one.mocks ?? {}]);
}

function append(file: string, kept: readonly Kept[], taken: readonly string[], text: string): void {
  const names = new Set(taken);
  const made = kept.map((one) => caseOf(one, names, text));
  const shown = made.map((one) => JSON.stringify(one, undefined, 2).replaceAll('\n', '\n  '));
  if (!existsSync(file)) {
    writeFileSync(file, `[\n  ${shown.join(',\n  ')}\n]\n`);
    return;
  }
  // The cases of people stay as they are, to the last space.
  const before = readFileSync(file, 'utf8');
  const end = before.lastIndexOf(']');
  const head = before.slice(0, end).trimEnd();
  const tail = before.slice(end);
  writeFileSync(
    file,
    `${head}${head.endsWith('[') ? '' : ','}\n  ${shown.join(',\n  ')}\n${tail.endsWith('\n') ? tail : `${tail}\n`}`,
  );
}

function caseOf({ candidate, tried }: Kept, names: Set<string>, text: string): WfRecord {
  const { request, mocks, messages, env } = candidate;
  const { outcome, calls } = tried;
  const { status, message, outputs } = outcome;
  return {
    name: nameOf(candidate, tried, names),
    generated: true,
    input: request,
    ...(Object.keys(env).length === 0 ? {} : { env: { ...env } }),
    ...(/\b(?:today|now)\b/.test(text) ? { at: EXAMPLE_DAY } : {}),
    ...(Object.keys(mocks).length === 0 ? {} : { mocks }),
    ...(Object.keys(messages).length === 0 ? {} : { messages }),
    expect: {
      status,
      ...(outputs === undefined || status !== 'completed' ? {} : { outputs }),
      ...(message === undefined ? {} : { message }),
      calls: calls.map(({ service, phrase, method, path: at, parameters, body, instruction }) => ({
        ...{ service: service ?? null, phrase: phrase ?? null },
        ...defined({ method, path: at, parameters, body, instruction }),
      })),
    },
  };
}

const defined = (values: Readonly<Record<string, Value | undefined>>): WfRecord =>
  Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => (value === undefined || isNothing(value) ? [] : [[name, value]])),
  );

const isNothing = (value: Value): boolean => typeof value === 'object' && value !== null && Object.keys(value).length === 0;

function nameOf({ tag }: Candidate, { outcome }: Tried, names: Set<string>): string {
  const { status, message } = outcome;
  const what = status === 'completed' ? 'completed' : `${status}: ${message ?? ''}`;
  const where = tag === undefined ? '' : `, ${tag.replace(/^request\./, '').replace(/#\d+\.result/, '')}`;
  const base = `${what.length > 80 ? `${what.slice(0, 79)}…` : what}${where}`.replaceAll(/\s+/g, ' ');
  let name = base;
  for (let count = 2; names.has(name); count++) name = `${base} (${count})`;
  names.add(name);
  return name;
}
