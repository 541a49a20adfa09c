// Records waits: the start with its due time (part 0), and the end with the moment that `now` moves to (part 1). Releases the run during a
// wait for which it need not stay in memory.
import { type EffectSite, type Sleep, type SuspensionReason, suspend } from '../../../runtime/run/durable-run.js';
import { type EntryRow, entryKinds, isoOf } from '../model/entries.js';
import type { WaitingFor } from '../model/run-views.js';
import type { BranchJournal } from './branch-journal.js';

/** Minimum milliseconds of a wait during which a run is not kept in memory. */
const LONG_MS = 60_000;

/** Whether a run leaves memory for a wait of this many milliseconds. */
export const isLongWait = (ms: number): boolean => ms > LONG_MS;

/** Shorter waits are not shown, and not written immediately: they may start over. */
const SHORT_MS = 1_000;

/** A wait that would end later never ends in practice, but its due time must be a date. */
const LATEST = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/** A length in milliseconds from `at`, or as much of it as there are dates. */
export const upToLatest = (ms: number, at: number): number => Math.min(ms, LATEST - at);

/**
 * When a wait is over: after the time that its file gives it, or now, if someone has skipped it. Without a time, nothing but what it waits for
 * ends it.
 * @param at when it began
 */
export const waitEnd = ({ run }: BranchJournal, { line }: EffectSite, at: number, due: number | undefined): number | undefined =>
  due !== undefined && at <= (run.host.skippedAt?.(line) ?? 0) ? Math.min(due, Date.now()) : due;

/** Waits until a moment, or releases the run. @throws a suspension, or whatever `sleep` throws */
export async function untilDue(branch: BranchJournal, waiting: WaitingFor, due: number, sleep: Sleep): Promise<void> {
  const left = due - Date.now();
  if (left <= 0) return;
  if (left < SHORT_MS) return sleep(left);
  const { run } = branch;
  const isLong = isLongWait(left);
  branch.writeLog();
  if (isLong) await run.before(branch);
  else run.host.flush();
  await paused(branch, { ...waiting, until: isoOf(due) }, due, isLong, () => sleep(Math.max(0, due - Date.now())));
}

/** Waits for the turn of a call, which a run that is being released does not do. @throws a suspension */
export async function untilTurn(branch: BranchJournal, turn: () => Promise<void> | undefined): Promise<void> {
  const granted = Promise.resolve(turn());
  // No one waits for it any more once the run is released.
  granted.catch(() => undefined);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(resolve, SHORT_MS, true);
  });
  try {
    if (await Promise.race([granted, late])) await paused(branch, undefined, undefined, false, () => granted);
  } finally {
    clearTimeout(timer);
  }
  branch.check();
}

/**
 * The branch waits for `work`. If that takes long, the run may be released.
 * @param waiting shown to others, unless it is `undefined`
 */
export function paused<T>(
  branch: BranchJournal,
  waiting: WaitingFor | undefined,
  due: number | undefined,
  isLong: boolean,
  work: () => Promise<T>,
): Promise<T> {
  const { gate } = branch.run;
  // Another branch may have ended the block meanwhile. Such a wait must not count as what the run waits for.
  if (branch.isClosed) return Promise.reject(suspend('released'));
  // The time limit of a called workflow ends it in a moment. Released, it would only come back here.
  if (branch.deadline <= Date.now()) return work();
  const first = Math.min(due ?? Number.POSITIVE_INFINITY, branch.deadline);
  return new Promise<T>((resolve, reject) => {
    let isParked = false;
    const pause = {
      ...{ branch, waiting, due: first === Number.POSITIVE_INFINITY ? undefined : first, isLong },
      park: (reason: SuspensionReason) => {
        isParked = true;
        reject(suspend(reason));
      },
    };
    gate.pause(pause);
    if (isParked) return;
    work()
      .finally(() => gate.resume(pause))
      .then(resolve, reject);
  });
}

interface Begun {
  readonly seq: number;
  readonly begin: EntryRow | undefined;
  readonly end: EntryRow | undefined;
}

export function begun(branch: BranchJournal, site: EffectSite): Begun {
  const seq = branch.next(site);
  return { seq, begin: branch.part(seq, 0), end: branch.part(seq, 1) };
}

type WaitKind = (typeof entryKinds)['wait' | 'message' | 'person'];

/** The moment at which a recorded wait ended, if it moved `now`. */
export function advanceNow(branch: BranchJournal, end: EntryRow): void {
  // `ms` is 0 if nothing was waited for, which is not a pause.
  if (end.ms !== 0) branch.now = Math.max(branch.now, end.at);
}

export function writeBegin(
  branch: BranchJournal,
  kind: WaitKind,
  site: EffectSite,
  seq: number,
  ms: number | undefined,
  body?: unknown,
  at = Date.now(),
): void {
  branch.run.countEffect();
  branch.writeLog();
  branch.run.write({
    ...{ kind, branch: branch.path, seq, part: 0, site: site.site, at },
    ...(ms === undefined ? {} : { ms: upToLatest(ms, at) }),
    ...(body === undefined && site.rounds === undefined
      ? {}
      : { body: JSON.stringify({ ...(body ?? {}), rounds: site.rounds }) }),
  });
}

export function writeEnd(
  branch: BranchJournal,
  kind: WaitKind,
  site: EffectSite,
  seq: number,
  wasPause: boolean,
  body?: unknown,
): void {
  const at = Math.max(Date.now(), branch.now);
  if (wasPause) branch.now = at;
  branch.check();
  branch.run.write({
    ...{ kind, branch: branch.path, seq, part: 1, site: site.site, at, ms: wasPause ? 1 : 0 },
    ...(body === undefined ? {} : { body: branch.run.bodyOf(site, body) }),
  });
  branch.run.host.flush();
}

/** `wait`. @param length `due` if the file names a moment, in milliseconds since 1970 */
export async function waitFor(
  branch: BranchJournal,
  site: EffectSite,
  length: { readonly ms: number; readonly due: number | undefined },
  sleep: Sleep,
  onBegin: () => void,
): Promise<void> {
  const { seq, begin, end: recorded } = begun(branch, site);
  if (recorded !== undefined) {
    advanceNow(branch, recorded);
    return branch.yieldToEventLoop();
  }
  await branch.pass(site);
  const at = begin?.at ?? Date.now();
  const wanted = length.due === undefined ? length.ms : Math.max(0, length.due - at);
  const ms = begin === undefined ? upToLatest(wanted, at) : (begin.ms ?? 0);
  if (begin === undefined) {
    onBegin();
    writeBegin(branch, entryKinds.wait, site, seq, ms, undefined, at);
  }
  const due = at + ms;
  const end = (): number => waitEnd(branch, site, at, due) ?? due;
  /** It lasts as long as its file says, also if the clock is set back meanwhile. */
  const asleep = async (ms: number): Promise<void> => {
    const over = performance.now() + ms;
    let isWoken = true;
    for (let left = ms; isWoken && left > 0 && end() > Date.now(); left = over - performance.now()) {
      isWoken = false;
      const hurried = branch.run.host.hurried?.().then(() => {
        isWoken = true;
      });
      await sleep(left, hurried);
    }
  };
  await untilDue(branch, { kind: 'time', since: isoOf(at), line: site.line }, end(), asleep);
  writeEnd(branch, entryKinds.wait, site, seq, true);
}
