// docs/examples.md has each example with its drawing, as `wf graph --format mermaid` prints it. UPDATE=1 writes the page.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { checkFile } from '../../src/compiler/compile.js';
import { diagramOf } from '../../src/diagram/diagram.js';
import { drawMermaid } from '../../src/diagram/mermaid.js';
import { isUpdate } from '../compiler/fixtures.js';
import { fixture, root } from '../root.js';

function section(file: string): string {
  const text = readFileSync(fixture('examples', file), 'utf8');
  const { workflow } = checkFile(text, file);
  const diagram = diagramOf(workflow, text, file.replace(/\.wf$/, ''));
  const about = /^# (.*)$/m.exec(text)?.[1]?.replace(/: npx .*/, '.');
  return `## ${diagram.name}\n\n${about} [${file}](../fixtures/examples/${file})\n\n\`\`\`mermaid\n${drawMermaid(diagram)}\`\`\`\n`;
}

test('docs/examples.md draws every example as it is', () => {
  const files = readdirSync(fixture('examples')).filter((file) => file.endsWith('.wf'));
  const page = path.join(root, 'docs/examples.md');
  const [head = ''] = readFileSync(page, 'utf8').split(/^(?=## )/m);
  const expected = head + files.map(section).join('\n');
  if (isUpdate) writeFileSync(page, expected);
  assert.equal(readFileSync(page, 'utf8'), expected, 'UPDATE=1 writes the page again.');
});
