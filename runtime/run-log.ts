// The log of one run: entries go in, redacted ones come out, to the host at once and, up to a limit, to the outcome. Its own file,
// because nothing may reach a host past the redaction.
import { milliseconds } from './clock.js';
import { redactorFor } from './redaction.js';
import { headerSecrets, secretsOf } from './secrets.js';
import type { LogEntry, Redactor, RunOptions, ServiceSpec, Value, WorkflowInfo } from './types.js';

/** Entries that a run keeps (behaviour.md 7). */
const mostEntries = 10_000;

/** Details that are words of the `.wf` file or of the language: nothing from outside can be in them, and looking costs time. */
const inTheFile: ReadonlySet<string> = new Set(['service', 'kind', 'phrase', 'method', 'event', 'name', 'ok']);

let lastMs = 0;
let lastText = '';

/** ISO 8601; the entries of one millisecond, which are many on a busy server, share their text. */
function timeText(ms: number): string {
  if (ms !== lastMs) {
    lastMs = ms;
    lastText = new Date(ms).toISOString();
  }
  return lastText;
}

type Header = readonly [name: string, value: string];

/** A service that gives a new cookie with each of a thousand answers must not make the search for them slower and slower. */
const mostHeaders = 30;

const noHeaders: readonly never[] = [];

interface OpenStep {
  readonly name: string;
  readonly line: number;
  readonly started: number;
  readonly depth: number;
  readonly around: OpenStep | undefined;
}

export class RunLog {
  readonly entries: LogEntry[] = [];
  dropped = 0;
  /** False where nobody would see an entry: making one costs more than most statements. */
  readonly wanted: boolean;
  /** Whether the outcome will hold the entries. */
  readonly keeps: boolean;
  #step: OpenStep | undefined;
  readonly #options: RunOptions;
  readonly #workflow: WorkflowInfo;
  readonly #env: Readonly<Record<string, string | undefined>>;
  readonly #services: readonly ServiceSpec[];
  /** Headers that carried credentials, as they were sent or received. */
  #headers: readonly (readonly Header[])[] = noHeaders;
  #redactor: Redactor | undefined;

  constructor(
    workflow: WorkflowInfo,
    env: Readonly<Record<string, string | undefined>>,
    options: RunOptions,
    services: readonly ServiceSpec[],
  ) {
    this.#workflow = workflow;
    this.#env = env;
    this.#options = options;
    this.#services = services;
    this.keeps = options.keepLog !== false;
    this.wanted = this.keeps || options.onLog !== undefined;
  }

  get redactor(): Redactor {
    if (this.#redactor === undefined) {
      const met = this.#headers.flat().flatMap(([name, value]) => headerSecrets(name, value));
      const known = secretsOf(this.#workflow, this.#env, this.#options.secrets, this.#services);
      this.#redactor = redactorFor(met.length === 0 ? known : [...known, ...met]);
    }
    return this.#redactor;
  }

  /** The run met these headers: no later entry may hold the credentials in them. */
  hideHeaders(headers: readonly Header[]): void {
    // The same list comes with each call of a service.
    if (headers.length === 0 || this.#headers.includes(headers)) return;
    this.#headers = [...this.#headers.slice(-mostHeaders), headers];
    this.#redactor = undefined;
  }

  add(type: LogEntry['type'], line: number | undefined, details: Readonly<Record<string, Value>>): void {
    if (!this.wanted) return;
    const entry: LogEntry = { time: timeText(Date.now()), type };
    if (this.#step !== undefined) entry.step = this.#step.name;
    if (line !== undefined) entry.line = line;
    for (const key of Object.keys(details)) {
      const value = details[key];
      if (value === undefined) continue;
      entry[key] = (typeof value === 'number' && key !== 'value') || inTheFile.has(key) ? value : this.redactor.value(value);
    }
    if (this.keeps && this.entries.length < mostEntries) this.entries.push(entry);
    else if (this.keeps) this.dropped++;
    this.#options.onLog?.(entry);
  }

  /** Opens a step; returns how many are open around it. */
  enter(name: string, line: number): number {
    if (!this.wanted) return 0;
    const depth = this.#step === undefined ? 0 : this.#step.depth + 1;
    this.#step = { name, line, started: milliseconds(), depth, around: this.#step };
    this.add('step', line, { event: 'start' });
    return depth;
  }

  /** Closes the steps from this depth on, innermost first. */
  leave(depth: number): void {
    for (let step = this.#step; step !== undefined && step.depth >= depth; step = step.around) {
      this.add('step', step.line, { event: 'end', durationMs: Math.round(milliseconds() - step.started) });
      this.#step = step.around;
    }
  }
}
