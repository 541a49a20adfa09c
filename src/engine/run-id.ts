// Identifies a run in logs. It is not a secret, so it doesn't need cryptography, which takes longer to load than a small run
// takes.

const hex = (digits: number): string =>
  Math.floor(Math.random() * 16 ** digits)
    .toString(16)
    .padStart(digits, '0');

/** A new identifier in the form of a random UUID (RFC 9562, version 4). */
export const newRunId = (): string =>
  `${hex(8)}-${hex(4)}-4${hex(3)}-${(8 + Math.floor(Math.random() * 4)).toString(16)}${hex(3)}-${hex(12)}`;
