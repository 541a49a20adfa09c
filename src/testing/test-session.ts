// What all workflows of one `wf test` share: where lines go, whether details are shown, the engine, and when to stop.
import type { LogEntry } from '../../runtime/types.js';
import type { Io } from '../commands/io.js';
import type { LocatedDiagnostic } from '../compiler/diagnostics/diagnostic.js';
import { type Colour, paint } from '../compiler/diagnostics/paint.js';
import { renderText } from '../compiler/diagnostics/render-text.js';
import { summary } from '../compiler/diagnostics/summary.js';
import { createEngine, type Engine } from '../engine/engine.js';
import { saveLogFile } from '../engine/log-file.js';
import { verboseLine } from '../engine/log-lines.js';
import type { RunRecord } from '../engine/run-record.js';

/** How many cases, or runs without cases, went well; a workflow that the check refuses counts as failed. */
export interface Tally {
  readonly passed: number;
  readonly failed: number;
}

export class TestSession {
  readonly cwd: string;
  readonly env: Io['env'];
  readonly verbose: boolean;
  /** Asks for mock services whatever a run says of them. */
  readonly engine: Engine = createEngine({ env: {}, mock: true });
  readonly #io: Io;
  readonly #logFile: string | undefined;
  readonly #stop = new AbortController();
  readonly #unlisten: () => void;

  /** `logFile`: the absolute path that the log of the only run is written to. */
  constructor(io: Io, options: { readonly verbose: boolean; readonly logFile: string | undefined }) {
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

  /** The line of a workflow that the check refuses. */
  notRun(): void {
    this.print(`${this.paint('✗', 'red')} not run: the file has errors`);
  }

  /** A line about what happens meanwhile, or what is wrong. */
  tell(text: string): void {
    this.#io.stderr.write(`${text}\n`);
  }

  paint(text: string, colour: Colour): string {
    return paint(text, colour, this.colour.stdout);
  }

  /** Errors and warnings of the check, as `wf check` shows them. */
  report(diagnostics: readonly LocatedDiagnostic[]): void {
    if (diagnostics.length > 0)
      this.tell(`${renderText(diagnostics, { colour: this.colour.stderr })}\n\n${summary(diagnostics)}\n`);
  }

  /** A line of `--verbose`. */
  watch(entry: LogEntry): void {
    const line = this.verbose ? verboseLine(entry, { colour: this.colour.stderr }) : undefined;
    if (line !== undefined) this.tell(line);
  }

  /** Writes `--output-log`, where it was asked for. */
  async save(record: RunRecord): Promise<void> {
    if (this.#logFile === undefined) return;
    const saved = await saveLogFile(this.#logFile, record);
    if ('problem' in saved) this.tell(saved.problem);
  }

  async close(): Promise<void> {
    this.#unlisten();
    await this.engine.close();
  }
}
