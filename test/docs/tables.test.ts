// Tables of the docs that also exist in the code: the first words of a call, the keywords, the AI providers.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { providers } from '../../runtime/services/ai-providers.js';
import { verbs } from '../../runtime/services/verbs.js';
import { commands } from '../../src/commands/command-table.js';
import { languageWords } from '../../src/compiler/1-layout/alphabet.js';
import { root } from '../root.js';
import { readPage } from './page.js';

const quoted = (text: string): string[] => [...text.matchAll(/`([^`]+)`/g)].map(([, word = '']) => word);

const section = (page: string, title: string): string => {
  const { text } = readPage(page);
  const start = text.indexOf(`\n${title}\n`);
  assert.notEqual(start, -1, `${page} has no section "${title}"`);
  const next = text.indexOf('\n## ', start + title.length);
  return text.slice(start, next === -1 ? undefined : next);
};

test('docs/connectors.md has the verbs of the runtime', () => {
  const rows = [
    ...section('docs/connectors.md', '### The first word decides').matchAll(/^\| (.*) \| (GET|PUT|PATCH|DELETE) \|$/gm),
  ];
  const listed = Object.fromEntries(rows.map(([, words = '', method = '']) => [method, quoted(words)]));
  assert.deepEqual(listed, verbs);
});

test('docs/connectors.md has the providers of AIs with their variables', () => {
  const listed = [...section('docs/connectors.md', '## AI').matchAll(/^\| `(\w+)`.* \| (.*)\| (.*) \|$/gm)].map(
    ([, name = '', key = '', address = '']) => ({
      name,
      key: quoted(key)[0],
      address: quoted(address)[0],
    }),
  );
  assert.deepEqual(
    listed,
    Object.entries(providers).map(([name, { key, address }]) => ({ name, key, address })),
  );
});

test('docs/language.md has every keyword of the grammar, once', () => {
  const rows = [...section('docs/language.md', '## Words of the language').matchAll(/^\| (.*) \| .* \|$/gm)];
  const listed = rows.flatMap(([, words = '']) => quoted(words));
  assert.deepEqual(listed.sort(), [...languageWords].sort());
});

test('docs/architecture.md says of every dependency where it works', () => {
  const { dependencies, optionalDependencies, peerDependencies, devDependencies } = JSON.parse(
    readFileSync(path.join(root, 'package.json'), 'utf8'),
  );
  const rows = [...section('docs/architecture.md', '## Packages').matchAll(/^\| (`.*`) \| .* \| (.*) \|$/gm)];
  const listed = rows.flatMap(([, names = '']) => quoted(names));
  const used = Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies, ...devDependencies });
  assert.deepEqual([...listed].sort(), used.sort());
  for (const [, names = '', where = ''] of rows)
    for (const file of quoted(where).filter((one) => one.includes('/')))
      assert.ok(existsSync(path.join(root, file)), `${names}: there is no ${file}`);
});

// docs/cli.md matches the command table: every command has its section, every option its line there, and there are no others.

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
