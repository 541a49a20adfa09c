// Valid workflows to mutate: the examples of the docs and the golden fixtures.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fixture } from '../root.js';

export interface Sample {
  readonly name: string;
  readonly text: string;
}

export function corpus(): Sample[] {
  const files = ['examples', 'valid'].flatMap((folder) =>
    readdirSync(fixture(folder), { recursive: true })
      .map((name) => path.join(folder, String(name)))
      .filter((name) => name.endsWith('.wf'))
      .sort(),
  );
  return files.map((name) => ({ name, text: readFileSync(fixture(name), 'utf8') }));
}

/** Without the workflows that call others or have tables in files, which don't compile alone. */
export const corpusAlone = (): Sample[] => corpus().filter(({ text }) => !/ is a (?:workflow|table) at "/.test(text));
