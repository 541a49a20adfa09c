// Every relative link in the docs leads to an existing file and heading.
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { root } from '../root.js';
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

// Every Markdown page that code, tests or docs mention exists, and so does the heading after its `#`.

/** A path that ends in `.md`, with an optional heading; not part of a web address. */
const MENTION = /(?<![\w/:.%-])((?:[\w.-]+\/)*[\w.-]*\w\.md)(?:#([\w-]+))?(?![\w/.-]*\w\/)/g;

const FOLDERS = ['.ci', 'bench', 'build', 'docs', 'grammar', 'runtime', 'schemas', 'src', 'test'];

/** All text that people write in this repository, except the inputs of tests. */
function textFiles(): string[] {
  const inFolder = (folder: string): string[] =>
    readdirSync(path.join(root, folder), { recursive: true }).map((name) =>
      path.posix.join(folder, ...String(name).split(path.sep)),
    );
  return [...readdirSync(root), ...FOLDERS.flatMap(inFolder)]
    .filter((name) => /\.(ts|mjs|cjs|md|ohm|json|css)$|^(Dockerfile|\.ci\/run)$/.test(name))
    .filter((name) => statSync(path.join(root, name)).isFile());
}

for (const name of textFiles()) {
  const text = readFileSync(path.join(root, name), 'utf8');
  const mentions = [...text.matchAll(MENTION)];
  if (mentions.length === 0) continue;
  test(`the pages that ${name} mentions exist`, () => {
    for (const [mention, page = '', anchor] of mentions) {
      // From the root of the repository, or from the file itself.
      const file = [root, path.join(root, path.dirname(name))].map((folder) => path.join(folder, page)).find(existsSync);
      assert.ok(file, `${name} mentions ${mention}, which is not in the repository`);
      if (anchor !== undefined)
        assert.ok(anchorsOf(readFileSync(file, 'utf8')).includes(anchor), `${mention} has no such heading`);
    }
  });
}

// Collects the anchors of a Markdown page's headings.

/** As GitHub builds them: lower case, without punctuation, with hyphens for spaces. */
const anchorsOf = (text: string): string[] =>
  [...text.replace(/^```.*?^```/gms, '').matchAll(/^#+ (.*)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
