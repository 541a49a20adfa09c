// Each page and each button, used in a real browser: with and without a script, by keyboard alone, and by two people at once.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { tokenDigest } from '../../../src/access/token-file.js';
import { skipUnlessSlow } from '../../root.js';
import { until } from '../../until.js';
import { pagesOfChromium } from '../chromium.js';
import { type ConsoleServer, consoleFor } from '../console-server.js';
import type { FakeStore } from '../fake-store.js';
import { sampleId } from '../sample-runs.js';
import { addTasks, fullStore, servedSample } from '../sample-store.js';

const openPage = pagesOfChromium();

interface Use {
  readonly page: Page;
  readonly store: FakeStore;
  readonly server: ConsoleServer;
  readonly hasScript: boolean;
  readonly go: (path: string) => Promise<void>;
}

/** Runs a scenario with and without a script; the result must be the same. */
function use(title: string, task: (use: Use, t: TestContext) => Promise<void>, options: BrowserContextOptions = {}): void {
  for (const javaScriptEnabled of [true, false]) {
    test(`${title}${javaScriptEnabled ? '' : ', without a script'}`, { skip: skipUnlessSlow }, async (t) => {
      const store = fullStore(60);
      addTasks(store);
      const changed = servedSample((store.texts.values().next().value?.text ?? '').replace('"medium"', '"middle"'));
      const server = await consoleFor(t, { store, workflows: [changed] });
      const { page, problems } = await openPage(t, { javaScriptEnabled, ...options });
      await task(
        { page, store, server, hasScript: javaScriptEnabled, go: async (path) => void (await page.goto(`${server.url}${path}`)) },
        t,
      );
      assert.deepEqual(problems, []);
      assert.deepEqual(server.faults, []);
    });
  }
}

use('runs are filtered by the address, and searched', async ({ page, go }) => {
  await go('/console');
  assert.equal(await page.locator('#rows tr').count(), 25);
  await page.getByRole('combobox', { name: 'State' }).selectOption({ label: 'Failed' });
  await page.getByRole('button', { name: 'Filter' }).click();
  await page.waitForURL(/status=error/);
  const states = await page.locator('#rows .state').allTextContents();
  assert.ok(states.length > 1 && states.every((state) => state === 'Failed'), states.join());
  await go('/console');
  await page.getByLabel('Search').fill('P-1007');
  await page.getByLabel('Search').press('Enter');
  await page.waitForURL(/q=P-1007/);
  assert.equal(await page.locator('#rows tr').count(), 1);
  await page.getByRole('link', { name: 'Clear' }).click();
  for (const rows of [25, 11]) {
    const before = page.url();
    await page.getByRole('link', { name: 'Older runs' }).click();
    await page.waitForURL((url) => url.href !== before && url.searchParams.has('cursor'));
    assert.equal(await page.locator('#rows tr').count(), rows);
  }
});

use('several runs are cancelled after a question', async ({ page, store, go }) => {
  await go('/console');
  for (const number of [0, 2, 1]) await page.locator(`#r${sampleId(number)} input`).check();
  await page.locator('.bulk').getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('heading', { name: 'Cancel 2 runs?' }).waitFor();
  await page.getByText('1 other run is left out: only a run that is not over can be cancelled').waitFor();
  assert.deepEqual(store.calls, [], 'nothing happens before the question is answered');
  await page.getByRole('button', { name: 'Cancel them' }).click();
  await page.getByText('2 of 2 runs cancelled.').waitFor();
  assert.equal(store.runs.get(sampleId(0))?.detail.status, 'cancelled');
  assert.equal(store.runs.get(sampleId(1))?.detail.status, 'completed');
});

use('several runs are rerun, with the text of today', async ({ page, store, go }) => {
  await go('/console');
  for (const number of [1, 3]) await page.locator(`#r${sampleId(number)} input`).check();
  await page.locator('.bulk').getByRole('button', { name: 'Rerun' }).click();
  await page.getByLabel('With the text that is served now').check();
  await page.getByRole('button', { name: 'Rerun them' }).click();
  await page.getByText('2 of 2 runs started again.').waitFor();
  assert.deepEqual(store.calls, [`rerun ${sampleId(1)} failure current`, `rerun ${sampleId(3)} failure current`]);
});

