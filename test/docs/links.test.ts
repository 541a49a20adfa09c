// Every relative link in the docs leads to an existing file and heading.
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { root } from '../root.js';
import { anchorsOf } from './anchors.js';
import { pages } from './page.js';

for (const { name, text } of pages) {
  test(`the links of ${name} have targets`, () => {
    const links = [...text.replace(/^ *```.*?^ *```/gms, '').matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link);
    for (const link of links.filter((target) => !/^[a-z]+:/.test(target))) {
      const [file = '', anchor] = link.split('#');
      const full = file === '' ? path.join(root, name) : path.join(root, path.dirname(name), file);
      assert.ok(existsSync(full), `${name}: ${link} leads nowhere`);
      if (anchor !== undefined)
        assert.ok(anchorsOf(readFileSync(full, 'utf8')).includes(anchor), `${name}: ${link} names no heading`);
    }
  });
}

test('every page in docs/ can be reached from the README', () => {
  const readme = pages.find(({ name }) => name === 'README.md')?.text ?? '';
  const seen = pages.filter(({ name }) => name.startsWith('docs/') && !readme.includes(`](${name})`)).map(({ name }) => name);
  // Decisions concern those who change wf. The architecture page links to them.
  assert.deepEqual(seen, ['docs/decisions.md']);
});

test('every file of the project that a page about the code names exists', () => {
  const folders = ['', 'src', 'runtime', 'test', 'build', 'grammar', 'editors', 'bench', 'fixtures'];
  const files = folders.slice(1).flatMap((folder) => readdirSync(path.join(root, folder), { recursive: true }).map(String));
  const isThere = (named: string): boolean =>
    folders.some((folder) => existsSync(path.join(root, folder, named))) || files.some((file) => file.endsWith(`/${named}`));
  for (const { name, text } of pages.filter(({ name }) => /^(?:CONTRIBUTING|docs\/(?:architecture|decisions))\.md$/.test(name)))
    assert.deepEqual(
      [...text.matchAll(/`([\w./-]+\.(?:ts|mjs|ohm))`/g)]
        .map(([, named = '']) => named)
        .filter((named) => !named.startsWith('dist/') && named !== 'built.mjs' && !isThere(named)),
      [],
      name,
    );
});
