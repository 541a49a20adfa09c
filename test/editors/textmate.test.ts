// The colours of VS Code are generated from the grammar, and know each of its words.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
// @ts-expect-error the build has no types
import { textMateGrammar } from '../../build/textmate.mjs';
// @ts-expect-error the build has no types
import { translate } from '../../grammar/compile.mjs';
import { root } from '../root.js';

const source = readFileSync(path.join(root, 'grammar', 'wf.ohm'), 'utf8');
const { patterns } = textMateGrammar(source);
const keyword = new RegExp(patterns.find(({ name }: { name?: string }) => name === 'keyword.control.wf')?.match ?? '$.');

test('every word of the grammar is a keyword, whole', () => {
  const { words } = translate(source);
  assert.ok(words.length > 150);
  for (const word of words) assert.equal(keyword.exec(` ${word} `)?.[0], word);
});

test('a word that the grammar gets becomes a keyword; parts of names do not', () => {
  const grown = textMateGrammar(source.replace('"config"', '"config" | "zebra"'));
  assert.match(JSON.stringify(grown), /zebra/);
  for (const name of ['complete-order', 'request.complete', 'completed-at', 'my-set'])
    assert.equal(keyword.exec(name), null, name);
});
