// A paragraph or an item of a list is one line of a page, so that a change of some words is a change of that line only.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pages } from './page.js';

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
