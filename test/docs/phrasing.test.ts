// Phrases that read as translated. Each comes with the idiom to use instead. Prose of the pages, messages and comments are all checked.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { root } from '../root.js';
import { pages } from './page.js';

interface Phrase {
  readonly pattern: RegExp;
  readonly instead: string;
  /** An example that must match, so that a pattern can't silently stop working. */
  readonly example: string;
}

/** Wrong anywhere: on pages, in messages and in comments. */
const everywhere: readonly Phrase[] = [
  {
    pattern: /\bits own file, because\b/i,
    instead: 'say what a reader needs to know',
    example: 'Its own file, because tests need it.',
  },
  {
    pattern: /\bso that nobody\b/i,
    instead: 'so that no one, or the reason itself',
    example: 'Written once, so that nobody looks twice.',
  },
  { pattern: /\bbelongs? into\b/i, instead: 'belongs in', example: 'Secrets belong into the environment.' },
  { pattern: /\btak(?:es?|en) away the\b/i, instead: 'remove', example: 'Take away the spaces.' },
  {
    pattern: /\bstands? (?:in quotes|behind|without)\b/i,
    instead: 'put it in quotes, it comes after, write it without',
    example: 'Dates stand in quotes.',
  },
  { pattern: /\bset up late\b/i, instead: 'created lazily', example: 'Streams are set up late.' },
  {
    pattern: /\btried again is what\b/i,
    instead: 'only transient failures are retried',
    example: 'Tried again is what may work.',
  },
];

/** Wrong in prose. Code may have reasons to say it, such as a name or a keyword. */
const onPages: readonly Phrase[] = [
  { pattern: /\b(?:is|are) told\b/i, instead: 'reports, prints, says', example: 'The user is told.' },
  { pattern: /\b(?:goes|go) on\b/i, instead: 'continue', example: 'The run goes on.' },
  {
    pattern: /\bnobody\b|\bsomebody\b|\banybody\b/i,
    instead: 'no one, someone, anyone, or name who',
    example: 'Nobody reads it.',
  },
  {
    pattern: /\b(?<!there )is no (?!longer\b|more\b|one\b|need\b|such\b|default\b)\p{Ll}+(?=[.,:;)]|$)/imu,
    instead: 'is not a',
    example: 'This is no error.',
  },
  {
    pattern: /(?<=[.:] |^)What [^.?]{3,60} is (?!not\b)(?:the|a|an)\b/m,
    instead: 'put the subject first',
    example: 'What is sent is the body.',
  },
  { pattern: /\bby itself\b/i, instead: 'automatically, alone', example: 'The page reloads by itself.' },
  { pattern: /\bfor ever\b/i, instead: 'forever, or how long', example: 'It waits for ever.' },
  { pattern: /\bof (?:its|their) own\b/i, instead: 'separate, or its own before the noun', example: 'It is a run of its own.' },
  { pattern: /\banew\b/i, instead: 'again', example: 'It reads the file anew.' },
  { pattern: /\bput out\b/i, instead: 'output, return', example: 'The value is put out.' },
];

const code = (text: string): string => text.replace(/[^\n]/g, ' ');

/** Blocks and inline code quote programs, which may say anything. */
const proseOf = (text: string): string => text.replace(/^ *```.*?^ *```/gms, code).replace(/`[^`\n]*`/g, code);

const sources: readonly { readonly name: string; readonly text: string }[] = ['src', 'runtime', 'test', 'bench', 'build'].flatMap(
  (folder) =>
    readdirSync(path.join(root, folder), { recursive: true })
      .map((name) => path.join(folder, String(name)))
      .filter((name) => /\.(?:ts|mjs)$/.test(name) && !name.endsWith('phrasing.test.ts'))
      .map((name) => ({ name, text: readFileSync(path.join(root, name), 'utf8') })),
);

function found(phrases: readonly Phrase[], files: readonly { readonly name: string; readonly text: string }[]): string[] {
  return files.flatMap(({ name, text }) =>
    phrases.flatMap(({ pattern, instead }) => {
      const match = pattern.exec(text);
      if (match === null) return [];
      const line = text.slice(0, match.index).split('\n').length;
      return [`${name}:${line}: "${match[0]}" (${instead})`];
    }),
  );
}

test('every phrase finds its example', () => {
  for (const { pattern, example } of [...everywhere, ...onPages]) assert.match(example, pattern);
});

test('pages read as written in English', () => {
  const prose = pages.map(({ name, text }) => ({ name, text: proseOf(text) }));
  assert.deepEqual(found([...everywhere, ...onPages], prose), []);
});

test('messages and comments read as written in English', () => {
  assert.deepEqual(found(everywhere, sources), []);
});