use('the rerun of several runs keeps the filter, and says why they failed', async ({ page, store, go }) => {
  await go('/console?status=error');
  await page.locator(`#r${sampleId(7)} input`).check();
  await page.locator('.bulk').getByRole('button', { name: 'Rerun' }).click();
  await page.getByText('422 Unprocessable Content').waitFor();
  assert.ok(await page.getByLabel(/From the failure/).isChecked());
  await page.getByRole('link', { name: 'Do nothing' }).click();
  await page.waitForURL(/status=error/);
  await page.locator(`#r${sampleId(7)} input`).check();
  await page.locator('.bulk').getByRole('button', { name: 'Rerun' }).click();
  await page.getByRole('button', { name: 'Rerun them' }).click();
  await page.getByText('1 of 1 run started again.').waitFor();
  assert.match(page.url(), /status=error/);
  assert.deepEqual(store.calls, [`rerun ${sampleId(7)} failure recorded`]);
});

use('a rerun from the failure asks about each call in doubt, with both buttons', async ({ page, store, go }) => {
  const id = sampleId(7);
  const [one, two] = [24, 30].map((line) => ({
    line,
    service: 'Bank',
    phrase: 'charge <card>',
    sentAt: '2026-03-01T09:00:00.000Z',
    reason: `line 48 failed and ended the run while this call was under way`,
  }));
  const run = store.runs.get(id);
  if (run !== undefined && one !== undefined && two !== undefined) store.runs.set(id, { ...run, inDoubt: [one, two] });
  await go(`/console/runs/${id}`);
  await page.locator('#head').getByText('Nobody knows whether the call in line 24 was received').waitFor();
  await page.getByRole('button', { name: /Rerun from the failure/ }).click();
  await page.getByRole('heading', { name: 'Was the call in line 24 received?' }).waitFor();
  await page.getByText('charge <card> using Bank').waitFor();
  await page.getByText('line 48 failed and ended the run while this call was under way').waitFor();
  await page.getByLabel(/its result as JSON/).fill('{"id": ');
  await page.getByRole('button', { name: 'It was: take this as its result' }).click();
  await page.getByRole('alert').getByText('The result is not JSON.').waitFor();
  await page.getByLabel(/its result as JSON/).fill('{"id": 7}');
  await page.getByRole('button', { name: 'It was: take this as its result' }).click();
  await page.getByRole('heading', { name: 'Was the call in line 30 received?' }).waitFor();
  assert.deepEqual(store.calls, [], 'nothing happens before both are decided');
  await page.getByRole('button', { name: 'It was not: send it again' }).click();
  await page.waitForURL(/runs\/0199aaaa/);
  assert.deepEqual(store.calls, [
    `rerun ${id} failure recorded {"again":[30],"done":[{"line":24,"result":{"id":7}}],"onlyFirst":true}`,
  ]);
});

use('the answer of a failed call stands in the banner and at its line', async ({ page, go }) => {
  await go(`/console/runs/${sampleId(7)}`);
  await page.locator('#head').getByText('The service answered: the account is closed').waitFor();
  await page.locator('#L48 .said.error').getByText('the account is closed').waitFor();
});

