// The way from a run to those that it has called, and back, in a real browser.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { skipUnlessSlow } from '../../root.js';
import { calledScene } from '../called-scene.js';
import { pagesOfChromium } from '../chromium.js';

const openPage = pagesOfChromium();

for (const javaScriptEnabled of [true, false]) {
  const title = `two clicks lead to a called run of a called run, two back${javaScriptEnabled ? '' : ', without a script'}`;
  test(title, { skip: skipUnlessSlow }, async (t) => {
    const { server, run } = await calledScene(t);
    const { page, problems } = await openPage(t, { javaScriptEnabled });
    await page.goto(`${server.url}/console/runs/${run}`);
    const heading = page.getByRole('heading', { level: 1 });
    for (const [link, name] of [
      ['get price', 'The price'],
      ['get price', 'The discount'],
    ] as const) {
      await page.locator('a.what', { hasText: link }).first().click();
      await heading.filter({ hasText: name }).waitFor();
    }
    assert.match(await page.locator('main').innerText(), /a discount for 7/);
    for (const name of ['The price', 'Order']) {
      await page.getByRole('link', { name: 'The run that called it' }).click();
      await heading.filter({ hasText: name }).waitFor();
    }
    assert.equal(new URL(page.url()).pathname, `/console/runs/${run}`);
    assert.deepEqual(problems, []);
  });
}
