// The language of pages, messages and comments: phrases that read as translated, each with the idiom to use instead; spelling; paragraphs.
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

// Spelling of what users read: pages, messages, help texts, examples. Uses a list of common misspellings instead of a dictionary, which
// would need a list of exceptions. Also finds doubled words.

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

// A paragraph or an item of a list is one line of a page, so that a change of some words is a change of that line only.

/** Starts of lines that end the paragraph above: items, tables, headings, images, quotes, HTML. Other lines continue it. */
const OWN_LINE = /^ *(?:[-*+] |\d+\. |\||#|!\[|>|<|```)/;

/** Lines whose next line may only be blank, an item or the start of a block. */
const CANNOT_CONTINUE = /^ *(?:\||#|!\[|<|```)/;

/** Places of lines that continue the line above, outside of blocks. */
function continued(name: string, text: string): string[] {
  const lines = text.replace(/^( *)```.*?^\1```$/gms, (block) => block.replace(/^.*$/gm, '```')).split('\n');
  return lines.flatMap((line, index) => {
    const before = lines[index - 1]?.trim() ?? '';
    const isOwn = line.trim() === '' || OWN_LINE.test(line);
    return isOwn || before === '' || CANNOT_CONTINUE.test(before) ? [] : [`${name}:${index + 1}`];
  });
}

test('a paragraph is one line', () => {
  assert.deepEqual(
    pages.flatMap(({ name, text }) => continued(name, text)),
    [],
  );
});

test('finds paragraphs of several lines, and nothing else', () => {
  const wrapped = 'One\nmore\n\n- an item\n  and more of it\n\n`file.wf`:\n\n```wf\nset x to 1\nlog x\n```\n';
  assert.deepEqual(continued('a', wrapped), ['a:2', 'a:5']);
  assert.deepEqual(continued('a', '# Head\n\n- one\n- two\n\n| a |\n|---|\n| b |\n\n1. one\n2. two\n'), []);
});
