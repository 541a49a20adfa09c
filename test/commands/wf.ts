// Runs the built command line in a temporary folder.
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import type { TestContext } from 'node:test';
import { cli } from '../root.js';
import { temporaryFolder } from '../temporary-folder.js';

export interface EndedCommand {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Folder {
  readonly path: string;
  /** Runs `wf` with these arguments. `env` extends a small environment of the test. */
  readonly wf: (words: readonly string[], env?: Readonly<Record<string, string>>) => EndedCommand;
}

/** Creates a temporary folder with `files`, deleted after the test. */
export function folderWith(context: TestContext, files: Readonly<Record<string, string | Uint8Array>> = {}): Folder {
  const folder = temporaryFolder(context, files);
  const base = {
    PATH: process.env.PATH ?? '',
    HOME: folder,
    XDG_CACHE_HOME: path.join(folder, '.cache'),
    NO_COLOR: '1',
    TZ: 'UTC',
  };
  return {
    path: folder,
    wf(words, env = {}) {
      const { status, stdout, stderr } = spawnSync(process.execPath, [cli, ...words], {
        cwd: folder,
        env: { ...base, ...env },
        encoding: 'utf8',
      });
      return { status, stdout, stderr };
    },
  };
}

/** A small workflow file with these statements. */
export const workflow = (body: string): string =>
  `config:\n    name: "Case"\n    version: 1\n\nworkflow:\n    trigger: t\n\n${body}\n`;
