// Resolves the path of a call inside the declared folder. Each part of the path is checked before it is used: a value is a single name,
// and links are not followed.
import { lstat, mkdir, realpath } from 'node:fs/promises';
import path from 'node:path';
import type { Failure } from '../../../runtime/services/call-errors.js';
import { badFileValue, fileFailed, outsideFolder } from '../../../runtime/services/connector-errors.js';
import type { PathPart, Value } from '../../../runtime/types.js';
import { show } from '../../../runtime/values/values.js';
import { faultCode, fileFault } from '../../engine/files/file-fault.js';

export interface Place {
  readonly ok: true;
  /** Absolute path of an existing folder that is reached without links. */
  readonly folder: string;
  /** The last part of the path; `''` for the folder itself. */
  readonly name: string;
  /** `folder` and `name`. */
  readonly file: string;
}

/** Maximum bytes of a name on all common file systems. */
const longestName = 255;

/** @param makes whether to create missing folders */
export async function placeInside(root: string, parts: readonly PathPart[], makes: boolean): Promise<Place | Failure> {
  const names = namesOf(parts);
  if (!Array.isArray(names)) return names;
  try {
    if (makes) await mkdir(root, { recursive: true });
    let folder = await realpath(root);
    for (const name of names.slice(0, -1)) {
      folder = path.join(folder, name);
      const problem = await enter(folder, makes);
      if (problem !== undefined) return problem;
    }
    const name = names[names.length - 1] ?? '';
    return { ok: true, folder, name, file: path.join(folder, name) };
  } catch (error) {
    return missingOr(error, 'its folder');
  }
}

async function enter(folder: string, makes: boolean): Promise<Failure | undefined> {
  const found = await lstat(folder).catch((error: unknown) => {
    if (faultCode(error) === 'ENOENT') return undefined;
    throw error;
  });
  if (found?.isSymbolicLink()) return throughLink();
  if (found === undefined && makes) await mkdir(folder).catch(ignoreExisting);
  else if (found === undefined) return noSuchFile();
  else if (!found.isDirectory()) return fileFailed('part of its path is a file, not a folder');
  return undefined;
}

const ignoreExisting = (error: unknown): void => {
  if (faultCode(error) !== 'EEXIST') throw error;
};

export const throughLink = (): Failure => outsideFolder('its path contains a link, which may lead to another folder');
export const noSuchFile = (): Failure => fileFailed('there is no such file', { status: 404 });

/** An error of the file system. @param what the subject of the sentence */
export function missingOr(error: unknown, what: string): Failure {
  const code = faultCode(error);
  if (code === 'ENOENT') return noSuchFile();
  if (code === 'ELOOP') return throughLink();
  if (code === '') throw error;
  return fileFailed(`${what} cannot be used: ${fileFault(error)}`);
}

/** Splits the path at the slashes of its literal text. */
function namesOf(parts: readonly PathPart[]): string[] | Failure {
  const names = [''];
  const add = (text: string): void => {
    names[names.length - 1] += text;
  };
  for (const part of parts) {
    if (typeof part === 'string') {
      const [first = '', ...more] = part.split('/');
      add(first);
      names.push(...more);
      continue;
    }
    const text = textOf(part.value);
    if (text === undefined || text === '')
      return badFileValue(
        `${part.name} is ${text === '' || part.value == null ? 'empty' : 'not text'}, but the path needs the name of a file there`,
      );
    if (/[\\/]/.test(text)) return outsideFolder(`${part.name} contains a slash, which would lead to another folder`);
    if (/\p{Surrogate}/u.test(text)) return badFileValue(`${part.name} contains half of a character (a lone surrogate)`);
    if (/[\u0000-\u001f\u007f]/.test(text)) return badFileValue(`${part.name} contains a control character`);
    if (text === '.' || text === '..') return outsideFolder(`${part.name} is "${text}", which would lead to another folder`);
    add(text);
  }
  for (const [index, name] of names.entries()) {
    if (name === '..' || name === '.' || (name === '' && index < names.length - 1) || name.includes('\\'))
      return outsideFolder('its path leads out of the folder');
    if (Buffer.byteLength(name) > longestName) return badFileValue('the name of the file is too long');
  }
  return names;
}

const textOf = (value: Value): string | undefined => {
  if (value === null || value === undefined) return '';
  return typeof value === 'object' ? undefined : show(value);
};
