// Reads the numbers and sizes in options. Shared, so that all commands word the messages the same way.
import { UsageError } from '../usage-error.js';

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

/**
 * Reads a size such as `512`, `64kb` or `1.5mb` in bytes.
 * @throws UsageError for anything else, or outside 1 byte to 256 MB
 */
export function readSize(option: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const [, digits, unit] = /^(\d{1,12}(?:\.\d{1,3})?) ?(b|kb|mb|gb|)$/i.exec(text) ?? [];
  const bytes = Math.floor(Number(digits) * (UNITS[(unit ?? '').toLowerCase()] ?? Number.NaN));
  if (bytes >= 1 && bytes <= LARGEST) return bytes;
  throw new UsageError(`${option} must be a size from 1b to 256mb, such as 64kb or 1mb, not ${JSON.stringify(text)}.`);
}
