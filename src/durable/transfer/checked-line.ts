// Checks each field of a line of an export, before anything of the file is written: its kind, its length and its meaning, as the model
// defines them. Unknown fields are those of a newer version of wf, which readers ignore.
import { UsageError } from '../../engine/usage-error.js';
import { type ChangeView, changeActions, waysIn } from '../model/changes.js';
import { type EntryKind, type EntryRow, entryKinds } from '../model/entries.js';
import type { PortableLine } from '../model/portable-lines.js';
import { toRunHex, toRunId } from '../model/run-ids.js';
import { finishedStates, hasEnded, type StoredState, storedStates } from '../model/run-rows.js';
import type { Erased } from '../model/run-views.js';
import type { RunExtra, StoredOutcome } from '../model/stored-run.js';
import { hashOfText, intactText, type StoredSite, type VersionInfo } from '../model/versions.js';

/** A change on record. They come after the runs. */
export interface ChangeLine extends ChangeView {
  readonly kind: 'change';
}

type Fields = Readonly<Record<string, unknown>>;

/** A line of one of the kinds that are checked. */
type UncheckedLine = Fields & { readonly kind: keyof typeof checks };

export const isUnchecked = (line: Fields): line is UncheckedLine => Object.hasOwn(checks, String(line.kind));

/** The fault of a value, for people: `"state" must be …`. */
type Check = (value: unknown, name: string) => string | undefined;

/** @param must what the value must be */
const valueThat =
  (must: string, is: (value: unknown) => boolean): Check =>
  (value, name) =>
    is(value) ? undefined : `"${name}" must be ${must}`;

const isRecord = (value: unknown): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value);

/** The check of each field of a `T`. */
type ChecksOf<T> = Readonly<Record<keyof T, Check>>;

const recordOf =
  (fields: Readonly<Record<string, Check>>): Check =>
  (value, name) => {
    if (!isRecord(value)) return `"${name}" must be a record`;
    for (const [field, check] of Object.entries(fields)) {
      const fault = check(value[field], name === '' ? field : `${name}.${field}`);
      if (fault !== undefined) return fault;
    }
    return undefined;
  };

const listOf =
  (check: Check): Check =>
  (value, name) => {
    if (!Array.isArray(value)) return `"${name}" must be a list`;
    for (const [index, item] of value.entries()) {
      const fault = check(item, `${name}[${index}]`);
      if (fault !== undefined) return fault;
    }
    return undefined;
  };

const mapOf =
  (check: Check): Check =>
  (value, name) =>
    isRecord(value) ? listOf(check)(Object.values(value), name) : `"${name}" must be a record`;

const optional =
  (check: Check): Check =>
  (value, name) =>
    value === undefined ? undefined : check(value, name);

const orNull =
  (check: Check): Check =>
  (value, name) =>
    value === null ? undefined : check(value, name);

const oneOf = (values: readonly unknown[], what: string): Check => valueThat(what, (value) => values.includes(value));

const textOf = (pattern: RegExp, must: string): Check =>
  valueThat(must, (value) => typeof value === 'string' && pattern.test(value));

const anyText: Check = valueThat('a text', (value) => typeof value === 'string');
/** Names and titles that people see. */
const shortText: Check = textOf(/^[^\0]{0,10000}$/, 'a text of at most 10,000 characters');
const name: Check = textOf(/^[^\p{Cc}]{1,1000}$/u, 'a name of 1 to 1,000 characters');
const hash: Check = textOf(/^[0-9a-f]{64}$/, 'a hash of 64 hexadecimal digits');
const runHex: Check = textOf(/^[0-9a-f]{12}7[0-9a-f]{3}[89ab][0-9a-f]{15}$/, 'the id of a run, as 32 hexadecimal digits');
const whole: Check = valueThat('a whole number', Number.isSafeInteger);
const count: Check = valueThat('a whole number from 0 on', (value) => Number.isSafeInteger(value) && Number(value) >= 0);
const length: Check = valueThat('a number from 0 on', (value) => Number.isFinite(value) && Number(value) >= 0);
/** As far as dates reach. */
const LAST_MOMENT = 8.64e15;
const moment: Check = valueThat(
  'a time in milliseconds since 1970',
  (value) => Number.isFinite(value) && Number(value) >= 0 && Number(value) <= LAST_MOMENT,
);
const isoTime: Check = valueThat('a time such as 2026-01-31T12:00:00Z', (value) => !Number.isNaN(Date.parse(String(value))));
const anyRecord: Check = recordOf({});

/** JSON within a text. */
const jsonOf =
  (check: Check): Check =>
  (value, name) => {
    let parsed: unknown;
    try {
      parsed = JSON.parse(typeof value === 'string' ? value : '');
    } catch {
      return `"${name}" must be JSON in a text`;
    }
    return check(parsed, name);
  };

const textLine = recordOf({ hash, data: anyText });

const versionLine = recordOf({
  workflow: name,
  hash,
  info: recordOf({
    title: shortText,
    version: whole,
    file: name,
    trigger: shortText,
    kind: oneOf(['linked', 'whole'], '"linked" or "whole"'),
    module: hash,
    text: hash,
    runtime: optional(hash),
    files: optional(listOf(recordOf({ name, content: hash }))),
    folder: shortText,
    env: listOf(name),
    secrets: optional(listOf(anyText)),
    timeoutMs: optional(length),
    findBy: optional(listOf(listOf(name))),
    keepForMs: optional(length),
    sites: listOf(whole),
  } satisfies ChecksOf<Omit<VersionInfo, 'environment'>>),
  sites: listOf(
    recordOf({
      kind: shortText,
      site: whole,
      line: count,
      title: shortText,
      identity: optional(anyText),
      service: optional(shortText),
      serviceKind: optional(shortText),
      phrase: optional(anyText),
      method: optional(shortText),
      inside: optional(anyRecord),
    } satisfies ChecksOf<StoredSite>),
  ),
});

