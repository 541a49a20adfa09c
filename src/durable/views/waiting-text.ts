// Says what a run waits for, for the terminal and for logs.
import { oneLine } from '../../../runtime/values/one-line.js';
import type { WaitingFor } from '../model/run-views.js';

/** `for a message called payment, until 2026-03-02 09:00:00 UTC`. */
export function waitingText({ kind, until, name, service }: WaitingFor): string {
  const what = {
    time: 'until its time has come',
    message: `for a message called ${name ?? ''}`,
    person: `for an answer from ${service ?? 'someone'}`,
    retry: `to call ${service ?? 'a service'} again`,
  }[kind];
  return oneLine(
    until === undefined ? what : kind === 'time' ? `until ${momentInUtc(until)}` : `${what}, until ${momentInUtc(until)}`,
  );
}

/** `2026-03-01T09:00:00.000Z` → `2026-03-01 09:00:00 UTC`. */
export const momentInUtc = (iso: string): string => `${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC`;
