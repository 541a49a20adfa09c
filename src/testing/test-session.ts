// State shared by all workflows of one `wf test`: output, verbosity, the engine, and when to stop.
import type { LogEntry } from '../../runtime/types.js';
import { oneLine } from '../../runtime/values/one-line.js';
import type { LocatedDiagnostic } from '../compiler/diagnostics/diagnostic.js';
import { type Colour, paint } from '../compiler/diagnostics/paint.js';
import { renderText, summary } from '../compiler/diagnostics/render-text.js';
import { createEngine, type Engine } from '../engine/engine.js';
import type { Io } from '../engine/io.js';
import { saveLogFile } from '../engine/records/log-file.js';
import { verboseLine } from '../engine/records/log-lines.js';
import type { RunRecord } from '../engine/records/run-record.js';

/** Numbers of cases, or of runs without cases. A workflow that fails the check counts as failed. */
export interface TestCounts {
  readonly passed: number;
  readonly failed: number;
}

export class TestSession {
  readonly cwd: string;
  readonly env: Io['env'];
  readonly verbose: boolean;
  /** Always uses mock services. */
  readonly engine: Engine = createEngine({ env: {}, mock: true });
  readonly #io: Io;
  readonly #logFile: string | undefined;
  #warnings = 0;
  readonly #leastCoverage: number | undefined;
  #isUncovered = false;
  readonly #stop = new AbortController();
  readonly #unlisten: () => void;

  /** @param logFile absolute path for the log of the only run */
  constructor(
    io: Io,
    options: { readonly verbose: boolean; readonly logFile: string | undefined; readonly coverage?: number | undefined },
  ) {
    this.#leastCoverage = options.coverage;
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

  /** A line of the result. */
  print(text: string): void {
    this.#io.stdout.write(`${text}\n`);
  }

  /** The line of a workflow that fails the check. */
  notRun(): void {
    this.print(`${this.paint('✗', 'red')} not run: the file has errors`);
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