use('a run is shown over its text, and what a line did folds out', async ({ page, hasScript, go }) => {
  await go(`/console/runs/${sampleId(7)}`);
  await page.getByText('Line 48').first().click();
  assert.match(page.url(), /#L48$/);
  assert.match((await page.locator('#L29').textContent()) ?? '', /not taken/);
  assert.match((await page.locator('#L31').getAttribute('class')) ?? '', /idle/);
  assert.match((await page.locator('#L48').getAttribute('class')) ?? '', /error/);
  const effect = page.locator('#L48 details');
  await effect.locator('summary').click();
  if (!hasScript) await effect.getByRole('link').click();
  await page.getByText('the account is closed').last().waitFor();
  await page.getByText('arrived broken').last().waitFor();
});

use('one round of a loop is chosen', async ({ page, go }) => {
  await go(`/console/runs/${sampleId(9_000)}`);
  assert.match((await page.locator('#L39 .note').textContent()) ?? '', /10000 rounds/);
  await page.getByLabel('Round').fill('10');
  await page.getByRole('button', { name: 'Show', exact: true }).click();
  await page.waitForURL(/r39=10/);
  assert.equal(await page.locator('#L42 details').count(), 1);
  assert.match((await page.locator('#L45').textContent()) ?? '', /SKU-10 is not updated/);
  await page.getByRole('link', { name: 'Next' }).click();
  await page.waitForURL(/r39=11/);
  assert.match((await page.locator('#L42 details').textContent()) ?? '', /SKU-11/);
  await page.getByRole('link', { name: 'All rounds' }).click();
  await page.getByRole('link', { name: 'All 10000 of this line' }).click();
  await page.getByRole('link', { name: /failed/ }).click();
  await page.getByRole('link', { name: 'Later' }).waitFor();
  await until(async () => (await page.locator('.effect.failed').count()) === 30);
  await page.getByRole('link', { name: 'Later' }).click();
  await page.getByRole('link', { name: 'Earlier' }).waitFor();
  await until(async () => (await page.locator('.effect.failed').count()) === 30);
});

use('a run is cancelled, resumed, rerun', async ({ page, store, go }) => {
  await go(`/console/runs/${sampleId(2)}`);
  await page.getByRole('button', { name: 'Cancel…' }).click();
  await page.getByRole('button', { name: 'Cancel the run' }).click();
  await page.locator('.lead', { hasText: 'Cancelled' }).waitFor();
  await go(`/console/runs/${sampleId(10)}`);
  await page.getByRole('button', { name: 'Resume' }).click();
  await page.locator('.lead', { hasText: 'Running' }).waitFor();
  await go(`/console/runs/${sampleId(7)}`);
  await page.getByRole('button', { name: 'Rerun from the failure…' }).click();
  assert.match((await page.locator('.diff .old').textContent()) ?? '', /"medium"/);
  assert.match((await page.locator('.diff .new').textContent()) ?? '', /"middle"/);
  await page.getByRole('button', { name: 'Rerun' }).click();
  await page.getByText('Rerun of').waitFor();
  assert.deepEqual(store.calls, [`cancel ${sampleId(2)}`, `resume ${sampleId(10)}`, `rerun ${sampleId(7)} failure recorded`]);
});

use('a question is answered, and the next one follows', async ({ page, store, go }) => {
  await go('/console/tasks');
  const first = page.locator('.task').first();
  await first.getByLabel('Comment').fill('Seen the photos');
  await first.getByLabel('Your name').fill('Grace');
  await first.getByRole('button', { name: 'approve' }).click();
  await page.getByText('Your answer is recorded').waitFor();
  assert.deepEqual(store.calls, ['answer t-1 approve']);
  const { answer, comment, by } = store.openTasks.get('t-1') ?? {};
  assert.deepEqual([answer, comment, by], ['approve', 'Seen the photos', 'Grace']);
  assert.match((await page.locator('.task[open] summary').textContent()) ?? '', /Grace Hopper/, 'the next one is open');
  assert.match((await page.locator('.closed').textContent()) ?? '', /approve, answered by Grace/);
});

use('a question by link is answered once', async ({ page, store, go }) => {
  await go('/tasks/t-3?key=key-of-t-3');
  await page.getByLabel('Answer').fill('Two workers took it');
  await page.getByRole('button', { name: 'Answer' }).click();
  await page.getByText('Your answer is recorded').waitFor();
  assert.equal(store.openTasks.get('t-3')?.answer, 'Two workers took it');
  await go('/tasks/t-3?key=key-of-t-3');
  await page.getByText('Answered').first().waitFor();
  assert.equal(await page.locator('form').count(), 0);
});

use('a workflow is tried with mock services', async ({ page, go }) => {
  await go('/console/workflows');
  await page.getByRole('link', { name: 'Refund', exact: true }).click();
  await page.locator('#try > summary').click();
  await page.getByRole('textbox', { name: 'payment', exact: true }).fill('P-1');
  await page.getByRole('textbox', { name: 'amount', exact: true }).fill('20');
  await page.getByRole('button', { name: 'Run with mock services' }).first().click();
  await page.locator('.lead', { hasText: 'with mock services' }).waitFor();
  await page.locator('#L18.ran', { hasText: 'Done' }).or(page.locator('#L18.ran .said')).first().waitFor();
  assert.equal(await page.getByRole('textbox', { name: 'amount', exact: true }).inputValue(), '20', 'for the next try');
});

use('a long text and a large value are loaded in parts', async ({ page, store, hasScript, go }) => {
  const lines = Array.from({ length: 5_000 }, (_, index) => `    log "line ${index + 4}"`);
  const hash = [...store.texts.keys()][0] ?? '';
  store.texts.set(hash, {
    workflow: 'refund',
    title: 'Refund',
    version: 3,
    file: 'refund.wf',
    text: `workflow:\n    trigger: x\n\n${lines.join('\n')}\n`,
    content: hash,
  });
  const run = store.runs.get(sampleId(1));
  assert.ok(run);
  run.detail = {
    ...run.detail,
    request: { long: 'x'.repeat(1_000_000), rows: Array.from({ length: 5_000 }, (_, index) => ({ row: index })) },
  };
  await go(`/console/runs/${sampleId(1)}`);
  const before = await page.locator('.code > li').count();
  assert.ok(before < 200, `${before}`);
  const rest = page.getByRole('link', { name: /^Lines \d+ to/ });
  // With a script, the lines load when they scroll near.
  await (hasScript ? rest.scrollIntoViewIfNeeded() : rest.click());
  await page.locator('#L300').waitFor();
  if (hasScript) {
    await page.evaluate("location.hash = '#L4321'");
    await page.locator('#L4321').waitFor();
    await until(() => page.evaluate("document.querySelector('#L4321').getBoundingClientRect().top < innerHeight"));
  }
  await go(`/console/runs/${sampleId(1)}`);
  await page.getByRole('link', { name: /characters more/ }).click();
  await page.getByText('996000 characters more').waitFor();
});

test('works by keyboard alone: opens a run, folds a line out, answers a question', {
  skip: skipUnlessSlow,
}, async (t) => {
  const store = fullStore(12);
  addTasks(store);
  const { url } = await consoleFor(t, { store, workflows: [servedSample()] });
  const { page } = await openPage(t);
  const focused = (): Promise<string> =>
    page.evaluate<string>(
      "(document.activeElement?.textContent || document.activeElement?.getAttribute('aria-label') || document.activeElement?.name || '').trim()",
    );
  /** Presses Tab until something with this text has the focus. */
  const tabTo = async (text: RegExp): Promise<void> => {
    for (let step = 0; step < 80; step++) {
      await page.keyboard.press('Tab');
      if (text.test(await focused())) return;
    }
    assert.fail(`Tab does not come to ${text}`);
  };
  await page.goto(`${url}/console`);
  await page.keyboard.press('Tab');
  assert.equal(await focused(), 'Skip to the content');
  await page.keyboard.press('Enter');
  await tabTo(/^Select Refund: P-1007/);
  await page.keyboard.press('Space');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.waitForURL(new RegExp(sampleId(7)));
  await tabTo(/POST.*refunds/);
  await page.keyboard.press('Enter');
  await page.locator('#L48 details').getByText('the account is closed').waitFor();
  await page.goto(`${url}/console/tasks`);
  await tabTo(/^comment$/);
  await page.keyboard.type('Fine');
  await tabTo(/^approve$/);
  const outline = await page.evaluate<string>('getComputedStyle(document.activeElement).outlineStyle');
  assert.equal(outline, 'solid', 'what has the focus is seen');
  await page.keyboard.press('Enter');
  await page.getByText('Your answer is recorded').waitFor();
  assert.equal(store.openTasks.get('t-1')?.comment, 'Fine');
});

test('shows the end of a run that ended before the page was connected', { skip: skipUnlessSlow }, async (t) => {
  const store = fullStore(60);
  const server = await consoleFor(t, { store });
  const { page } = await openPage(t);
  let isOver = false;
  await page.route('**/console/live', async (route) => {
    if (!isOver) await store.cancel(sampleId(2));
    isOver = true;
    await route.continue();
  });
  await page.goto(`${server.url}/console/runs/${sampleId(2)}`);
  await page.locator('.lead', { hasText: 'Cancelled' }).waitFor({ timeout: 5_000 });
});

test('signs in and out, and notices a session that ends while a page is open', { skip: skipUnlessSlow }, async (t) => {
  const store = fullStore(12);
  const { url } = await consoleFor(t, { store, access: { token: 'operator-token-1' } });
  const { page } = await openPage(t);
  await page.goto(`${url}/console/runs/${sampleId(7)}`);
  await page.getByLabel('Operator token').fill('wrong');
  await page.keyboard.press('Enter');
  await page.getByText('This is not a token for the console').waitFor();
  await page.getByLabel('Operator token').fill('operator-token-1');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: /^Refund/ }).waitFor();
  assert.match(page.url(), new RegExp(sampleId(7)), 'back where one wanted to go');
  const [cookie] = await page.context().cookies();
  assert.equal(cookie?.httpOnly, true);
  assert.equal(cookie?.sameSite, 'Strict');
  assert.equal(await page.evaluate<string>('document.cookie'), '');
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByLabel('Operator token').waitFor();
});

