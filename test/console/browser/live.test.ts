// Live pages: new content appears, nothing moves while it is read, and a lost connection loses nothing.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { skipUnlessSlow } from '../../root.js';
import { until } from '../../until.js';
import { pagesOfChromium } from '../chromium.js';
import { consoleFor } from '../console-server.js';
import type { FakeStore } from '../fake-store.js';
import { addSample, lineOf, sampleId } from '../sample-runs.js';
import { addTasks, fullStore, servedSample } from '../sample-store.js';

const openPage = pagesOfChromium();

function startRun(store: FakeStore, number: number): string {
  const run = addSample(store, { status: 'running', number, createdAt: Date.now() });
  store.tell({ runs: [run], tasks: false });
  return run;
}

/** The run ends while its page is open. */
function end(store: FakeStore, run: string): void {
  const found = store.runs.get(run);
  assert.ok(found);
  const number = Number(run.slice(-12));
  addSample(store, { status: 'completed', number, createdAt: Date.parse(found.detail.createdAt) });
  store.tell({ runs: [run], tasks: false });
}

test('shows a new run, and updates its state in place', { skip: skipUnlessSlow }, async (t) => {
  const store = fullStore(5);
  const { url } = await consoleFor(t, { store, workflows: [servedSample()] });
  const { page, problems } = await openPage(t);
  await page.goto(`${url}/console`);
  await page.locator('#live.on').waitFor();
  const run = startRun(store, 700);
  await page.locator(`#r${run} .running`).waitFor();
  assert.equal(await page.locator('#rows tr').first().getAttribute('id'), `r${run}`);
  end(store, run);
  await page.locator(`#r${run} .completed`).waitFor();
  assert.deepEqual(problems, []);
});

test('new runs move nothing that is being read', { skip: skipUnlessSlow }, async (t) => {
  const store = fullStore(60);
  const { url } = await consoleFor(t, { store });
  const { page } = await openPage(t);
  await page.goto(`${url}/console`);
  await page.locator('#live.on').waitFor();
  const row = page.locator(`#r${sampleId(20)}`);
  await row.scrollIntoViewIfNeeded();
  const place = (await row.boundingBox())?.y;
  for (let number = 700; number < 705; number++) startRun(store, number);
  await page.locator(`#r${sampleId(704)}`).waitFor({ state: 'attached' });
  assert.ok(Math.abs(((await row.boundingBox())?.y ?? 0) - (place ?? 0)) < 1, 'the row stays where it was');
});

test('new runs wait while the pointer is on the list or a run is selected', { skip: skipUnlessSlow }, async (t) => {
  const store = fullStore(8);
  const { url } = await consoleFor(t, { store });
  const { page } = await openPage(t);
  await page.goto(`${url}/console`);
  await page.locator('#live.on').waitFor();
  await page.locator(`#r${sampleId(2)} input`).check();
  const place = (await page.locator(`#r${sampleId(2)}`).boundingBox())?.y;
  const run = startRun(store, 700);
  const button = page.getByRole('button', { name: 'Show 1 new run' });
  await button.waitFor();
  assert.equal((await page.locator(`#r${sampleId(2)}`).boundingBox())?.y, place);
  await button.click();
  assert.equal(await page.locator('#rows tr').first().getAttribute('id'), `r${run}`);
  assert.ok(await page.locator(`#r${sampleId(2)} input`).isChecked(), 'what was selected stays selected');
});

test('replaces nothing while it is being pressed', { skip: skipUnlessSlow }, async (t) => {
  const store = fullStore(5);
  const { url } = await consoleFor(t, { store });
  const { page } = await openPage(t);
  await page.goto(`${url}/console`);
  await page.locator('#live.on').waitFor();
  const run = startRun(store, 700);
  await page.locator(`#r${run}`).getByRole('link').first().hover();
  await page.mouse.down();
  const fetched = page.waitForResponse(
    async (response) =>
      response.request().headers()['x-wf-live'] !== undefined &&
      (await response.text()).split('<tr').some((row) => row.includes(`r${run}`) && row.includes('completed')),
  );
  end(store, run);
  await (await fetched).finished();
  for (let frame = 0; frame < 3; frame++) await page.evaluate('new Promise(requestAnimationFrame)');
  await page.mouse.up();
  await page.waitForURL(`**/console/runs/${run}*`);
});

test('follows a run to its end, and keeps open what was folded out', { skip: skipUnlessSlow }, async (t) => {
  const store = fullStore(1);
  const { url } = await consoleFor(t, { store, workflows: [servedSample()] });
  const { page, problems } = await openPage(t);
  const run = sampleId(0);
  await page.goto(`${url}/console/runs/${run}`);
  await page.locator('#live.on').waitFor();
  const look = page.locator(`#L${lineOf('get payment')} .effect`);
  await look.locator('> summary').click();
  await look.getByText('currency').waitFor();
  assert.match((await page.locator(`#L${lineOf('complete with')}`).getAttribute('class')) ?? '', /idle/);
  end(store, run);
  await page.locator('.lead .completed').waitFor();
  await page.locator(`#L${lineOf('complete with')}.ran.end`).waitFor();
  await page.locator('#outcome').getByText('R-5512').waitFor();
  assert.ok((await look.getAttribute('open')) !== null, 'still open');
  assert.ok(await look.getByText('currency').isVisible(), 'with what it had loaded');
  assert.deepEqual(problems, []);
});

