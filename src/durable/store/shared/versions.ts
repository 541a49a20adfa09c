// Describes the versions of workflows for a store, and loads stored ones: module, text, runtime, and fingerprints of the environment.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { EndSignal } from '../../../../runtime/run/cancellation.js';
import type { Environment, WorkflowModule } from '../../../../runtime/types.js';
import type { ReadFile } from '../../../compiler/compile.js';
import { distFolder } from '../../../dist-folder.js';
import type { Runnable } from '../../../engine/engine.js';
import { evaluate, isWorkflowModule } from '../../../engine/prepare/load-module.js';
import { pluginLoader } from '../../../engine/prepare/load-plugin.js';
import type { Prepared } from '../../../engine/prepare/prepared.js';
import { nativeImport } from '../../../native-import.js';
import {
  changedVersion,
  hashOfText as hashOf,
  type OwnVersion,
  type StoredFile,
  type VersionInfo,
} from '../../model/versions.js';

interface DescribedVersion {
  /** Hash of everything that distinguishes it from other versions. */
  readonly hash: string;
  readonly info: VersionInfo;
  /** Hash and text of what `info` names. */
  readonly contents: readonly (readonly [hash: string, data: string])[];
}

/** Whether a version is the one that its hash was made from. */
const isIntact = ({ hash, info: { environment: _, ...info } }: OwnVersion): boolean => hashOf(JSON.stringify(info)) === hash;

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
const hasOwnRuntime = ({ kind, runtime }: VersionInfo): boolean => kind === 'linked' && runtime === runtimeOfProgram().hash;

