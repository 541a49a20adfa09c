// The log of one run. Redacts each entry, then passes it to the host immediately and, up to a limit, to the outcome. Nothing
// reaches a host without redaction.
import type { Environment, LogEntry, Redactor, RunOptions, ServiceSpec, TraceSpan, Value, WorkflowInfo } from '../types.js';
import { jsonSize, mostText } from '../values/json.js';
import { work } from '../workload.js';
import { milliseconds } from './clock.js';
import type { DurableBranch } from './durable-run.js';
import { redactorFor } from './redaction.js';
import { headerSecrets, querySecrets, secretsOf } from './secrets.js';

/** Entries to keep. */
const mostEntries = 10_000;

/** Details that only contain words of the `.wf` file or of the language. They need no redaction, which costs time. */
const inTheFile: ReadonlySet<string> = new Set(['service', 'kind', 'phrase', 'method', 'event', 'name', 'ok']);

/** Entries about effects. Their records are stored, and recreate these entries. */
const broughtByEffects: ReadonlySet<LogEntry['type']> = new Set(['call', 'retry', 'wait', 'message']);

let lastMs = 0;
let lastText = '';

/** ISO 8601. Entries of the same millisecond, frequent on a busy server, share their text. */
function timeText(ms: number): string {
  if (ms !== lastMs) {
    lastMs = ms;
    lastText = new Date(ms).toISOString();
  }
  return lastText;
}

type Header = readonly [name: string, value: string];

/** A service that sets a new cookie with each of a thousand answers must not make redaction slower and slower. */
const mostHeaders = 30;

const noHeaders: readonly never[] = [];

interface OpenStep {
  readonly name: string;
  readonly line: number;
  readonly started: number;
  readonly depth: number;
  readonly around: OpenStep | undefined;
  readonly span: TraceSpan | undefined;
}

/** What the log knows of its run. */
interface LoggedRun {
  readonly workflow: WorkflowInfo;
  readonly environment: Environment;
  readonly options: RunOptions;
  readonly services: readonly ServiceSpec[];
}

export class RunLog {
  readonly entries: LogEntry[];
  dropped = 0;
  /** Size of the kept entries as JSON. */
  #characters = 0;
  /** False if no one would see an entry: creating one costs more than most statements. */
  readonly wanted: boolean;
  /** Whether the outcome will contain the entries. */
  readonly keeps: boolean;
  #step: OpenStep | undefined;
  readonly #options: RunOptions;
  readonly #run: LoggedRun;
  /** For a run in a store: knows which entries were written before. */
  readonly #branch: DurableBranch | undefined;
  /** For a branch: the log of what is around it. */
  readonly around: RunLog | undefined;
  /** Headers that carried credentials, as sent or received. */
  #headers: readonly (readonly Header[])[] = noHeaders;
  /** Addresses with keys in their query. */
  #addresses: readonly string[] = noHeaders;
  #redactor: Redactor | undefined;
  #unset: Set<string> | undefined;
  /** The log of the whole run, which keeps the entries of its branches. */
  readonly #whole: RunLog;
  /** Number of open steps when the branch began. */
  readonly #base: number;
  #isClosed = false;

  constructor(run: LoggedRun, around?: RunLog, branch: DurableBranch | undefined = run.options.durable?.main) {
    this.around = around;
    this.#whole = around === undefined ? this : around.#whole;
    this.#step = around === undefined ? undefined : around.#step;
    this.#base = this.#step === undefined ? 0 : this.#step.depth + 1;
    this.entries = around?.entries ?? [];
    const { options } = run;
    this.#run = run;
    this.#options = options;
    this.#branch = branch;
    this.keeps = options.keepLog !== false;
    this.wanted = this.keeps || options.onLog !== undefined || options.durable !== undefined || options.trace !== undefined;
  }

