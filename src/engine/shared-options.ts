// Reads the options that several commands share: numbers, sizes, days, the store and the public address. Each message is worded once.
import { DAY_MS } from '../../runtime/dates/date-unit.js';
import type { Environment } from '../../runtime/types.js';
import type { Prepared } from './prepare/prepared.js';
import type { LogFormat } from './records/printer.js';
import { UsageError } from './usage-error.js';

const UNITS: Readonly<Record<string, number>> = { '': 1, b: 1, kb: 1024, mb: 1024 ** 2, gb: 1024 ** 3 };
/** A body becomes a single string, and those of V8 end at about 512 MB. */
const LARGEST = 256 * 1024 ** 2;

/** @throws UsageError unless the text is digits only and in range */
export function readWhole(option: string, text: string | undefined, least: number, most: number): number | undefined {
  if (text === undefined) return undefined;
  const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= least && value <= most) return value;
  throw new UsageError(`${option} must be a whole number from ${least} to ${most}, not ${JSON.stringify(text)}.`);
}

interface SizeRange {
  /** In bytes. */
  readonly least: number;
  readonly most: number;
  /** The range, with examples. */
  readonly words: string;
}

const ofBodies: SizeRange = { least: 1, most: LARGEST, words: 'from 1b to 256mb, such as 64kb or 1mb' };
const ofRuns: SizeRange = { least: 1024 ** 2, most: 64 * 1024 ** 3, words: 'from 1mb to 64gb, such as 256mb' };

/**
 * Reads a size such as `512`, `64kb` or `1.5mb` in bytes.
 * @throws UsageError for anything else, or outside the range
 */
export function readSize(
  option: string,
  text: string | undefined,
  { least, most, words }: SizeRange = ofBodies,
): number | undefined {
  if (text === undefined) return undefined;
  const [, digits, unit] = /^(\d{1,12}(?:\.\d{1,3})?) ?(b|kb|mb|gb|)$/i.exec(text) ?? [];
  const bytes = Math.floor(Number(digits) * (UNITS[(unit ?? '').toLowerCase()] ?? Number.NaN));
  if (bytes >= least && bytes <= most) return bytes;
  throw new UsageError(`${option} must be a size ${words}, not ${JSON.stringify(text)}.`);
}

/** Bytes; `undefined` for the usual limit. @throws UsageError that names the option */
export const readRunMemory = (text: string | undefined): number | undefined => readSize('--max-run-memory', text, ofRuns);

/** Default retention of finished runs. */
const USUAL_KEEP_DAYS = 90;

/** Milliseconds; `undefined` for `forever`. @throws UsageError that names the option */
export function readKeep(option: string, text: string | undefined): number | undefined {
  if (text === undefined) return USUAL_KEEP_DAYS * DAY_MS;
  if (text === 'forever') return undefined;
  const ms = readDays(option, text);
  // It would delete runs as they end, and their outcomes with them.
  if (ms === 0) throw new UsageError(`${option} must be at least 1d: callers ask for the outcome of a run after it has ended.`);
  return ms;
}

/** Milliseconds to keep messages that no run waits for; `undefined` for the usual time. @throws UsageError that names the option */
export function readKeepMessages(option: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const ms = readDays(option, text);
  if (ms === 0) throw new UsageError(`${option} must be at least 1d: a message may come before a run waits for it.`);
  return ms;
}

/** Milliseconds. @throws UsageError that names the option */
export function readDays(option: string, text: string): number {
  const days = /^(\d{1,5})d$/.exec(text)?.[1];
  if (days === undefined)
    throw new UsageError(
      `${option} takes a number of days, at most 99999d, such as 30d${option === '--keep' ? ', or forever' : ''}, not ${JSON.stringify(text)}.`,
    );
  return Number(days) * DAY_MS;
}

/** Without a trailing slash. @throws UsageError that names the option */
export function readPublicUrl(option: string | undefined, env: Environment): string | undefined {
  const text = option ?? (env.WF_PUBLIC_URL || undefined);
  if (text === undefined) return undefined;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '' || url.username !== '')
    throw new UsageError(
      `--public-url must be the beginning of an address, such as https://wf.example.com, not ${JSON.stringify(text)}.`,
    );
  return text.endsWith('/') ? text.slice(0, -1) : text;
}

/**
 * A folder or the address of a database: the value of `--store`, otherwise of `WF_STORE`; `undefined` if neither names one.
 * @throws UsageError for an empty `--store`: without it, runs would be lost unnoticed
 */
export function readStorePlace(option: string | undefined, env: Environment): string | undefined {
  const place = (option ?? env.WF_STORE)?.trim() || undefined;
  if (option !== undefined && place === undefined) throw new UsageError('--store is empty.', 'Name a folder, such as ./runs.');
  return place;
}

/** @throws UsageError */
export function readLogFormat(text = 'text'): LogFormat {
  if (text === 'text' || text === 'json') return text;
  throw new UsageError(`--log-format must be text or json, not ${JSON.stringify(text)}.`);
}

/** Places that one warning names. */
const MOST_NAMED = 3;

/** A warning for `once for each` without a store. */
export const onceWarning = ({ file, workflow: { once } }: Pick<Prepared, 'file' | 'workflow'>): string[] =>
  once === undefined
    ? []
    : [
        `Warning: ${file} says "once for each", but there is no store: only a store knows the values of earlier runs. Add --store <folder>.`,
      ];

/** What a workflow can't do without a store: wait for long, and know its earlier runs. */
export function storeWarnings(prepared: Pick<Prepared, 'file' | 'workflow'>): string[] {
  const {
    file,
    workflow: { pauses = [] },
  } = prepared;
  if (pauses.length === 0) return onceWarning(prepared);
  const named = pauses.slice(0, MOST_NAMED).map(({ line, reason }) => `line ${line} waits for ${reason}`);
  const rest = pauses.length > MOST_NAMED ? `, and ${pauses.length - MOST_NAMED} more` : '';
  return [
    `Warning: ${file}: ${named.join(', ')}${rest}, but there is no store: only a store receives answers and messages, and keeps waiting runs when this process ends. Add --store <folder>.`,
    ...onceWarning(prepared),
  ];
}

/**
 * The value of `--alert`, or else of `WF_ALERT`.
 * @throws UsageError that doesn't show it, because whoever knows the address can write there
 */
export function readAlert(option: string | undefined, env: Environment): string | undefined {
  const text = option ?? (env.WF_ALERT || undefined);
  if (text === undefined) return undefined;
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return text;
  throw new UsageError(
    `${option === undefined ? 'WF_ALERT' : '--alert'} is not the address of a webhook.`,
    'Use one such as https://hooks.example.com/T123.',
  );
}