test('tells the second of two operators that the first has answered, and lets both read', {
  skip: skipUnlessSlow,
}, async (t) => {
  const store = fullStore(12);
  addTasks(store);
  const { url } = await consoleFor(t, { store });
  const [first, second] = [await openPage(t), await openPage(t)];
  await first.page.goto(`${url}/console/tasks`);
  await second.page.goto(`${url}/console/tasks`);
  await second.page.locator('#live.on').waitFor();
  await second.page.locator('#tt-1').getByLabel('Comment').fill('I am still thinking');
  await first.page.locator('#tt-1').getByRole('button', { name: 'approve' }).click();
  await second.page.getByText('Somebody has answered this meanwhile').waitFor();
  assert.equal(
    await second.page.locator('#tt-1').getByLabel('Comment').inputValue(),
    'I am still thinking',
    'what was typed is kept',
  );
  await second.page.locator('#tt-1').getByRole('button', { name: 'decline' }).click();
  await second.page.getByRole('heading', { name: 'Someone else answered first' }).waitFor();
  assert.equal(store.openTasks.get('t-1')?.answer, 'approve');
});

for (const javaScriptEnabled of [true, false]) {
  const title = `an answer typed while the session ended arrives after signing in${javaScriptEnabled ? '' : ', without a script'}`;
  test(title, { skip: skipUnlessSlow }, async (t) => {
    const store = fullStore(3);
    addTasks(store);
    const server = await consoleFor(t, { store, access: { token: 'secret-token' } });
    const { page } = await openPage(t, { javaScriptEnabled });
    const signIn = async (): Promise<void> => {
      await page.getByLabel('Operator token').fill('secret-token');
      await page.getByRole('button', { name: 'Sign in' }).click();
    };
    await page.goto(`${server.url}/console/tasks`);
    await signIn();
    const task = page.locator('#tt-1');
    await task.getByLabel('Comment').fill('typed for long');
    await page.context().clearCookies();
    await task.getByRole('button', { name: 'approve' }).click();
    await signIn();
    if (!javaScriptEnabled) await page.getByRole('button', { name: 'Send it now' }).click();
    await page.getByText('Your answer is recorded.').waitFor();
    assert.deepEqual(store.calls, ['answer t-1 approve']);
  });
}

