// A version of a workflow in a store: what a run needs to end with the module that it started with, and what is shown of it.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { WorkflowModule } from '../../runtime/types.js';
import type { ReadFile } from '../compiler/compile.js';
import { distFolder } from '../dist-folder.js';
import { evaluate, isWorkflowModule } from '../engine/prepare/load-module.js';
import type { ModuleArtifact, Prepared } from '../engine/prepare/prepared.js';
import { nativeImport } from '../native-import.js';

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
  /** What `EnvironmentPrints` makes of their values at the start of its runs. Not part of the version's hash. */
  readonly environment?: string;
  /** Milliseconds. */
  readonly timeoutMs?: number;
  /** Line of each place with an effect. */
  readonly sites: readonly number[];
}

export interface StoredFile {
  /** From the folder of the workflow: `part.wf`, `../shared/rates.csv`. */
  readonly name: string;
  /** Hash of its bytes as base64 for a table, of its text for a workflow. */
  readonly content: string;
}

export interface DescribedVersion {
  /** Hash of everything that distinguishes it from other versions. */
  readonly hash: string;
  readonly info: VersionInfo;
  /** Hash and text of what `info` names. */
  readonly contents: readonly (readonly [hash: string, data: string])[];
}

/** The hashes of all stored texts that a version needs. */
export const contentsOf = ({ module, text, runtime, files = [] }: VersionInfo): string[] => [
  ...[module, text, ...(runtime === undefined ? [] : [runtime])],
  ...files.map(({ content }) => content),
];

const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');

let ownRuntime: { readonly text: string; readonly hash: string } | undefined;

/** The runtime of this program as standalone text. */
function runtimeOfProgram(): { readonly text: string; readonly hash: string } {
  if (ownRuntime === undefined) {
    const text = readFileSync(path.join(distFolder, 'runtime.mjs'), 'utf8');
    ownRuntime = { text, hash: hashOf(text) };
  }
  return ownRuntime;
}

/** Whether a version runs with the runtime of this program. */
export const hasOwnRuntime = ({ kind, runtime }: VersionInfo): boolean =>
  kind === 'linked' && runtime === runtimeOfProgram().hash;

/** @throws if the workflow came from no file, because nothing could continue it after a restart */
export function describeVersion(prepared: Prepared): DescribedVersion {
  const { workflow, artifact, folder = process.cwd(), source = '', called = [] } = prepared;
  if (artifact === undefined) throw new Error('A workflow without its module cannot be kept.');
  const texts = called.map((file) => [file.name, textOf(file)] as const);
  const files = texts.map(([name, text]): StoredFile => ({ name, content: hashOf(text) }));
  const runtime = artifact.kind === 'linked' ? runtimeOfProgram() : undefined;
  const info: VersionInfo = {
    ...{ title: workflow.name, version: workflow.version, file: workflow.file, trigger: workflow.trigger },
    ...{ kind: artifact.kind, module: hashOf(artifact.code), text: hashOf(source) },
    ...(runtime === undefined ? {} : { runtime: runtime.hash }),
    ...(files.length === 0 ? {} : { files }),
    ...{ folder, env: workflow.env },
    ...(workflow.timeoutMs === undefined ? {} : { timeoutMs: workflow.timeoutMs }),
    sites: workflow.sites,
  };
  return {
    hash: hashOf(JSON.stringify(info)),
    info,
    contents: [
      [info.module, artifact.code],
      [info.text, source],
      ...(runtime === undefined ? [] : [[runtime.hash, runtime.text] as const]),
      ...texts.map(([, text], index) => [files[index]?.content ?? '', text] as const),
    ],
  };
}

/** A file as text. A table may be a workbook, or have characters that a database refuses. */
const textOf = ({ name, source }: ReadFile): string =>
  name.endsWith('.wf') ? new TextDecoder().decode(source) : Buffer.from(source).toString('base64');

/** The stored files of a version, without those that are gone. @param read returns a text of the store by its hash */
export async function filesOf(
  { files = [] }: VersionInfo,
  read: (hash: string) => Promise<string | undefined>,
): Promise<Omit<ReadFile, 'path'>[]> {
  const found: Omit<ReadFile, 'path'>[] = [];
  for (const { name, content } of files) {
    const text = await read(content);
    if (text !== undefined) found.push({ name, source: Buffer.from(text, name.endsWith('.wf') ? 'utf8' : 'base64') });
  }
  return found;
}

const runtimes = new Map<string, Promise<object>>();

/**
 * Loads a stored module with its original runtime, which is that of this program if they are the same.
 * @param read returns a text of the store by its hash
 * @throws if a text is gone or contains no workflow
 */
export async function loadVersion(
  info: VersionInfo,
  read: (hash: string) => Promise<string | undefined>,
): Promise<WorkflowModule> {
  const code = await read(info.module);
  if (code === undefined) throw new Error('The module of the run is not in the store any more.');
  const module =
    info.kind === 'whole'
      ? await importText(code)
      : await evaluate(code, `${path.join(info.folder, info.file)}.cjs`, await runtimeFor(info.runtime ?? '', read));
  if (!isWorkflowModule(module)) throw new Error('The module of the run is damaged.');
  return module;
}

async function runtimeFor(hash: string, read: (hash: string) => Promise<string | undefined>): Promise<object> {
  if (hash === runtimeOfProgram().hash) return import('../compiler/5-bundle/runtime.js');
  let runtime = runtimes.get(hash);
  if (runtime === undefined) {
    runtime = read(hash).then((text) => {
      if (text === undefined) throw new Error('The runtime of the run is not in the store any more.');
      return importText(text);
    });
    runtimes.set(hash, runtime);
    // For another run, the store may be intact again.
    runtime.catch(() => runtimes.delete(hash));
  }
  return runtime;
}

/** An ES module that imports only what Node.js provides. */
const importText = async (text: string): Promise<object> => {
  const module = await nativeImport(`data:text/javascript;base64,${Buffer.from(text).toString('base64')}`);
  return Object(module);
};
