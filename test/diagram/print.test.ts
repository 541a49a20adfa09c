// Drawings on paper, from Chromium: one page for an example of some 40 lines. Slow: WF_TEST_SLOW=1 runs it.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { checkFile } from '../../src/compiler/compile.js';
import { diagramOf } from '../../src/diagram/diagram.js';
import { drawSvg } from '../../src/diagram/svg.js';
import { pagesOfChromium } from '../console/chromium.js';
import { fixture, skipUnlessSlow } from '../root.js';
import { temporaryFolder } from '../temporary-folder.js';

const openPage = pagesOfChromium();

test('a workflow of some 40 lines is printed on one page', { skip: skipUnlessSlow }, async (t) => {
  const { page } = await openPage(t);
  let printed = 0;
  for (const name of readdirSync(fixture('examples')).filter((file) => file.endsWith('.wf'))) {
    const text = readFileSync(path.join(fixture('examples'), name), 'utf8');
    if (text.split('\n').length > 45) continue;
    const svg = drawSvg(diagramOf(checkFile(text, name).workflow, text, name));
    await page.goto(pathToFileURL(path.join(temporaryFolder(t, { 'drawing.svg': svg }), 'drawing.svg')).href);
    const pdf = (await page.pdf({ format: 'A4', margin: { top: '1cm', bottom: '1cm', left: '1cm', right: '1cm' } })).toString(
      'latin1',
    );
    assert.equal(pdf.match(/\/Type\s*\/Page\b/g)?.length, 1, name);
    printed++;
  }
  assert.ok(printed > 5);
});
