// The log of one run: entries go in, redacted ones come out, to the host at once and, up to a limit, to the outcome. Its own file,
// because nothing may reach a host past the redaction.
import { redactorFor } from './redaction.js';
import type { LogEntry, Redactor, RunOptions, Value } from './types.js';

/** Entries that a run keeps (behaviour.md 7). */
const mostEntries = 10_000;

interface OpenStep {
  readonly name: string;
  readonly line: number;
  readonly started: number;
}

export class RunLog {
  readonly entries: LogEntry[] = [];
  dropped = 0;
  /** False where nobody would see an entry: making one costs more than most statements. */
  readonly wanted: boolean;
  readonly #onLog: ((entry: LogEntry) => void) | undefined;
  readonly #keep: boolean;
  readonly #steps: OpenStep[] = [];
  #secrets: readonly string[];
  #redactor: Redactor | undefined;

  constructor(options: RunOptions, secrets: readonly string[]) {
    this.#onLog = options.onLog;
    this.#keep = options.keepLog !== false;
    this.wanted = this.#keep || this.#onLog !== undefined;
    this.#secrets = secrets;
  }

  get redactor(): Redactor {
    this.#redactor ??= redactorFor(this.#secrets);
    return this.#redactor;
  }

  /** Whether this run has anything to hide. */
  get hasSecrets(): boolean {
    return this.#secrets.length > 0;
  }

  /** Texts that the run came to know and that no later entry may hold. */
  hide(secrets: readonly string[]): void {
    const fresh = secrets.filter((secret) => !this.#secrets.includes(secret));
    if (fresh.length === 0) return;
    this.#secrets = [...this.#secrets, ...fresh];
    this.#redactor = undefined;
  }

  add(type: LogEntry['type'], line: number | undefined, details: Readonly<Record<string, Value>>): void {
    if (!this.wanted) return;
    const entry: LogEntry = { time: new Date().toISOString(), type };
    const step = this.#steps[this.#steps.length - 1];
    if (step !== undefined) entry.step = this.redactor.text(step.name);
    if (line !== undefined) entry.line = line;
    for (const key of Object.keys(details)) {
      const value = details[key];
      if (value !== undefined) entry[key] = typeof value === 'number' ? value : this.redactor.value(value);
    }
    if (this.#keep && this.entries.length < mostEntries) this.entries.push(entry);
    else if (this.#keep) this.dropped++;
    this.#onLog?.(entry);
  }

  /** Opens a step; returns how many are open around it. */
  enter(name: string, line: number): number {
    if (!this.wanted) return 0;
    const depth = this.#steps.push({ name, line, started: performance.now() }) - 1;
    this.add('step', line, { event: 'start' });
    return depth;
  }

  /** Closes the steps from this depth on, innermost first. */
  leave(depth: number): void {
    while (this.#steps.length > depth) {
      const step = this.#steps[this.#steps.length - 1];
      if (step === undefined) return;
      this.add('step', step.line, { event: 'end', durationMs: Math.round(performance.now() - step.started) });
      this.#steps.pop();
    }
  }
}
