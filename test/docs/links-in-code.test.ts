// Every Markdown page that code, tests or docs mention exists, and so does the heading after its `#`.
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { root } from '../root.js';
import { anchorsOf } from './anchors.js';

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