const outcome = recordOf({
  outputs: optional(anyRecord),
  answer: optional(anyRecord),
  message: optional(anyText),
  dropped: optional(count),
  error: optional(recordOf({ message: anyText })),
} satisfies ChecksOf<StoredOutcome>);

const extra = recordOf({
  rerunOf: optional(runHex),
  stuck: optional(anyText),
  key: optional(shortText),
  scheduledFor: optional(isoTime),
  timezone: optional(name),
  found: optional(listOf(name)),
  retriedAt: optional(moment),
  skipped: optional(mapOf(moment)),
  acknowledged: optional(oneOf([true], 'true')),
  keys: optional(mapOf(shortText)),
  decisions: optional(listOf(anyRecord)),
  erased: optional(recordOf({ at: isoTime, by: optional(shortText) } satisfies ChecksOf<Erased>)),
} satisfies ChecksOf<RunExtra>);

const knownKinds: readonly EntryKind[] = Object.values(entryKinds);
const entryFields = recordOf({
  pos: count,
  seq: orNull(count),
  part: orNull(count),
  site: orNull(whole),
  at: moment,
  ms: orNull(length),
  branch: textOf(/^[\d./]{0,10000}$/, 'the path of a branch, such as 4.0'),
  kind: oneOf(knownKinds, 'the kind of a record that this version of wf knows'),
} satisfies ChecksOf<Omit<EntryRow, 'body'>>);
const attempt = recordOf({ r: recordOf({ ok: valueThat('true or false', (value) => typeof value === 'boolean') }) });

const entry: Check = (value, name) => {
  const fault = entryFields(value, name);
  if (fault !== undefined || !isRecord(value)) return fault;
  const body = value.kind === entryKinds.log ? listOf(anyRecord) : value.kind === entryKinds.call ? attempt : anyRecord;
  return orNull(jsonOf(body))(value.body, `${name}.body`);
};

const states: readonly StoredState[] = Object.values(storedStates);

const runLine: Check = (value, of) => {
  const { state } = value as Fields; // a line is a record
  const isOver = finishedStates.some((finished) => finished === state) && hasEnded(state as StoredState); // one of them
  return recordOf({
    id: runHex,
    workflow: name,
    version: hash,
    state: oneOf(states, `one of ${states.join(', ')}`),
    finished: isOver ? moment : valueThat('null, because the run has not ended', (finished) => finished === null),
    request: jsonOf(anyRecord),
    outcome: orNull(jsonOf(outcome)),
    extra: orNull(jsonOf(extra)),
    entries: listOf(entry),
  })(value, of);
};

const changeLine = recordOf({
  time: isoTime,
  name: optional(shortText),
  role: optional(shortText),
  about: optional(anyText),
  way: oneOf(waysIn, `one of ${waysIn.join(', ')}`),
  action: oneOf(changeActions, 'a change that this version of wf knows'),
  run: optional(valueThat('the id of a run', (value) => typeof value === 'string' && toRunHex(value) !== undefined)),
});

const checks = { text: textLine, version: versionLine, run: runLine, change: changeLine } as const;

/** Checks the lines of one file, in their order: a run needs the version of a line before. */
export class LineChecker {
  /** The call sites of each version. */
  readonly #sites = new Map<string, ReadonlySet<number>>();

  /**
   * @param line a record with one of these kinds @param number of the line in the file, from 1
   * @throws UsageError that names the line, the run and the field
   */
  check(line: UncheckedLine, number: number): PortableLine | ChangeLine {
    const fault = checks[line.kind](line, '') ?? this.#faultOf(line as unknown as PortableLine | ChangeLine);
    if (fault !== undefined) {
      const { id } = line;
      const which = line.kind === 'run' && typeof id === 'string' && id.length === 32 ? `, run ${toRunId(id)}` : '';
      throw new UsageError(
        `The file is damaged. Line ${number}${which}: ${fault}.`,
        'Export the store again, and import that file. Runs that are already imported are skipped.',
      );
    }
    return line as unknown as PortableLine | ChangeLine; // each field was checked
  }

  /** The fault of a line whose fields are valid on their own. */
  #faultOf(line: PortableLine | ChangeLine): string | undefined {
    if (line.kind === 'text')
      return intactText(line.hash, line.data) === undefined ? '"data" is not the text of "hash"' : undefined;
    if (line.kind === 'version') {
      const { environment: _, ...info } = line.info;
      if (hashOfText(JSON.stringify(info)) !== line.hash) return '"info" is not the version of "hash"';
      const version = `${line.workflow} ${line.hash}`;
      this.#sites.set(version, new Set([...(this.#sites.get(version) ?? []), ...line.sites.map(({ site }) => site)]));
    }
    if (line.kind !== 'run') return undefined;
    const sites = this.#sites.get(`${line.workflow} ${line.version}`);
    if (sites === undefined)
      throw new UsageError(`The file is damaged: the workflow of run ${toRunId(line.id)} is missing.`, 'Export the store again.');
    let before = -1;
    for (const [index, { pos, site }] of line.entries.entries()) {
      if (pos <= before) return `"entries[${index}].pos" must be above the one before`;
      if (site !== null && !sites.has(site)) return `"entries[${index}].site" must be a place in its version`;
      before = pos;
    }
    return undefined;
  }
}
