// The clock of this process, set forward and back. Timers don't notice, just as when a system clock is set, but they can be sped up.
const real = Date.now;
const realTimeout = globalThis.setTimeout;
const realDuration = process.hrtime;
let offset = 0;

export const fakeClock = {
  /** Milliseconds that the clock is ahead. */
  get offset(): number {
    return offset;
  },
  set offset(ms: number) {
    offset = ms;
    Date.now = ms === 0 ? real : () => real() + offset;
  },
  /** Stops it at this moment, until `offset` is set. */
  freeze(moment: number): void {
    Date.now = () => moment;
  },
  /** Whether everything takes no time, as far as limits of runs are concerned: then a busy machine can't exceed one. Timers go on. */
  set isInstant(value: boolean) {
    const moment = realDuration();
    process.hrtime = value ? Object.assign(() => moment, { bigint: realDuration.bigint }) : realDuration;
  },
  /** Timers take this fraction of their time, 1 for all of it. */
  hurry(part: number): void {
    const quick = (callback: () => void, ms = 0, ...more: []): ReturnType<typeof setTimeout> =>
      realTimeout(callback, ms * part, ...more);
    globalThis.setTimeout = part === 1 ? realTimeout : Object.assign(quick, realTimeout);
  },
  /** Sets it forward to this moment; milliseconds since 1970. */
  jumpTo(moment: number): void {
    if (moment > Date.now()) fakeClock.setTo(moment);
  },
  setTo(moment: number): void {
    fakeClock.offset = moment - real();
  },
};
