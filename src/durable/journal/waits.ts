// Records waits for a time, a message or a person's answer: the start with its due time, and the end with the moment that `now` moves to.
// Releases the run during a wait for which it need not stay in memory.
import {
  type EffectSite,
  type Notify,
  type Question,
  type Recorded,
  type RemindersAt,
  type Sleep,
  type SuspensionReason,
  suspend,
  type TaskAnswer,
  type WantedMessage,
} from '../../../runtime/run/durable-run.js';
import type { Value } from '../../../runtime/types.js';
import { addressOfEffect, pathOfBlock } from '../model/addresses.js';
import { type BeginBody, type EndBody, type EntryRow, endBody, entryKinds, isoOf, partOf } from '../model/entries.js';
import type { WaitingFor } from '../model/run-views.js';
import type { BranchJournal } from './branch-journal.js';

/** Minimum milliseconds of a wait during which a run is not kept in memory. */
const LONG_MS = 60_000;

/** Whether a run leaves memory for a wait of this many milliseconds. A shorter one can already answer its caller: `run-waits.ts`. */
export const leavesMemory = (ms: number): boolean => ms > LONG_MS;

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
const waitEnd = ({ run }: BranchJournal, { line }: EffectSite, at: number, due: number | undefined): number | undefined =>
  due !== undefined && at <= (run.host.skippedAt?.(line) ?? 0) ? Math.min(due, Date.now()) : due;

