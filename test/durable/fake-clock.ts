// The clock of this process, set forwards and backwards. Timers know nothing of it, as where a clock is set; but they can be hurried.
const real = Date.now;
const realTimeout = globalThis.setTimeout;
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
  /** Timers take this part of their time, 1 for all of it. */
  hurry(part: number): void {
    const quick = (callback: () => void, ms = 0, ...more: []): ReturnType<typeof setTimeout> =>
      realTimeout(callback, ms * part, ...more);
    globalThis.setTimeout = part === 1 ? realTimeout : Object.assign(quick, realTimeout);
  },
  /** Sets it forwards to this moment; milliseconds since 1970. */
  jumpTo(moment: number): void {
    if (moment > Date.now()) fakeClock.offset = moment - real();
  },
};
