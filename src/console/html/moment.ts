// Times and durations in pages. Without the script, times are in UTC; the script converts them to the reader's zone.
import { type Html, html } from './html.js';

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** @param iso ISO 8601 UTC */
export const moment = (iso: string): Html => html`<time datetime="${iso}">${utcText(iso)}</time>`;

/** `2 Mar 2026, 09:30:05 UTC`. */
function utcText(iso: string): string {
  const date = new Date(iso);
  if (Number.isNaN(date.getTime())) return iso;
  return `${date.getUTCDate()} ${MONTHS[date.getUTCMonth()]} ${date.getUTCFullYear()}, ${date.toISOString().slice(11, 19)} UTC`;
}

const UNITS = [
  ['day', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1_000],
] as const;

/** The two largest units: `34 ms`, `1.2 s`, `3 min 4 s`, `2 h 5 min`, `3 days 4 h`. */
export function durationWords(ms: number): string {
  if (ms < 1) return ms > 0 ? 'under 1 ms' : '0 ms';
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 10_000) return `${Math.floor(ms / 100) / 10} s`;
  const at = UNITS.findIndex(([, length]) => ms >= length);
  const [name, length] = UNITS[at] ?? UNITS[3];
  const whole = Math.floor(ms / length);
  const next = UNITS[at + 1];
  const rest = next === undefined ? 0 : Math.floor((ms % length) / next[1]);
  const first = name === 'day' ? `${whole} day${whole === 1 ? '' : 's'}` : `${whole} ${name}`;
  return next === undefined || rest === 0 ? first : `${first} ${rest} ${next[0]}`;
}

/** Time since a moment. The script counts on. */
export const timeSince = (startedAt: number, now: number): Html =>
  html`<span data-since="${new Date(startedAt).toISOString()}">${durationWords(Math.max(0, now - startedAt))}</span>`;

/** Time left: `in 3 min 4 s`, or `due now`. */
export function timeLeft(iso: string, now: number): Html {
  const left = new Date(iso).getTime() - now;
  return html`<span data-due="${iso}">${left > 0 ? `in ${durationWords(Math.ceil(left / 1000) * 1000)}` : 'due now'}</span>`;
}
