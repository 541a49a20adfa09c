// docs/cli.md matches the command table: every command has its section, every option its line there, and there are no others.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { commands } from '../../src/commands/command-table.js';
import { readPage } from './page.js';

const { text } = readPage('docs/cli.md');
const sections = new Map(
  text
    .split(/^## /m)
    .slice(1)
    .map((section) => [section.slice(0, section.indexOf('\n')), section]),
);

test('docs/cli.md has a section for each command', () => {
  const named = [...sections.keys()].flatMap((title) => /^`wf (\w+)`$/.exec(title)?.[1] ?? []);
  assert.deepEqual(
    named,
    commands.map(({ name }) => name),
  );
});

for (const { name, options } of commands) {
  test(`docs/cli.md lists the options of wf ${name}`, () => {
    const section = sections.get(`\`wf ${name}\``) ?? '';
    const first = [...section.matchAll(/^\| (`--.*?) \|/gm)].map(([, cell = '']) => cell).join(' ');
    const listed = [...first.matchAll(/`(--[^`]+)`/g)].map(([, flag = '']) => flag);
    assert.deepEqual(listed.sort(), options.map(({ flag }) => flag).sort());
  });
}