test('/ searches, j and k go through the runs, ? shows the keys, which can be turned off', {
  skip: skipUnlessSlow,
}, async (t) => {
  const server = await consoleFor(t, { store: fullStore(5) });
  const { page, problems } = await openPage(t);
  await page.goto(`${server.url}/console`);
  const row = (): Promise<number> =>
    page.evaluate<number>("[...document.querySelectorAll('#rows tr')].findIndex((one) => one.contains(document.activeElement))");
  const rows: number[] = [];
  for (const key of ['j', 'j', 'k']) {
    await page.keyboard.press(key);
    rows.push(await row());
  }
  assert.deepEqual(rows, [0, 1, 0]);
  await page.keyboard.press('/');
  await page.keyboard.type('j?/');
  assert.equal(await page.getByLabel('Search').inputValue(), 'j?/', 'a field takes every key');
  await page.locator('h1').click();
  await page.keyboard.press('?');
  const dialog = page.getByRole('dialog', { name: 'Keys' });
  await dialog.getByLabel('Use these keys').uncheck();
  await dialog.getByRole('button', { name: 'Close' }).click();
  await page.locator('h1').click();
  await page.keyboard.press('j');
  assert.equal(await row(), -1, 'turned off');
  await page.goto(`${server.url}/console/runs/${sampleId(3)}`);
  await page.emulateMedia({ media: 'print' });
  assert.deepEqual([await page.locator('.top').isVisible(), await page.locator('#code').isVisible()], [false, true]);
  assert.deepEqual(problems, []);
});

