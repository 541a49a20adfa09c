// The tokens of `--tokens <file>`: who each belongs to, what it may do, and until when. The file names only digests, and is taken in again
// when it changes. One that can't be read leaves the last good one in force.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { anyOf } from '../../runtime/texts/words.js';
import { parseJson } from '../../runtime/values/json.js';
import { fileFault } from '../engine/files/file-fault.js';
import { UsageError } from '../engine/usage-error.js';

export const tokenRoles = ['caller', 'viewer', 'operator'] as const;
export type TokenRole = (typeof tokenRoles)[number];

export interface TokenEntry {
  readonly name: string;
  /** SHA-256 of the token: 64 hexadecimal digits. */
  readonly sha256: string;
  readonly role: TokenRole;
  /** For callers: names in addresses of the workflows that they may start; absent for all. */
  readonly workflows?: readonly string[];
  /** ISO 8601; from then on the token is unknown. */
  readonly expires?: string;
}

export interface NamedTokens {
  /** The entry of a token that is valid now. */
  find(token: string): TokenEntry | undefined;
  /** The tokens that are valid now. */
  all(): readonly TokenEntry[];
  close(): void;
}

/** Milliseconds between two looks at the file. A look at its content also notices what a volume of Kubernetes replaces. */
const LOOK_MS = 1_000;

interface TokenFileOptions {
  /** The file, and as it was named. */
  readonly file: string;
  readonly shown: string;
  /** Says that the file can't be taken in, or can again. */
  readonly onNews: (sentence: string) => void;
  /** Says what has changed in the file, such as `ada (operator) added`. */
  readonly onChange?: (changes: string) => void;
  /** The names that `workflows` may have. */
  readonly served?: () => readonly string[];
  readonly now?: () => number;
}

export const tokenDigest = (token: string): string => createHash('sha256').update(token).digest('hex');

/** @throws UsageError if the file can't be read at the start */
export function openTokenFile({ file, shown, onNews, onChange, served, now = Date.now }: TokenFileOptions): NamedTokens {
  let text = readAtStart(file, shown);
  let entries = byDigest(readTokens(text, shown));
  const warn = (): void => {
    const names = served?.() ?? [];
    for (const { name, workflows = [] } of served === undefined ? [] : entries.values())
      for (const workflow of workflows)
        if (!names.includes(workflow))
          onNews(
            `Warning: in ${shown}, ${name} may start ${JSON.stringify(workflow)}, which is not served. Served are: ${names.join(', ')}.`,
          );
  };
  warn();
  let problem: string | undefined;
  let isLooking = false;
  const look = async (): Promise<void> => {
    if (isLooking) return;
    isLooking = true;
    try {
      const next = await readFile(file, 'utf8').catch((error: unknown) => {
        throw new UsageError(`${shown} cannot be read: ${fileFault(error)}.`);
      });
      if (next === text && problem === undefined) return;
      const before = entries;
      entries = byDigest(readTokens(next, shown));
      text = next;
      problem = undefined;
      const changes = changesBetween(before, entries);
      if (changes !== '') onChange?.(changes);
      onNews(`The tokens of ${shown} were taken in: ${entries.size}.`);
      warn();
    } catch (error) {
      const { message } = error instanceof Error ? error : new Error(String(error));
      if (message !== problem) onNews(`${message} The tokens that it had before stay valid.`);
      problem = message;
    } finally {
      isLooking = false;
    }
  };
  const timer = setInterval(() => void look(), LOOK_MS).unref();
  const isValid = ({ expires }: TokenEntry): boolean => expires === undefined || Date.parse(expires) > now();
  return {
    find(token) {
      const found = entries.get(tokenDigest(token));
      return found !== undefined && isValid(found) ? found : undefined;
    },
    all: () => [...entries.values()].filter(isValid),
    close: () => clearInterval(timer),
  };
}

function readAtStart(file: string, shown: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new UsageError(`${shown} cannot be read: ${fileFault(error)}.`, 'Make a first entry with: wf token <name>');
  }
}

