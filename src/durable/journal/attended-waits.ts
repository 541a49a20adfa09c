// Records waits for a message or for a person's answer.
import type {
  EffectSite,
  Notify,
  Question,
  Recorded,
  Sleep,
  TaskAnswer,
  WantedMessage,
} from '../../../runtime/run/durable-run.js';
import type { Value } from '../../../runtime/types.js';
import { addressOfEffect, pathOfBlock } from '../model/addresses.js';
import { type EntryRow, entryKinds, isoOf } from '../model/entries.js';
import type { WaitingFor } from '../model/run-views.js';
import type { BranchJournal } from './branch-journal.js';
import { advanceNow, begun, paused, upToLatest, waitEnd, writeBegin, writeEnd } from './long-waits.js';

/** Maximum milliseconds of a wait in memory before it checks the clock again. */
const LONGEST_SLEEP = 3_600_000;

/** Identifies an effect of a run for others, as the address of messages and answers. */
const placeOf = (branch: BranchJournal, seq: number): string => addressOfEffect(branch.path, seq);

/** Milliseconds since 1970, if the wait has a limit. */
function dueOf(begin: EntryRow | undefined, timeoutMs: number | undefined): number | undefined {
  if (timeoutMs === undefined) return undefined;
  const at = begin?.at ?? Date.now();
  return at + (begin?.ms ?? upToLatest(timeoutMs, at));
}

/** `wait for …`. */
export async function receiveMessage(
  branch: BranchJournal,
  site: EffectSite,
  wanted: WantedMessage,
  sleep: Sleep,
): Promise<Recorded<Value>> {
  const { run } = branch;
  const { seq, begin, end: recorded } = begun(branch, site);
  if (recorded !== undefined) {
    advanceNow(branch, recorded);
    await branch.yieldToEventLoop();
    return { result: (JSON.parse(recorded.body ?? '{}') as { m?: Value }).m, replayed: true }; // written below
  }
  await branch.pass(site);
  const place = placeOf(branch, seq);
  const due = dueOf(begin, wanted.timeoutMs);
  if (begin === undefined)
    writeBegin(branch, entryKinds.message, site, seq, wanted.timeoutMs, { name: wanted.name, pairs: wanted.pairs });
  const at = begin?.at ?? Date.now();
  await run.before(branch);
  branch.awaits((isRecorded) => run.host.messageDone(place, isRecorded));
  const waiting: WaitingFor = {
    ...{ kind: 'message', since: isoOf(at), name: wanted.name, line: site.line },
    ...(due === undefined ? {} : { until: isoOf(due) }),
  };
  const end = (): number | undefined => waitEnd(branch, site, at, due);
  const find = () => run.host.wantMessage(place, wanted, end());
  // A look before the time is up leaves room for a message after it.
  const isOver = isPast(end());
  const first = await find();
  branch.check();
  const found =
    first ?? (isOver ? undefined : await paused(branch, waiting, due, true, () => untilFound(branch, find, end, sleep)));
  writeEnd(
    branch,
    entryKinds.message,
    site,
    seq,
    first === undefined || begin !== undefined,
    found === undefined ? {} : { m: found.message },
  );
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
function nextReminder(reminder: number, asked: number, remindMs: number | undefined): number {
  const latest = remindMs === undefined ? 0 : Math.floor((Date.now() - asked) / remindMs);
  return Math.max(reminder + 1, latest);
}

/** `ask` a person. */
export async function askAndWait(
  branch: BranchJournal,
  site: EffectSite,
  question: Question,
  notify: Notify,
  sleep: Sleep,
): Promise<Recorded<TaskAnswer | undefined>> {
  const { run } = branch;
  const { seq, begin, end: recorded } = begun(branch, site);
  if (recorded !== undefined) {
    advanceNow(branch, recorded);
    await branch.yieldToEventLoop();
    return { result: (JSON.parse(recorded.body ?? '{}') as { a?: TaskAnswer }).a, replayed: true }; // written below
  }
  await branch.pass(site);
  const place = placeOf(branch, seq);
  const due = dueOf(begin, question.timeoutMs);
  if (begin === undefined) writeBegin(branch, entryKinds.person, site, seq, question.timeoutMs, question);
  await run.before(branch);
  branch.awaits(() => run.host.taskDone(place));
  const task = await run.host.openTask(place, question, due);
  branch.check();
  const asked = begin?.at ?? Date.now();
  const end = (): number | undefined => waitEnd(branch, site, asked, due);
  const waiting: WaitingFor = {
    ...{ kind: 'person', since: isoOf(asked), service: question.service, task: task.task, line: site.line },
    ...(due === undefined ? {} : { until: isoOf(due) }),
  };
  const find = (isLast?: boolean) => run.host.answerOf(place, isLast);
  let found = await find();
  branch.check();
  const { remindMs } = question;
  for (let reminder = 0; found === undefined; reminder = nextReminder(reminder, asked, remindMs)) {
    // Part 2 is the notification; later parts are reminders.
    if (branch.part(seq, reminder + 2) === undefined && !isPast(end())) {
      found = await notified(branch, seq, reminder, find, (own, answered) => notify(task, reminder, own, answered));
      // One that the answer has aborted has no record of its own.
      branch.writeLogOf(seq);
      if (found !== undefined) break;
      run.write({ kind: entryKinds.notified, branch: branch.path, seq, part: reminder + 2, site: site.site, at: Date.now() });
      run.host.flush();
    }
    const next = remindMs === undefined ? undefined : asked + remindMs * (reminder + 1);
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
  writeEnd(branch, entryKinds.person, site, seq, true, answer === undefined ? {} : { a: answer });
  branch.hasAwaited();
  return { result: answer, replayed: false };
}
