// Words without an option are not given to cac. They must come out as if they were.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { commands } from '../../src/commands/command-table.js';
import { sortWords } from '../../src/commands/sort-words.js';

test('arguments are the same with and without an option', () => {
  const check = commands.find(({ name }) => name === 'check');
  assert.ok(check);
  const words = ['a.wf', '007', '1e3', 'true', 'a=b', 'with spaces', '', 'x.y', 'café.wf'];
  const alone = sortWords(check, words);
  const beside = sortWords(check, ['--strict', ...words]);
  assert.deepEqual(alone.args, words);
  assert.deepEqual(beside.args, words);
  assert.deepEqual(alone.options, {});
  assert.deepEqual(beside.options, { strict: true });
});
