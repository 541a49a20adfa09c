// Spelling of what users read: pages, messages, help texts, examples. Uses a list of common misspellings instead of a dictionary, which
// would need a list of exceptions. Also finds doubled words.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { root } from '../root.js';
import { pages } from './page.js';

/** The wrong spelling, then the right one. If British and American spelling differ, British counts. */
const slips: ReadonlyMap<string, string> = new Map(
  readFileSync(path.join(root, 'test/docs/misspellings.txt'), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => line.split(' ') as [string, string]), // two words per line, as the next test checks
);

const filesUnder = (folder: string, ending: RegExp): string[] =>
  readdirSync(path.join(root, folder), { recursive: true })
    .map((name) => path.join(folder, String(name)))
    .filter((name) => ending.test(name));

function problems(name: string, text: string): string[] {
  const prose = name.endsWith('.md') ? text.replace(/^ *```.*?^ *```/gms, (block) => block.replace(/[^\n]/g, ' ')) : text;
  return prose.split('\n').flatMap((line, index) => {
    const found = [...line.matchAll(/\p{L}+/gu)].flatMap(([word]) => {
      const right = slips.get(word.toLowerCase());
      return right === undefined ? [] : [`${word} → ${right}`];
    });
    const doubled = /\b(the|a|an|of|to|in|is|it|and|or|for|with|on|not|be|as)\s+\1\b/i.exec(line.replace(/`[^`]*`/g, '`'));
    if (doubled !== null && name.endsWith('.md')) found.push(`"${doubled[0]}"`);
    return found.map((problem) => `${name}:${index + 1}: ${problem}`);
  });
}

test('the list of misspellings has two words per line', () => {
  for (const [wrong, right] of slips) assert.match(`${wrong} ${right}`, /^[a-z]+ [a-z-]+$/);
  assert.ok(slips.size > 150);
  assert.deepEqual(problems('README.md', 'I recieve the the answer'), [
    'README.md:1: recieve → receive',
    'README.md:1: "the the"',
  ]);
});

test('pages have no misspellings', () => {
  assert.deepEqual(
    pages.flatMap(({ name, text }) => problems(name, text)),
    [],
  );
});

test('messages, help texts and examples have no misspellings', () => {
  const files = [
    ...filesUnder('src', /\.ts$/),
    ...filesUnder('runtime', /\.ts$/),
    ...filesUnder('schemas', /\.json$/),
    ...filesUnder('fixtures/examples', /\.(wf|json|mjs)$/),
    'grammar/wf.ohm',
  ];
  assert.deepEqual(
    files.flatMap((name) => problems(name, readFileSync(path.join(root, name), 'utf8'))),
    [],
  );
});