  /** The log of a branch: it has its own steps, and its entries belong to the run. */
  branch(durable: DurableBranch | undefined): RunLog {
    return new RunLog(this.#run, this, durable);
  }

  get redactor(): Redactor {
    if (this.#whole !== this) return this.#whole.redactor;
    if (this.#redactor === undefined) {
      const met = [
        ...this.#headers.flat().flatMap(([name, value]) => headerSecrets(name, value)),
        ...this.#addresses.flatMap(querySecrets),
      ];
      const { workflow, environment, options, services } = this.#run;
      const known = secretsOf(workflow, environment, options.secrets, services);
      this.#redactor = redactorFor(met.length === 0 ? known : [...known, ...met]);
    }
    return this.#redactor;
  }

  /** Keeps the credentials in these headers out of all later entries. */
  hideHeaders(headers: readonly Header[]): void {
    const whole = this.#whole;
    // Each call of a service passes the same list.
    if (headers.length === 0 || whole.#headers.includes(headers)) return;
    whole.#headers = [...whole.#headers.slice(-mostHeaders), headers];
    whole.#redactor = undefined;
  }

  /** Keeps the keys in the query of an address that is called out of all later entries. */
  hideAddress(address: string): void {
    const whole = this.#whole;
    if (!address.includes('?') || whole.#addresses.includes(address) || querySecrets(address).length === 0) return;
    whole.#addresses = [...whole.#addresses.slice(-mostHeaders), address];
    whole.#redactor = undefined;
  }

  /** @param isUnrecorded the effect that the entry is about is not recorded, so its record does not recreate it */
  add(type: LogEntry['type'], line: number | undefined, details: Readonly<Record<string, Value>>, isUnrecorded = false): void {
    if (!this.wanted || this.#isClosed) return;
    const entry: LogEntry = { time: timeText(Date.now()), type };
    if (this.#step !== undefined) entry.step = this.#step.name;
    if (line !== undefined) entry.line = line;
    for (const key of Object.keys(details)) {
      const value = details[key];
      if (value === undefined) continue;
      // Text is searched for secrets.
      if (typeof value === 'string') work(value.length);
      entry[key] = (typeof value === 'number' && key !== 'value') || inTheFile.has(key) ? value : this.redactor.value(value);
    }
    // Waiting for a service with a limit is part of a call rather than an effect.
    const isKept = isUnrecorded || !broughtByEffects.has(type) || (type === 'wait' && details.service !== undefined);
    if (this.#branch !== undefined && isKept && !this.#branch.log(entry)) return;
    if (this.keeps) this.#whole.#keep(entry);
    this.#options.onLog?.(entry, this);
  }

  /**
   * Adds an entry of a called workflow, at the line of its call. The journal of that workflow stores it, if there is one.
   * @param workflow the name of its service
   */
  forward(entry: LogEntry, workflow: string, line: number): void {
    if (!this.wanted || this.#isClosed) return;
    const { line: own, ...rest } = entry;
    const redacted = this.redactor.value({ ...rest, workflow, ...(own === undefined ? {} : { calledLine: own }) });
    const step = entry.step ?? this.#step?.name;
    // Redaction does not change the type and time of an entry.
    const forwarded = { ...(redacted as LogEntry), line, ...(step === undefined ? {} : { step }) };
    if (this.keeps) this.#whole.#keep(forwarded);
    this.#options.onLog?.(forwarded);
  }

  #keep(entry: LogEntry): void {
    this.#characters += jsonSize(entry, mostText);
    if (this.entries.length < mostEntries && this.#characters <= mostText) this.entries.push(entry);
    else this.dropped++;
  }

  /** Once per variable. */
  warnUnset(name: string): void {
    const whole = this.#whole;
    whole.#unset ??= new Set();
    if (whole.#unset.has(name)) return;
    whole.#unset.add(name);
    this.add('warning', undefined, { message: `The environment variable ${name} is not set. It counts as empty.` });
  }

  /** The span of the innermost open step, or of the run. */
  get span(): TraceSpan | undefined {
    return this.#step === undefined ? this.#options.trace : this.#step.span;
  }

  /** Opens a step and returns how many steps are open around it. */
  enter(name: string, line: number): number {
    if (!this.wanted) return 0;
    const depth = this.#step === undefined ? 0 : this.#step.depth + 1;
    const span = this.span?.child({ kind: 'step', name, line, file: this.#run.workflow.file });
    this.#step = { name, line, started: milliseconds(), depth, around: this.#step, span };
    this.add('step', line, { event: 'start' });
    return depth;
  }

  /** Closes the steps from this depth on, innermost first. */
  leave(depth: number): void {
    for (let step = this.#step; step !== undefined && step.depth >= depth; step = step.around) {
      this.add('step', step.line, { event: 'end', durationMs: Math.round(milliseconds() - step.started) });
      step.span?.end();
      this.#step = step.around;
    }
  }

  /** Closes open steps; in a branch, only those it opened. @throws what `onLog` throws, but not the next time */
  leaveAll(): void {
    try {
      this.leave(this.#base);
    } catch (error) {
      this.#step = undefined;
      throw error;
    }
  }

  /** The branch is over: its later entries are not logged. */
  close(): void {
    try {
      this.leaveAll();
    } finally {
      this.#isClosed = true;
    }
  }
}
