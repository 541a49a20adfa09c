// docs/errors.md has a section for every code and shows the actual messages of wf, from the golden fixtures. UPDATE=1 copies them into the
// page. Run test/compiler first, which writes the fixtures.
import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { callErrors } from '../../runtime/services/call-errors.js';
import { runtimeErrors } from '../../runtime/values/errors.js';
import { titles } from '../../src/compiler/diagnostics/catalogue/titles.js';
import { isUpdate } from '../compiler/fixtures.js';
import { fixture, root } from '../root.js';

const page = path.join(root, 'docs/errors.md');
const all: Readonly<Record<string, string>> = { ...titles, ...runtimeErrors, ...callErrors };

interface Section {
  readonly heading: string;
  readonly code: string;
  readonly text: string;
}

const sectionsOf = (text: string): Section[] =>
  text
    .split(/^(?=## )/m)
    .slice(1)
    .map((section) => ({ heading: section.split('\n', 1)[0] ?? '', code: section.slice(3, 8), text: section }));

const BLOCK = /^```text\n(.*?)^```$/ms;

/** The message of wf, or `undefined` if no small file can cause it. */
function said(code: string): string | undefined {
  const file = fixture('invalid', code, 'expected.txt');
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
}

test('every code has a section with its title, and no other has one', () => {
  const headings = sectionsOf(readFileSync(page, 'utf8')).map(({ heading }) => heading);
  assert.deepEqual(
    headings.sort(),
    Object.entries(all)
      .map(([code, title]) => `## ${code}: ${title}`)
      .sort(),
  );
});

test('every section shows the message, its meaning, and the fix', () => {
  const text = readFileSync(page, 'utf8');
  let updated = text;
  for (const section of sectionsOf(text)) {
    const expected = said(section.code);
    const shown = BLOCK.exec(section.text)?.[1];
    if (isUpdate && expected !== undefined && shown !== expected) {
      const mended = section.text.replace(BLOCK, () => `\`\`\`text\n${expected}\`\`\``);
      updated = updated.replace(section.text, () => mended);
      continue;
    }
    assert.equal(shown, expected, `${section.code}; UPDATE=1 copies it from the fixture`);
    const prose = section.text
      .replace(section.heading, '')
      .replace(BLOCK, '')
      .trim()
      .split(/\n{2,}/);
    assert.equal(prose.length, 2, `${section.code}: what it means, and the way out`);
  }
  if (updated !== text) writeFileSync(page, updated);
});

test('the list at the top links to every section', () => {
  const [head = ''] = readFileSync(page, 'utf8').split(/^## /m, 1);
  const listed = [...head.matchAll(/\[(WF\d{3})\]\(/g)].map(([, code]) => code);
  assert.deepEqual(listed.sort(), Object.keys(all).sort());
});