/** Waits until a moment, or releases the run. @throws a suspension, or whatever `sleep` throws */
export async function untilDue(branch: BranchJournal, waiting: WaitingFor, due: number, sleep: Sleep): Promise<void> {
  const left = due - Date.now();
  if (left <= 0) return;
  if (left < SHORT_MS) return sleep(left);
  const { run } = branch;
  const isLong = leavesMemory(left);
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
function paused<T>(
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
      branch,
      waiting,
      due: first === Number.POSITIVE_INFINITY ? undefined : first,
      isLong,
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

type WaitKind = 'wait' | 'message' | 'person';

/** A wait of a branch: its position, and what is recorded of it. */
interface Wait<K extends WaitKind> {
  readonly kind: K;
  readonly site: EffectSite;
  readonly seq: number;
  readonly begin: EntryRow | undefined;
  readonly end: EntryRow | undefined;
}

function takePosition<K extends WaitKind>(branch: BranchJournal, kind: K, site: EffectSite): Wait<K> {
  const seq = branch.next(site);
  return { kind, site, seq, begin: branch.part(seq, partOf.begin), end: branch.part(seq, partOf.end) };
}

/** The moment at which a recorded wait ended, if it moved `now`. */
function advanceNow(branch: BranchJournal, end: EntryRow): void {
  // `ms` is 0 if nothing was waited for, which is not a pause.
  if (end.ms !== 0) branch.now = Math.max(branch.now, end.at);
}

/** @param ms its length, if it has one @param at when it begins */
function writeBegin<K extends WaitKind>(
  branch: BranchJournal,
  { kind, site, seq }: Wait<K>,
  ms: number | undefined,
  body: BeginBody<K>,
  at = Date.now(),
): void {
  const whole = { ...body, rounds: site.rounds };
  branch.run.countEffect();
  branch.writeLog();
  branch.run.write({
    kind: entryKinds[kind],
    branch: branch.path,
    seq,
    part: partOf.begin,
    site: site.site,
    at,
    ...(ms === undefined ? {} : { ms: upToLatest(ms, at) }),
    ...(Object.values(whole).every((value) => value === undefined) ? {} : { body: JSON.stringify(whole) }),
  });
}

function writeEnd<K extends WaitKind>(
  branch: BranchJournal,
  { kind, site, seq }: Wait<K>,
  wasPause: boolean,
  body?: EndBody<K>,
): void {
  const at = Math.max(Date.now(), branch.now);
  if (wasPause) branch.now = at;
  branch.check();
  branch.run.write({
    kind: entryKinds[kind],
    branch: branch.path,
    seq,
    part: partOf.end,
    site: site.site,
    at,
    ms: wasPause ? 1 : 0,
    ...(body === undefined ? {} : { body: branch.run.bodyOf(site, JSON.stringify(body)) }),
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
  const effect = takePosition(branch, 'wait', site);
  const { begin, end: recorded } = effect;
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
    writeBegin(branch, effect, ms, {}, at);
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
  writeEnd(branch, effect, true);
}

/** Maximum milliseconds of a wait in memory before it checks the clock again. */
const LONGEST_SLEEP = 3_600_000;

/** Identifies an effect of a run for others, as the address of messages and answers. */
const addressAt = (branch: BranchJournal, seq: number): string => addressOfEffect(branch.path, seq);

/** Milliseconds since 1970, if the wait has a limit. */
function dueOf(begin: EntryRow | undefined, timeoutMs: number | undefined): number | undefined {
  if (timeoutMs === undefined) return undefined;
  const at = begin?.at ?? Date.now();
  return at + (begin?.ms ?? upToLatest(timeoutMs, at));
}

/** `wait for …`: until a message is there, or the time is up. */
export async function receiveMessage(
  branch: BranchJournal,
  site: EffectSite,
  wanted: WantedMessage,
  sleep: Sleep,
): Promise<Recorded<Value>> {
  const { run } = branch;
  const effect = takePosition(branch, 'message', site);
  const { seq, begin, end: recorded } = effect;
  if (recorded !== undefined) {
    advanceNow(branch, recorded);
    await branch.yieldToEventLoop();
    return { result: endBody('message', recorded).m, replayed: true };
  }
  await branch.pass(site);
  const address = addressAt(branch, seq);
  const due = dueOf(begin, wanted.timeoutMs);
  if (begin === undefined) writeBegin(branch, effect, wanted.timeoutMs, { name: wanted.name, pairs: wanted.pairs });
  const at = begin?.at ?? Date.now();
  await run.before(branch);
  branch.awaits((isRecorded) => run.host.messageDone(address, isRecorded));
  const waiting: WaitingFor = {
    kind: 'message',
    since: isoOf(at),
    name: wanted.name,
    line: site.line,
    ...(due === undefined ? {} : { until: isoOf(due) }),
  };
  const end = (): number | undefined => waitEnd(branch, site, at, due);
  const find = () => run.host.wantMessage(address, wanted, end());
  // A look before the time is up leaves room for a message after it.
  const isOver = isPast(end());
  const first = await find();
  branch.check();
  const found =
    first ?? (isOver ? undefined : await paused(branch, waiting, due, true, () => untilFound(branch, find, end, sleep)));
  writeEnd(branch, effect, first === undefined || begin !== undefined, found === undefined ? {} : { m: found.message });
  branch.hasAwaited();
  return { result: found?.message, replayed: false };
}

const isPast = (moment: number | undefined): boolean => moment !== undefined && moment <= Date.now();

/** In memory, only if another branch keeps the run there. @param end when it is over, as far as is known now */
async function untilFound<T>(
  branch: BranchJournal,
  find: () => Promise<T | undefined>,
  end: () => number | undefined,
  sleep: Sleep,
): Promise<T | undefined> {
  for (;;) {
    const knocked = branch.run.host.knocked();
    const due = end();
    const isOver = isPast(due);
    const found = await find();
    if (found !== undefined || isOver) return found;
    // It may have left memory meanwhile, which ended its timers.
    branch.check();
    const left = due === undefined ? LONGEST_SLEEP : Math.max(0, due - Date.now());
    await sleep(Math.min(left, LONGEST_SLEEP), knocked);
  }
}

/**
 * Sends a notification or reminder in a separately numbered branch. What it sent is not checked again.
 * @returns what `find` finds meanwhile, which ends it
 */
async function notified<T>(
  branch: BranchJournal,
  seq: number,
  reminder: number,
  find: () => Promise<T | undefined>,
  send: (branch: BranchJournal, answered: Promise<void>) => Promise<void>,
): Promise<T | undefined> {
  const { gate, host } = branch.run;
  const own = branch.run.newBranch(`${pathOfBlock(branch.path, seq)}.${reminder}`, branch.now);
  gate.leave(branch);
  let isSent = false;
  let found: T | undefined;
  let giveUp: () => void = () => undefined;
  const answered = new Promise<void>((resolve) => {
    giveUp = resolve;
  });
  const sent = send(own, answered).finally(() => {
    isSent = true;
  });
  sent.catch(() => undefined); // it is awaited below
  while (!isSent && found === undefined) {
    const knocked = host.knocked();
    // If the store can't be read now, the next look reports it.
    found = await find().catch(() => undefined);
    if (found === undefined) await Promise.race([sent, knocked]);
  }
  if (found !== undefined) giveUp();
  await sent;
  gate.enter();
  own.close();
  return found;
}

/** Of the reminders that were missed while no process had the run, only the latest is sent. */
function nextReminder(reminder: number, asked: number, remindersAt: RemindersAt): number {
  const passed = Date.now() - asked;
  let [low, high] = [reminder + 1, reminder + 2];
  while (remindersAt(asked, high) <= passed && high < MOST_REMINDERS) [low, high] = [high, high * 2];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (remindersAt(asked, middle) <= passed) low = middle;
    else high = middle;
  }
  return low;
}

const MOST_REMINDERS = 2 ** 40;

interface Asking {
  readonly notify: Notify;
  readonly sleep: Sleep;
  readonly remindersAt: RemindersAt;
}

/** `ask` a person, and wait for the answer. */
export async function askAndWait(
  branch: BranchJournal,
  site: EffectSite,
  question: Question,
  { notify, sleep, remindersAt }: Asking,
): Promise<Recorded<TaskAnswer | undefined>> {
  const { run } = branch;
  const effect = takePosition(branch, 'person', site);
  const { seq, begin, end: recorded } = effect;
  if (recorded !== undefined) {
    advanceNow(branch, recorded);
    await branch.yieldToEventLoop();
    return { result: endBody('person', recorded).a, replayed: true };
  }
  await branch.pass(site);
  const address = addressAt(branch, seq);
  const due = dueOf(begin, question.timeoutMs);
  if (begin === undefined) writeBegin(branch, effect, question.timeoutMs, question);
  await run.before(branch);
  branch.awaits(() => run.host.taskDone(address));
  const task = await run.host.openTask(address, question, due);
  branch.check();
  const asked = begin?.at ?? Date.now();
  const end = (): number | undefined => waitEnd(branch, site, asked, due);
  const waiting: WaitingFor = {
    kind: 'person',
    since: isoOf(asked),
    service: question.service,
    task: task.task,
    line: site.line,
    ...(due === undefined ? {} : { until: isoOf(due) }),
  };
  const find = (isLast?: boolean) => run.host.answerOf(address, isLast);
  let found = await find();
  branch.check();
  const { remindMs } = question;
  for (let reminder = 0; found === undefined; reminder = nextReminder(reminder, asked, remindersAt)) {
    const part = partOf.reminder(reminder);
    if (branch.part(seq, part) === undefined && !isPast(end())) {
      found = await notified(branch, seq, reminder, find, (own, answered) => notify(task, reminder, own, answered));
      // One that the answer has aborted has no record of its own.
      branch.writeLogOf(seq);
      if (found !== undefined) break;
      run.write({ kind: entryKinds.notified, branch: branch.path, seq, part, site: site.site, at: Date.now() });
      run.host.flush();
    }
    const next = remindMs === undefined ? undefined : asked + remindersAt(asked, reminder + 1);
    const until = (): number | undefined =>
      [end(), next].filter((time) => time !== undefined).sort((one, other) => one - other)[0];
    found = await find();
    if (found === undefined && !isPast(until())) {
      await run.before(branch);
      found = await paused(branch, waiting, until(), true, () => untilFound(branch, find, until, sleep));
    }
    if (found === undefined && isPast(end())) {
      // Someone may have answered in time, and not be heard of yet.
      found = await find(true);
      break;
    }
  }
  const answer = found === undefined ? undefined : { answer: found.answer, comment: found.comment, by: found.by };
  writeEnd(branch, effect, true, answer === undefined ? {} : { a: answer });
  branch.hasAwaited();
  return { result: answer, replayed: false };
}
