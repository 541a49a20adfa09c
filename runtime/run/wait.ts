// `wait`: in memory, or with a due time in the journal of a run in a store.
import { clockUnits } from '../dates/date-unit.js';
import { WfError } from '../values/errors.js';
import { numberHint, operandText } from '../values/operand-text.js';
import type { SourceLocation, Value } from '../values/value-types.js';
import type { DurableBranch, Sleep } from './durable-run.js';
import type { RunLog } from './run-log.js';

/** The interface of a run to a wait. */
interface WaitingRun {
  readonly journal: RunLog;
  readonly durable: DurableBranch | undefined;
  pause(ms: number, wake?: Promise<unknown>): Promise<void>;
  moveOn(): void;
}

/** Waits as a journal does: in memory, at most until `wake` resolves. */
export const sleepOf =
  (run: WaitingRun): Sleep =>
  (ms, wake) =>
    run.pause(ms, wake);

interface Wait {
  readonly durationMs: number;
  /** As written in the file. */
  readonly title: string;
  readonly location: SourceLocation;
  readonly site: number;
  /** When it ends, in milliseconds since 1970, if the file names a moment. */
  readonly due?: number;
}

/**
 * Waits for `durationMs`, which also advances `now`.
 * @throws RunEnded; a suspension if the journal releases the run
 */
export async function waitInRun(run: WaitingRun, { durationMs, title, location, site, due }: Wait): Promise<void> {
  const [line] = location;
  const begin = (): void => run.journal.add('wait', line, { durationMs });
  if (run.durable !== undefined)
    return run.durable.pause(
      { kind: 'wait', site, line, title, identity: `wait ${title}` },
      durationMs,
      sleepOf(run),
      begin,
      due,
    );
  begin();
  await run.pause(durationMs);
  run.moveOn();
}

const units = { ...clockUnits, days: 86_400_000, weeks: 604_800_000 } as const;

export type WaitUnit = keyof typeof units;

/** @throws WfError for an amount that is not a number, or is below 0 */
export function waitDuration(amount: Value, unit: WaitUnit, location: SourceLocation): number {
  if (typeof amount === 'number' && amount >= 0) return amount * units[unit];
  throw cannotWait(amount, unit, location);
}

/** For an amount of time that is not a number, or below 0. */
export function cannotWait(amount: Value, unit: string, location: SourceLocation): WfError {
  const source = location[3];
  const need = typeof amount === 'number' ? 'no time is shorter than 0' : 'it must be a number';
  const message = `I can't wait: ${operandText(amount, source, `the number of ${unit}`)}, but ${need}.${numberHint(amount, source)}`;
  return new WfError('WF624', message, location);
}
