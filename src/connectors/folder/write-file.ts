// Saves the pairs of a call atomically: writes a draft next to the file, then renames it.

import { randomBytes } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import type { AttemptResult } from '../../../runtime/services/attempt.js';
import { badFileValue } from '../../../runtime/services/connector-errors.js';
import type { FolderTask } from '../../../runtime/services/connector-types.js';
import { fileEnding } from '../../../runtime/services/verbs.js';
import { record } from '../../../runtime/values/record.js';
import { output, show } from '../../../runtime/values/values.js';
import { tableFile } from '../tables/table-file.js';
import { missingOr, type Place } from './inside.js';
import { ordinaryFile, unknownEnding } from './read-file.js';

/** Names of drafts, which listings omit. */
export const draftName = /^\.wf-\d+-[0-9a-f]{12}\.tmp$/;

export async function writeFileOf(place: Place, { parameters }: FolderTask, signal: AbortSignal): Promise<AttemptResult> {
  const { name } = place;
  const content = await contentOf(name, parameters);
  if (typeof content === 'string') return badFileValue(content);
  if (!Buffer.isBuffer(content)) return content;
  // Replaces only regular files.
  const problem = await ordinaryFile(place);
  if (problem !== undefined && problem.status !== 404) return problem;
  try {
    await replaceFile(place, content, signal);
  } catch (error) {
    return missingOr(error, 'it');
  }
  return { ok: true, value: { name, size: content.length } };
}

async function contentOf(
  name: string,
  pairs: FolderTask['parameters'],
): Promise<Buffer | string | ReturnType<typeof unknownEnding>> {
  const given = new Map(pairs);
  switch (fileEnding(name)) {
    case 'csv':
    case 'xlsx':
      return given.has('rows') ? tableFile(name, given.get('rows')) : 'a file with this ending needs "rows"';
    case 'txt': {
      const text = given.get('text');
      if (!given.has('text')) return 'a file with this ending needs "text"';
      return typeof text === 'object' && text !== null ? 'its text must not be a list or a record' : Buffer.from(show(text));
    }
    case 'json':
      return Buffer.from(`${JSON.stringify(output(record(pairs)), null, 2)}\n`);
    case undefined:
      return unknownEnding();
  }
}

/** @throws the error of `node:fs`, after removing the draft; the old file stays unchanged */
export async function replaceFile({ folder, file }: Place, content: Buffer, signal: AbortSignal): Promise<void> {
  const draft = path.join(folder, `.wf-${process.pid}-${randomBytes(6).toString('hex')}.tmp`);
  try {
    const handle = await open(draft, 'wx');
    try {
      await handle.writeFile(content);
      await handle.sync();
    } finally {
      await handle.close();
    }
    signal.throwIfAborted();
    await rename(draft, file);
  } finally {
    await rm(draft, { force: true });
  }
}
