// Records one call: each attempt with its result, and each wait between two with its due time.
import type { AttemptOptions, DurableCall, EffectSite, Performed, Recorded, Sleep } from '../../../runtime/run/durable-run.js';
import { type AttemptBody, entryKinds, isoOf } from '../model/entries.js';
import type { BranchJournal } from './branch-journal.js';
import { untilDue, untilTurn, upToLatest } from './long-waits.js';

export class CallJournal implements DurableCall {
  readonly key: string;
  readonly #branch: BranchJournal;
  readonly #site: EffectSite;
  readonly #seq: number;

  constructor(branch: BranchJournal, site: EffectSite, seq: number) {
    this.#branch = branch;
    this.#site = site;
    this.#seq = seq;
    this.key = branch.run.host.keyOf(branch.path, seq);
  }

  hasRecord(attempt: number): boolean {
    return this.#branch.part(this.#seq, 2 * attempt)?.kind === entryKinds.call;
  }

  async attempt<T>(
    attempt: number,
    perform: () => Promise<Performed<T>>,
    { inDoubt, turn }: AttemptOptions<T> = {},
  ): Promise<Recorded<T>> {
    const branch = this.#branch;
    const row = branch.part(this.#seq, 2 * attempt);
    if (row?.kind === entryKinds.call) {
      await branch.yieldToEventLoop();
      const { r } = JSON.parse(row.body ?? '{}') as AttemptBody<unknown>; // written below
      return { result: r as T, replayed: true }; // recorded at the same place by the same module
    }
    const passing = branch.pass(this.#site);
    if (passing !== undefined) await passing;
    branch.run.countEffect();
    const at = Date.now();
    // It was about to be sent when its process died.
    if (row?.kind === entryKinds.intent && inDoubt !== undefined)
      return this.#record(attempt, at, { result: inDoubt(), shown: {} }, 0);
    if (attempt > 0) {
      if (turn !== undefined) await untilTurn(branch, turn);
      if (inDoubt !== undefined) this.#write(entryKinds.intent, 2 * attempt, at);
      const ahead = branch.run.ahead(branch);
      if (ahead !== undefined) await ahead;
      branch.run.passed(branch);
    } else branch.writeLog();
    const started = Date.now();
    let performed: Performed<T>;
    branch.isInEffect = true;
    try {
      performed = await perform();
    } finally {
      branch.isInEffect = false;
    }
    // Work in progress when the run was released is recorded, unless another process may have recorded it already, or nothing was done.
    const { suspended } = branch.run;
    if (suspended === 'lost' || suspended === 'stuck') branch.run.check();
    return this.#record(attempt, started, performed, Date.now() - started);
  }

  #record<T>(attempt: number, at: number, { result, shown }: Performed<T>, ms: number): Recorded<T> {
    const { rounds } = this.#site;
    const body = this.#branch.run.bodyOf(this.#site, { r: result, shown, rounds } satisfies AttemptBody<unknown>);
    this.#branch.writeLogOf(this.#seq);
    this.#write(entryKinds.call, 2 * attempt, at, body, ms);
    this.#branch.run.host.flush();
    return { result, replayed: false };
  }

  async pause(attempt: number, ms: number, sleep: Sleep, begin: () => void): Promise<void> {
    const branch = this.#branch;
    const part = 2 * attempt + 1;
    const row = branch.part(this.#seq, part);
    // The next attempt is recorded, so the wait is over.
    if (row !== undefined && this.hasRecord(attempt + 1)) return;
    await branch.pass(this.#site);
    const at = Date.now();
    const length = upToLatest(ms, at);
    const due = row === undefined ? at + length : row.at + (row.ms ?? 0);
    if (row === undefined) {
      begin();
      this.#write(entryKinds.retry, part, at, undefined, length);
    }
    const waiting = {
      kind: 'retry',
      since: isoOf(row?.at ?? at),
      line: this.#site.line,
      ...(this.#site.service === undefined ? {} : { service: this.#site.service }),
    } as const;
    const { host } = branch.run;
    if ((row?.at ?? at) <= (host.retriedAt ?? 0)) return;
    await untilDue(branch, waiting, due, (left) => sleep(left, host.hurried?.()));
  }

  #write(kind: (typeof entryKinds)['call' | 'intent' | 'retry'], part: number, at: number, body?: string, ms?: number): void {
    this.#branch.run.write({ kind, branch: this.#branch.path, seq: this.#seq, part, site: this.#site.site, at, ms, body });
  }
}
