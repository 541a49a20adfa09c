// Golden fixtures: the folders of fixtures/<kind>, and a comparison of results with the files in them. UPDATE=1 rewrites the golden files;
// review the diff like any other change.
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fixture } from '../root.js';

export const isUpdate: boolean = process.env.UPDATE === '1';

export interface Case {
  /** Name of its folder. */
  readonly name: string;
  readonly folder: string;
}

/** The folders of `fixtures/<kind>`, sorted. */
export function cases(kind: 'valid' | 'invalid'): Case[] {
  return readdirSync(fixture(kind), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => ({ name, folder: fixture(kind, name) }))
    .sort((one, other) => (one.name < other.name ? -1 : 1));
}

/** A file of the case; `undefined` if there is none. */
export function readPart({ folder }: Case, file: string): string | undefined {
  const full = path.join(folder, file);
  return existsSync(full) ? readFileSync(full, 'utf8') : undefined;
}

/** Parsed JSON of the case, or `otherwise`. */
export function readJsonPart(one: Case, file: string, otherwise: unknown): unknown {
  const text = readPart(one, file);
  return text === undefined ? otherwise : JSON.parse(text);
}

/** Asserts that `actual` is the text of a golden file, or that there is none if it is `undefined`. */
export function assertGolden(one: Case, file: string, actual: string | undefined): void {
  const expected = readPart(one, file);
  if (actual === expected) return;
  const full = path.join(one.folder, file);
  if (isUpdate) {
    if (actual === undefined) rmSync(full);
    else writeFileSync(full, actual);
    return;
  }
  assert.equal(actual, expected, `${one.name}/${file} differs from the actual output; UPDATE=1 rewrites it`);
}