/** @throws if the workflow came from no file, because nothing could continue it after a restart */
export function describeVersion(prepared: Prepared): DescribedVersion {
  const { workflow, artifact, folder = process.cwd(), source = '', called = [] } = prepared;
  if (artifact === undefined) throw new Error('A workflow without its module cannot be kept.');
  const texts = called.map((file) => [file.name, textOf(file)] as const);
  const files = texts.map(([name, text]): StoredFile => ({ name, content: hashOf(text) }));
  const runtime = artifact.kind === 'linked' ? runtimeOfProgram() : undefined;
  const info: VersionInfo = {
    title: workflow.name,
    version: workflow.version,
    file: workflow.file,
    trigger: workflow.trigger,
    kind: artifact.kind,
    module: hashOf(artifact.code),
    text: hashOf(source),
    ...(runtime === undefined ? {} : { runtime: runtime.hash }),
    ...(files.length === 0 ? {} : { files }),
    folder,
    env: workflow.env,
    ...(workflow.secrets === undefined ? {} : { secrets: workflow.secrets }),
    ...(workflow.timeoutMs === undefined ? {} : { timeoutMs: workflow.timeoutMs }),
    ...(workflow.findBy === undefined ? {} : { findBy: workflow.findBy }),
    ...(workflow.keepForMs === undefined ? {} : { keepForMs: workflow.keepForMs }),
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
async function loadVersion(info: VersionInfo, read: (hash: string) => Promise<string | undefined>): Promise<WorkflowModule> {
  const code = await read(info.module);
  if (code === undefined) throw new Error('The module of the run is not in the store any more, or was changed there.');
  const module =
    info.kind === 'whole'
      ? await importText(code)
      : await evaluate(code, `${path.join(info.folder, info.file)}.cjs`, await runtimeFor(info.runtime ?? '', read));
  if (!isWorkflowModule(module)) throw new Error('The module of the run is damaged.');
  return module;
}

async function runtimeFor(hash: string, read: (hash: string) => Promise<string | undefined>): Promise<object> {
  if (hash === runtimeOfProgram().hash) return import('../../../compiler/5-bundle/runtime.js');
  let runtime = runtimes.get(hash);
  if (runtime === undefined) {
    runtime = read(hash).then((text) => {
      if (text === undefined) throw new Error('The runtime of the run is not in the store any more, or was changed there.');
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

export class EnvironmentFingerprints {
  readonly #env: Environment;
  readonly #hash: (texts: readonly string[]) => Promise<readonly string[]>;
  readonly #known = new Map<string, Promise<string>>();

  /** @param hash returns short hashes that can't be computed without the store's own secret */
  constructor(env: Environment, hash: (texts: readonly string[]) => Promise<readonly string[]>) {
    this.#env = env;
    this.#hash = hash;
  }

  /** `RATES_URL:1f8b2c90,TOKEN:77e0aa31`. */
  of(names: readonly string[]): Promise<string> {
    const key = names.join();
    let known = this.#known.get(key);
    if (known === undefined) {
      known = this.#hash(names.map((name) => `${name}=${this.#env[name] ?? ''}`)).then((hashes) =>
        names.map((name, index) => `${name}:${hashes[index]}`).join(),
      );
      this.#known.set(key, known);
      known.catch(() => this.#known.delete(key));
    }
    return known;
  }

  /** The variables among these whose values differ from what `of` returned then; none if that is unknown. */
  async changed(names: readonly string[], then: string | undefined): Promise<string[]> {
    if (then === undefined) return [];
    const before = new Set(then.split(','));
    const now = await this.of(names);
    return names.length === 0 ? [] : now.split(',').flatMap((print) => (before.has(print) ? [] : [print.split(':')[0] ?? '']));
  }
}

export class DescribedVersions {
  readonly #known = new WeakMap<Prepared, DescribedVersion>();
  readonly #prints: EnvironmentFingerprints;
  readonly #store: (contents: DescribedVersion['contents']) => Promise<void>;

  /** @param store writes texts that are not in the store yet */
  constructor(prints: EnvironmentFingerprints, store: (contents: DescribedVersion['contents']) => Promise<void>) {
    this.#prints = prints;
    this.#store = store;
  }

  /** `undefined` if it must be described first. */
  known(prepared: Prepared): DescribedVersion | undefined {
    return this.#known.get(prepared);
  }

  /** Its module and text are on disk when this resolves. */
  async of(prepared: Prepared): Promise<DescribedVersion> {
    const known = this.#known.get(prepared);
    if (known !== undefined) return known;
    const { info, ...rest } = describeVersion(prepared);
    await this.#store(rest.contents);
    const described = { ...rest, info: { ...info, environment: await this.#prints.of(info.env) } };
    this.#known.set(prepared, described);
    return described;
  }
}

export class RunnableVersions {
  readonly #read: (hash: string) => Promise<string | undefined>;
  readonly #byHash = new Map<string, Promise<Runnable>>();

  /** @param read returns a text of the store by its hash */
  constructor(read: (hash: string) => Promise<string | undefined>) {
    this.#read = read;
    // An update may replace its file before the first run needs it.
    runtimeOfProgram();
  }

  /** @throws if its module is gone, damaged or changed */
  get(version: OwnVersion): Promise<Runnable> {
    const { hash } = version;
    let found = this.#byHash.get(hash);
    if (found === undefined) {
      found = this.#load(version);
      this.#byHash.set(hash, found);
      found.catch(() => this.#byHash.delete(hash));
    }
    return found;
  }

  async #load(version: OwnVersion): Promise<Runnable> {
    if (!isIntact(version)) throw changedVersion();
    const { info } = version;
    const { workflow, run: runStored } = await loadVersion(info, this.#read);
    // Runtimes of other versions of wf only know the signals of the platform.
    const run: typeof runStored = hasOwnRuntime(info)
      ? runStored
      : (request, options = {}) => runStored(request, { ...options, signal: platformSignal(options.signal) });
    return { workflow, run, loadPlugin: pluginLoader(info.folder), folder: info.folder };
  }
}

function platformSignal(signal: EndSignal | undefined): AbortSignal | undefined {
  if (signal === undefined || !('listen' in signal)) return signal;
  const controller = new AbortController();
  const cancelled = (): void => controller.abort(signal.reason);
  if (signal.aborted) cancelled();
  else signal.listen({ cancelled });
  return controller.signal;
}
