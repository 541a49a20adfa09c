// State shared by all workflows of one `wf test`: output, verbosity, the engine, and when to stop.
import type { LogEntry } from '../../runtime/types.js';
import { oneLine } from '../../runtime/values/one-line.js';
import type { LocatedDiagnostic } from '../compiler/diagnostics/diagnostic.js';
import { type Colour, paint, renderText, summary } from '../compiler/diagnostics/render-text.js';
import { createEngine, type Engine } from '../engine/engine.js';
import type { Io } from '../engine/io.js';
import { saveLogFile } from '../engine/records/log-file.js';
import type { RunRecord } from '../engine/records/run-record.js';
import { verboseLine } from '../engine/records/terminal-lines.js';

/** Numbers of cases, or of runs without cases. A workflow that fails the check counts as failed. */
export interface TestCounts {
  readonly passed: number;
  readonly failed: number;
}

/** A case, or a run without a case. A workflow that fails the check has one result, too. */
export interface TestResult {
  /** The workflow. */
  readonly file: string;
  readonly name: string;
  readonly status: 'passed' | 'failed';
  /** Lines that say why it failed, redacted. */
  readonly details: readonly string[];
}

export class TestSession {
  readonly cwd: string;
  readonly env: Io['env'];
  readonly verbose: boolean;
  /** Always uses mock services. */
  readonly engine: Engine = createEngine({ env: {}, mock: true });
  /** In the order in which they ended. */
  readonly results: TestResult[] = [];
  readonly #io: Io;
  readonly #isText: boolean;
  readonly #logFile: string | undefined;
  #warnings = 0;
  readonly #leastCoverage: number | undefined;
  #isUncovered = false;
  readonly #stop = new AbortController();
  readonly #unlisten: () => void;

  /** @param logFile absolute path for the log of the only run */
  constructor(
    io: Io,
    options: {
      readonly verbose: boolean;
      readonly logFile: string | undefined;
      readonly coverage?: number | undefined;
      /** Print nothing of the results, because a program gets them as a whole. */
      readonly silent?: boolean;
    },
  ) {
    this.#leastCoverage = options.coverage;
    this.#isText = options.silent !== true;
    this.cwd = io.cwd;
    this.env = io.env;
    this.verbose = options.verbose;
    this.#io = io;
    this.#logFile = options.logFile;
    this.#unlisten = io.onStop(() => this.#stop.abort(new Error('interrupted')));
  }

  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  get colour(): Io['colour'] {
    return this.#io.colour;
  }

  /** A line of the result, for people. */
  print(text: string): void {
    if (this.#isText) this.#io.stdout.write(`${text}\n`);
  }

  /** Records a result and prints it. @param reasons further details, which people see elsewhere */
  add(result: TestResult, reasons: readonly string[] = []): void {
    this.results.push({ ...result, details: [...result.details, ...reasons] });
    const mark = result.status === 'passed' ? this.paint('✓', 'green') : this.paint('✗', 'red');
    this.print(`${mark} ${oneLine(result.name)}`);
    for (const line of result.details) this.print(`    ${line}`);
  }

  /** Records a workflow that fails the check. */
  notRun(file: string): void {
    this.add({ file, name: 'not run: the file has errors', status: 'failed', details: [] });
  }

  /** A line about progress or problems. */
  note(text: string): void {
    this.#io.stderr.write(`${text}\n`);
  }

  paint(text: string, colour: Colour): string {
    return paint(text, colour, this.colour.stdout);
  }

  /** A warning, on one line. */
  warn(text: string): void {
    this.#warnings++;
    this.note(oneLine(text));
  }

  /** Number of warnings printed, including those of the check. */
  get warnings(): number {
    return this.#warnings;
  }

  /** Errors and warnings of the check, in the format of `wf check`. */
  report(diagnostics: readonly LocatedDiagnostic[]): void {
    this.#warnings += diagnostics.filter(({ severity }) => severity === 'warning').length;
    if (diagnostics.length > 0)
      this.note(`${renderText(diagnostics, { colour: this.colour.stderr })}\n\n${summary(diagnostics)}\n`);
  }

  /** Counts what the tests of a workflow reached. */
  cover(file: string, reached: number, reachable: number): void {
    const share = reachable === 0 ? 100 : (100 * reached) / reachable;
    if (this.#leastCoverage === undefined || share >= this.#leastCoverage) return;
    this.#isUncovered = true;
    this.note(
      `${file}: ${Math.floor(share)} % of its lines and branches are covered, but --coverage requires ${this.#leastCoverage} %.`,
    );
  }

  /** A workflow whose coverage is below `--coverage`. */
  get isUncovered(): boolean {
    return this.#isUncovered;
  }

  /** A line of `--verbose`. */
  watch(entry: LogEntry): void {
    const line = this.verbose ? verboseLine(entry, { colour: this.colour.stderr }) : undefined;
    if (line !== undefined) this.note(line);
  }

  /** Writes `--output-log`, if requested. */
  async save(record: RunRecord): Promise<void> {
    if (this.#logFile === undefined) return;
    const saved = await saveLogFile(this.#logFile, record);
    if ('problem' in saved) this.note(saved.problem);
  }

  async close(): Promise<void> {
    this.#unlisten();
    await this.engine.close();
  }
}