test('on paper, a page is dark on light whatever the reader prefers, and nothing lies on top of another', {
  skip: skipUnlessSlow,
}, async (t) => {
  const server = await consoleFor(t, { store: fullStore(12) });
  const { page } = await openPage(t, { colorScheme: 'dark', viewport: { width: 700, height: 900 } });
  await page.goto(`${server.url}/console`);
  await page.emulateMedia({ media: 'print' });
  const colour = await page.evaluate<string>('getComputedStyle(document.body).color');
  assert.ok(Number(/\d+/.exec(colour)) < 100, `the text is ${colour}`);
  const row = page.locator('#rows tr').first();
  const [state, workflow] = [await row.locator('.state').boundingBox(), await row.locator('a').first().boundingBox()];
  assert.ok(state !== null && workflow !== null && state.x + state.width <= workflow.x, JSON.stringify([state, workflow]));
});

test('the table of calls fits on a phone, and no word of it stands one letter below the other', {
  skip: skipUnlessSlow,
}, async (t) => {
  const server = await consoleFor(t, { store: fullStore(12), workflows: [servedSample()] });
  const { page } = await openPage(t, { viewport: { width: 360, height: 740 } });
  await page.goto(`${server.url}/console/workflows/refund/calls`);
  const widths = await page.evaluate<number[]>(
    '[document.documentElement.scrollWidth, document.querySelector(".calls").offsetWidth]',
  );
  assert.ok(
    widths.every((width) => width <= 360),
    `${widths.join()} are wider than 360`,
  );
  assert.ok(((await page.locator('.calls th').first().boundingBox())?.height ?? 99) < 60, 'the head has at most two lines');
  const call = await page.locator('.calls td:nth-child(2)', { hasText: 'Warehouse' }).boundingBox();
  assert.ok(call !== null && call.width > 70 && call.height < 110, JSON.stringify(call));
});

test('viewers see every run and question, and no button that would be refused', { skip: skipUnlessSlow }, async (t) => {
  const store = fullStore(12);
  addTasks(store);
  const viewer = { name: 'the viewer', role: 'viewer', sha256: tokenDigest('viewer-token') } as const;
  const tokens = { all: () => [viewer], find: () => viewer, close: () => undefined };
  const { url } = await consoleFor(t, { store, workflows: [servedSample()], access: { tokens } });
  const { page } = await openPage(t, { extraHTTPHeaders: { Authorization: 'Bearer viewer-token' } });
  for (const [path, seen] of [
    ['', '#rows tr'],
    ['?status=error', '#rows tr'],
    [`/runs/${sampleId(3)}`, '#code .ran'],
    ['/tasks', '#tt-1 h2'],
    ['/workflows/refund', '#code li'],
  ] as const) {
    await page.goto(`${url}/console${path}`);
    assert.ok(await page.locator(`main ${seen}`).first().isVisible(), path);
    const unusable = page.locator('main :is(form[method=post] button, form[method=post] input, #try):visible');
    assert.deepEqual(await unusable.allInnerTexts(), [], path);
  }
  await page.goto(`${url}/console`);
  const picks = page.locator('#rows input[type=checkbox]');
  await picks.nth(0).check();
  await page.getByRole('button', { name: 'Compare two' }).click();
  assert.match(await page.locator('main').innerText(), /Select two runs to compare them\./);
  for (const at of [0, 1]) await picks.nth(at).check();
  await page.getByRole('button', { name: 'Compare two' }).click();
  assert.equal(await page.locator('h1').innerText(), 'Two runs');
});