test('reports a lost connection, reconnects, and misses nothing', { skip: skipUnlessSlow }, async (t) => {
  const store = fullStore(5);
  const { url, down, up } = await consoleFor(t, { store });
  const { page } = await openPage(t);
  await page.goto(`${url}/console`);
  await page.locator('#live.on').waitFor();
  await down();
  await page.getByText('Not connected, trying again').waitFor();
  const run = startRun(store, 700);
  end(store, run);
  await up();
  await page.locator('#live.on').waitFor({ timeout: 20_000 });
  await page.locator(`#r${run} .completed`).waitFor();
});

/** Counts the changes that a page has heard of, as `window.heard`. */
const COUNT_CHANGES = `window.heard = 0;
const listen = EventSource.prototype.addEventListener;
EventSource.prototype.addEventListener = function (type, heard) {
  listen.call(this, type, (event) => (heard(event), type === 'change' && window.heard++));
};`;

test('misses nothing that happens before its stream opens, or while it fetches itself', { skip: skipUnlessSlow }, async (t) => {
  const store = fullStore(5);
  const { url } = await consoleFor(t, { store });
  const { page } = await openPage(t);
  await page.addInitScript(COUNT_CHANGES);
  let early: string | undefined;
  await page.route('**/console/live', (route) => {
    early ??= startRun(store, 700);
    return route.continue();
  });
  await page.goto(`${url}/console`);
  await until(() => early !== undefined);
  await page.locator(`#r${early} .running`).waitFor();
  const run = startRun(store, 701);
  let isHeld = true;
  await page.route('**/console', async (route) => {
    const response = await route.fetch();
    if (isHeld) {
      isHeld = false;
      const heard = Number(await page.evaluate('window.heard'));
      end(store, run);
      await until(async () => Number(await page.evaluate('window.heard')) > heard);
    }
    await route.fulfill({ response });
  });
  await page.locator(`#r${run} .completed`).waitFor();
});

test('follows every row of a list, however many it has by now, marks a run that left it, and has no gaps', {
  skip: skipUnlessSlow,
}, async (t) => {
  const store = fullStore(0);
  const { url } = await consoleFor(t, { store });
  const { page } = await openPage(t);
  const first = startRun(store, 700);
  await page.goto(`${url}/console?status=running`);
  await page.locator('#live.on').waitFor();
  for (const from of [800, 820]) {
    for (let number = from; number < from + 20; number++) startRun(store, number);
    await page.locator(`#r${sampleId(from + 19)}`).waitFor();
  }
  end(store, first);
  await page.locator(`#r${first}`).getByText('No longer in this list').waitFor();
  assert.equal(await page.locator(`#r${first} .running`).count(), 0);
  for (let number = 900; number < 960; number++) startRun(store, number);
  await page.locator(`#r${sampleId(959)}`).waitFor();
  assert.equal(await page.locator('#rows tr').count(), 41, 'no others are missing between them');
});

test('counts by the clock of the server, and sends nothing while the machine is offline', { skip: skipUnlessSlow }, async (t) => {
  const store = fullStore(5);
  addTasks(store);
  const { url } = await consoleFor(t, { store });
  const { page } = await openPage(t);
  const due = page.locator('#tt-1 [data-due]').first();
  // Two days ahead of the server.
  await page.clock.install({ time: Date.now() + 2 * 86_400_000 });
  await page.goto(`${url}/console/tasks`);
  await page.locator('#live.on').waitFor();
  await page.clock.runFor(2_000);
  assert.match(await due.innerText(), /^in \d/);
  await page.locator('#tt-1').getByLabel('Comment').fill('typed for long');
  await page.context().setOffline(true);
  await page.locator('#tt-1').getByRole('button', { name: 'approve' }).click();
  await page.locator('#tt-1').getByText('nothing was sent').waitFor();
  await page.context().setOffline(false);
  await page.locator('#tt-1').getByRole('button', { name: 'approve' }).click();
  await page.getByText('Your answer is recorded.').waitFor();
  assert.equal(store.openTasks.get('t-1')?.comment, 'typed for long');
});

test('shows a new question, and updates the number next to Tasks', { skip: skipUnlessSlow }, async (t) => {
  const store = fullStore(5);
  const { url } = await consoleFor(t, { store });
  const { page } = await openPage(t);
  await page.goto(`${url}/console/tasks`);
  await page.getByText('No questions yet').waitFor();
  await page.locator('#live.on').waitFor();
  addTasks(store);
  store.tell({ runs: [], tasks: true });
  await page.locator('#tt-1').waitFor();
  assert.equal(await page.locator('.task').count(), 3);
  assert.match((await page.locator('.count').textContent()) ?? '', /^3/);
  assert.equal(await page.locator('.empty').count(), 0);
});

test('shows times in the zone of the reader, with the exact UTC time as title', { skip: skipUnlessSlow }, async (t) => {
  const store = fullStore(0);
  const run = addSample(store, { status: 'completed', number: 5, createdAt: Date.parse('2026-03-02T23:30:05.123Z') });
  const { url } = await consoleFor(t, { store });
  for (const [timezoneId, shown] of [
    ['Europe/Berlin', /00:30:05/],
    ['America/New_York', /18:30:05/],
  ] as const) {
    const { page } = await openPage(t, { timezoneId });
    await page.clock.setFixedTime(new Date('2026-06-01T12:00:00Z'));
    await page.goto(`${url}/console/runs/${run}`);
    const time = page.locator('time[datetime="2026-03-02T23:30:05.123Z"]').first();
    assert.match((await time.textContent()) ?? '', shown);
    assert.equal(await time.getAttribute('title'), '2026-03-02T23:30:05.123Z');
  }
});
