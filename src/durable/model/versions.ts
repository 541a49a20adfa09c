// A version of a workflow, as runs refer to it, and its call sites.
import { createHash } from 'node:crypto';
import type { EffectSite } from '../../../runtime/run/durable-run.js';
import type { ModuleArtifact } from '../../engine/prepare/prepared.js';

/** The name of a text in a store. */
export const hashOfText = (text: string): string => createHash('sha256').update(text).digest('hex');

/**
 * A text of a store, if it is the one that was stored: whoever can write to the table must not decide what servers execute. A text that was
 * changed counts as gone.
 */
export const intactText = (hash: string, text: unknown): string | undefined =>
  typeof text === 'string' && hashOfText(text) === hash ? text : undefined;

/** The stored part of a place: everything but the rounds, which belong to an effect. */
export type StoredSite = Omit<EffectSite, 'rounds'>;

export const changedVersion = (): Error =>
  new Error('The version of the workflow that the run belongs to was changed in the store.');

export interface OwnVersion {
  readonly v: number;
  /** Name in the address. */
  readonly workflow: string;
  readonly hash: string;
  readonly info: VersionInfo;
}

/** Texts are stored once, by hash. */
export interface VersionInfo {
  readonly title: string;
  readonly version: number;
  /** Base name of the `.wf` file. */
  readonly file: string;
  readonly trigger: string;
  readonly kind: ModuleArtifact['kind'];
  /** Hashes of the module, of its `.wf` text, and of the runtime of a linked module. */
  readonly module: string;
  readonly text: string;
  readonly runtime?: string;
  /** The workflows and files of tables that are compiled into it; absent if there are none. */
  readonly files?: readonly StoredFile[];
  /** Absolute: plugins are resolved from here. Never shown. */
  readonly folder: string;
  /** Names of environment variables, whose values are redacted when a run is shown. */
  readonly env: readonly string[];
  /** Credentials that its files contain, redacted as well; absent if there are none. */
  readonly secrets?: readonly string[];
  /** Fingerprints of their values at the start of its runs, made by `EnvironmentFingerprints`. Not part of the version's hash. */
  readonly environment?: string;
  /** Milliseconds. */
  readonly timeoutMs?: number;
  /** Paths of the request whose values are kept as hashes, so that runs are found by them. */
  readonly findBy?: readonly (readonly string[])[];
  /** Milliseconds to keep its finished runs; absent if the store decides. */
  readonly keepForMs?: number;
  /** Line of each place with an effect. */
  readonly sites: readonly number[];
}

export interface StoredFile {
  /** From the folder of the workflow: `part.wf`, `../shared/rates.csv`. */
  readonly name: string;
  /** Hash of its bytes as base64 for a table, of its text for a workflow. */
  readonly content: string;
}

/** The hashes of all stored texts that a version needs. */
export const contentsOf = ({ module, text, runtime, files = [] }: VersionInfo): string[] => [
  module,
  text,
  ...(runtime === undefined ? [] : [runtime]),
  ...files.map(({ content }) => content),
];

/**
 * Whether the effect recorded at a call site is that of another text, or of another version of wf. Never compares titles where both have an
 * identity: their wording may change.
 */
export function isSameCallSite(recorded: StoredSite | undefined, site: StoredSite): boolean {
  if (recorded === undefined) return false;
  if (recorded.identity !== undefined && site.identity !== undefined) return recorded.identity === site.identity;
  // Recorded by a version of wf that worded its titles differently, perhaps.
  const { service, serviceKind, method, phrase } = site;
  const isAlike = recorded.service === service && recorded.serviceKind === serviceKind;
  return recorded.title === site.title || (isAlike && recorded.method === method && recorded.phrase === phrase);
}
