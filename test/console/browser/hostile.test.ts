// Hostile text in every field that a page shows, in a real browser: none of it runs, loads or redirects.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { skipUnlessSlow } from '../../root.js';
import { pagesOfChromium } from '../chromium.js';
import { consoleFor } from '../console-server.js';
import { addSample } from '../sample-runs.js';
import { addTasks, fullStore, servedSample } from '../sample-store.js';

const openPage = pagesOfChromium();

const HOSTILE = [
  '<script>document.title="owned"</script>',
  '<img src=http://evil.example/x onerror=document.title="owned">',
  '"><svg onload=document.title="owned">',
  "javascript:document.title='owned'",
  '</code></li></ol><h1>owned</h1>',
  'invoice\u202efdp.exe\u2066',
  '{{constructor.constructor("document.title=\'owned\'")()}}',
  'x'.repeat(100_000),
];

test('hostile text runs, loads and redirects nothing', { skip: skipUnlessSlow }, async (t) => {
  const store = fullStore(1);
  addTasks(store);
  const { page } = await openPage(t);
  const asked: string[] = [];
  const refused: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  page.on('console', (message) => /Content Security Policy/.test(message.text()) && refused.push(message.text()));
  page.on('dialog', (dialog) => assert.fail(dialog.message()));
  for (const [index, hostile] of HOSTILE.entries()) {
    const oneLine = hostile.slice(0, 2_000);
    const change = {
      about: oneLine,
      message: hostile,
      title: oneLine,
      request: { [oneLine]: hostile, deep: { [oneLine]: [hostile] } },
      outputs: { [oneLine]: hostile },
    };
    const run = addSample(store, { status: 'completed', number: 700 + index, change });
    const journal = store.runs.get(run)?.journal ?? [];
    for (const [at, entry] of journal.entries()) {
      const details = {
        url: hostile,
        error: oneLine,
        phrase: oneLine,
        service: oneLine,
        message: hostile,
        sent: { [oneLine]: hostile },
        answer: hostile,
      };
      journal[at] = { ...entry, ...details, ok: false };
    }
    const task = store.openTasks.get('t-1');
    if (task !== undefined)
      store.openTasks.set('t-1', {
        ...task,
        question: oneLine,
        choices: [oneLine],
        pairs: { [oneLine]: hostile },
        service: oneLine,
      });
    const text = `workflow:\n    trigger: ${oneLine}\n\n    log "${oneLine.replaceAll('"', '')}" # ${oneLine}\n`;
    const server = await consoleFor(t, { store, workflows: [servedSample(text)] });
    const encoded = encodeURIComponent(oneLine);
    const paths = [
      '/console',
      `/console?q=${encoded}&workflow=${encoded}`,
      `/console/runs/${run}`,
      `/console/runs/${run}/effects/0`,
      '/console/tasks',
      '/tasks/t-1?key=key-of-t-1',
      '/console/workflows/refund',
    ];
    for (const path of paths) {
      await page.goto(`${server.url}${path}`, { waitUntil: 'load' });
      assert.doesNotMatch(await page.title(), /^owned/, `${path}: ${hostile.slice(0, 60)}`);
      assert.equal(await page.locator('h1', { hasText: /^owned$/ }).count(), 0, path);
      const addresses = await page.evaluate<string[]>(
        "[...document.querySelectorAll('a[href], form[action]')].map((element) => element.href || element.action)",
      );
      assert.ok(
        addresses.every((address) => address.startsWith(`${server.url}/`)),
        `${path}: ${addresses.find((address) => !address.startsWith(server.url))}`,
      );
      assert.equal(
        await page.evaluate('document.documentElement.scrollWidth <= innerWidth'),
        true,
        `${path} is as wide as the window`,
      );
    }
    // Content loaded later is text, too.
    await page.goto(`${server.url}/console/runs/${run}`);
    await page.locator('.effect > summary').first().click();
    await page.locator('.effect[data-loaded] .opened').first().waitFor();
    assert.doesNotMatch(await page.title(), /^owned/);
    assert.ok(
      asked.every((address) => address.startsWith('http://127.0.0.1:')),
      asked.find((address) => !address.startsWith('http://127.0.0.1:')),
    );
    assert.deepEqual(refused, [], 'the policy had nothing to refuse');
    store.runs.delete(run);
  }
});

test('a form on another site changes nothing, and no page can be framed', {
  skip: skipUnlessSlow,
}, async (t) => {
  const store = fullStore(12);
  const { url, port } = await consoleFor(t, { store, access: { token: 'operator-token-1' } });
  const { page } = await openPage(t);
  await page.goto(`${url}/console`);
  await page.getByLabel('Operator token').fill('operator-token-1');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Runs' }).waitFor();
  const run = [...store.runs.keys()][2] ?? '';
  // To a browser, this machine under another name is another site.
  await page.route('http://evil.example/**', (route) =>
    route.fulfill({
      contentType: 'text/html',
      body: `<form method="post" action="${url}/console/runs/${run}/cancel"><button>Win a prize</button></form><iframe src="${url}/console"></iframe>`,
    }),
  );
  await page.goto('http://evil.example/');
  const [frame] = page.frames().slice(1);
  await page.waitForLoadState('load');
  assert.ok(frame === undefined || !(await frame.content()).includes('Runs'), 'the frame stays empty');
  await page.getByRole('button', { name: 'Win a prize' }).click();
  await page.waitForURL(new RegExp(`:${port}`));
  assert.deepEqual(store.calls, []);
  assert.equal(store.runs.get(run)?.detail.status, 'waiting');
});

test('a link from another site leads into the console although the browser first withholds its session', {
  skip: skipUnlessSlow,
}, async (t) => {
  const store = fullStore(12);
  const { url } = await consoleFor(t, { store, access: { token: 'operator-token-1' } });
  const { page } = await openPage(t);
  await page.goto(`${url}/console`);
  await page.getByLabel('Operator token').fill('operator-token-1');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Runs' }).waitFor();
  const run = [...store.runs.keys()][7] ?? '';
  await page.route('http://chat.example/**', (route) =>
    route.fulfill({ contentType: 'text/html', body: `<a href="${url}/console/runs/${run}">The run has failed</a>` }),
  );
  await page.goto('http://chat.example/');
  await page.getByRole('link').click();
  await page.getByRole('heading', { name: /^Refund/ }).waitFor();
});