type Entries = ReadonlyMap<string, TokenEntry>;

/** Which tokens came, went, and may do something else, without their digests. */
function changesBetween(before: Entries, after: Entries): string {
  const shown = ({ name, role }: TokenEntry, what: string): string => `${name} (${role}) ${what}`;
  const rights = ({ name, role, workflows, expires }: TokenEntry): string => JSON.stringify([name, role, workflows, expires]);
  return [
    ...[...after].flatMap(([digest, entry]) => {
      const old = before.get(digest);
      if (old === undefined) return shown(entry, 'added');
      return rights(old) === rights(entry) ? [] : shown(entry, 'changed');
    }),
    ...[...before].flatMap(([digest, entry]) => (after.has(digest) ? [] : shown(entry, 'removed'))),
  ].join(', ');
}

const byDigest = (entries: readonly TokenEntry[]): ReadonlyMap<string, TokenEntry> =>
  new Map(entries.map((entry) => [entry.sha256, entry]));

const FIELDS = ['name', 'sha256', 'workflows', 'expires', 'role'] as const;
const example = 'For example: [{"name": "the-shop", "sha256": "…", "workflows": ["order"], "role": "caller"}]';

/** @throws UsageError that names the entry, and never shows a digest */
export function readTokens(text: string, shown: string): TokenEntry[] {
  const parsed = parseJson(text);
  if (!parsed.ok) throw new UsageError(`${shown} is not valid JSON: line ${parsed.line}, column ${parsed.column}.`, example);
  if (!Array.isArray(parsed.value)) throw new UsageError(`${shown} must be a JSON list of tokens.`, example);
  const seen = new Set<string>();
  return parsed.value.map((given, index) => {
    const problem = problemOf(given);
    if (problem !== undefined) throw new UsageError(`${shown}, token ${index + 1}: ${problem}`, example);
    const entry = given as unknown as TokenEntry; // without a problem, it has these fields
    const sha256 = entry.sha256.toLowerCase();
    if (seen.has(sha256)) throw new UsageError(`${shown}, token ${index + 1}: another entry has the same sha256.`, example);
    seen.add(sha256);
    return { ...entry, sha256 };
  });
}

/** It stands in logs and pages. */
export const isTokenName = (text: string): boolean => /^[^\p{C}]{1,100}$/u.test(text) && text.trim() !== '';

/** A date, or a date with a time in a zone: without one, nobody knows when that is. */
const MOMENT = /^\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d))?$/;

export const isMoment = (text: string): boolean => MOMENT.test(text) && Number.isFinite(Date.parse(text));

function problemOf(given: unknown): string | undefined {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return 'it must be an object.';
  const unknown = Object.keys(given).find((name) => !(FIELDS as readonly string[]).includes(name));
  if (unknown !== undefined) return `the field ${JSON.stringify(unknown)} is unknown; it takes ${FIELDS.join(', ')}.`;
  const { name, sha256, workflows, expires, role } = given as Readonly<Record<string, unknown>>;
  if (typeof name !== 'string' || !isTokenName(name)) return 'name must be a text of up to 100 characters.';
  if (typeof sha256 !== 'string' || !/^[\da-f]{64}$/i.test(sha256))
    return 'sha256 must be the SHA-256 of the token, in 64 hexadecimal digits.';
  if (!(tokenRoles as readonly unknown[]).includes(role)) return `role must be ${anyOf(tokenRoles)}.`;
  if (expires !== undefined && (typeof expires !== 'string' || !isMoment(expires)))
    return 'expires must be a date or a time with its zone, such as 2027-01-31 or 2027-01-31T18:00:00Z.';
  if (workflows === undefined) return undefined;
  if (!Array.isArray(workflows) || !workflows.every((one) => typeof one === 'string' && one !== ''))
    return 'workflows must be a list of names, as in their addresses.';
  return role === 'caller'
    ? undefined
    : `workflows limits callers only, and this is ${role === 'viewer' ? 'a viewer' : 'an operator'}.`;
}
