// What the console could not do at first, in a real browser over stores of both kinds, one test for each row. All rows of a store share its
// runs, its server and one page.
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { skipUnlessSlow } from '../../root.js';
import { until } from '../../until.js';
import { pagesOfChromium } from '../chromium.js';
import { has, pageTools, wordsIn } from './page-tools.js';
import { type SecondLook, secondLooks } from './second-look.js';
import { conditionRows } from './second-look-conditions.js';
import { peopleRows } from './second-look-people.js';

const openPage = pagesOfChromium();

/** Counts what a person presses, in whatever page of the console. A chosen time of day is typed. */
async function countClicks(page: Page): Promise<() => number> {
  let clicks = 0;
  await page.exposeFunction('wasPressed', () => void clicks++);
  await page.addInitScript("addEventListener('pointerdown', (event) => event.isTrusted && window.wasPressed(), true)");
  return () => clicks;
}

test('the second look', { skip: skipUnlessSlow, concurrency: true }, async (t) => {
  await Promise.all((await secondLooks(t)).map((look) => t.test(look.kind, (of) => rowsOf(of, look))));
});

/** All pages have one clipboard. */
let clipboardIsFree: Promise<unknown> = Promise.resolve();

async function rowsOf(t: TestContext, look: SecondLook): Promise<void> {
  const { runs, store } = look;
  const { page, problems } = await openPage(t, {
    extraHTTPHeaders: { Authorization: 'Bearer secret-token', 'X-Forwarded-User': 'ada@example.com' },
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  const { go, goRun, line, row, button, about } = pageTools(t, look, page);

  await row('the answer of a failed call stands at its line, its message in the banner', async () => {
    await goRun(runs.expired);
    assert.match(await wordsIn(page.locator('#head .said.error')), /status 402.* The service answered: The card has expired\./);
    const failed = await wordsIn(line('send a refund').locator('.said.error'));
    assert.match(failed, /message The card has expired\. code expired_card/);
    assert.match(failed, /x-request-id req-77/i);
  });

  await row('every attempt has its own answer, and the next one can be made now', async () => {
    await goRun(runs.retrying);
    assert.match(await wordsIn(line('get stock')), /503.*next attempt in \d+ min/);
    await button('Retry now').click();
    await has(page, 'The run tries its call again now.');
    await line('get stock').getByText('2 attempts').waitFor();
    // What someone opens while an update replaces the line is loaded all the same.
    let letGo: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (letGo = resolve));
    await page.route('**/effects/*', async (route) => {
      await held;
      await route.continue().catch(() => undefined); // it is given up with the replaced line
    });
    await page.locator('#live.on').waitFor();
    await line('get stock').locator('summary').first().click();
    await until(async () => (await store.retry(runs.retrying)).kind === 'done');
    await line('get stock').getByText('3 attempts').waitFor();
    letGo();
    await line('get stock').locator('.opened').waitFor();
    await page.unroute('**/effects/*');
    const opened = await wordsIn(line('get stock').locator('.opened'));
    assert.match(opened, /Attempt 1 .*try 1\..*Attempt 2 .*try 2\./);
  });

  await row('rerunning many starts at the failure, says what would be sent again and why, and keeps the filter', async () => {
    const before = look.refunds();
    await go('/console?status=error&since=1h');
    await button('Rerun all 22 of this cause').click();
    await has(page, 'Rerun 22 runs?');
    assert.equal(await page.locator('[name=from][value=failure]').isChecked(), true);
    assert.match(
      await wordsIn(page.locator('tr', { hasText: 'Unlucky 3 ' })),
      /Refund Unlucky 3 · 20 .*status 503.* From the failure: line \d+ and what follows\. From the start: everything, 1 call or wait\./,
    );
    await page.getByRole('link', { name: 'Do nothing' }).click();
    await page.waitForURL(/status=error.*reason=Payments/);
    assert.equal(await page.locator('[name=status]').inputValue(), 'error');
    await page.goBack();
    await has(page, 'Rerun 22 runs?');
    await page.goBack();
    await page.waitForURL(/console\?status=error&since=1h$/);
    assert.equal(await page.locator('[name=status]').inputValue(), 'error');
    assert.equal(look.refunds(), before);
  });

  await row('each of five tasks takes at most four clicks', async () => {
    const { page: pressed } = await openPage(t);
    const count = await countClicks(pressed);
    const task = async (title: string, clicks: number, work: () => Promise<void>): Promise<void> => {
      await pressed.goto(`${look.url}/console`);
      const before = count();
      await work();
      // The browser tells of a click when it comes to it.
      await until(() => count() - before >= clicks);
      assert.equal(count() - before, clicks, title);
    };
    const tile = (state: string): Promise<void> => pressed.locator(`.number.${state}`).click();
    const runOf = (customer: string): Locator =>
      pressed.locator('#rows tr', { hasText: customer }).getByRole('link', { name: 'Refund' });
    await task('why did the refund of Ada Lovelace fail?', 2, async () => {
      await pressed.getByLabel('Search').click();
      await pressed.keyboard.type('Ada Lovelace');
      await pressed.keyboard.press('Enter');
      await runOf('Ada Lovelace').click();
      assert.match(
        await wordsIn(pressed.locator('#head .said.error')),
        /status 402.* The service answered: The card has expired\./,
      );
    });
    await task('who cancelled the refund of Grace Hopper, and when?', 2, async () => {
      await tile('cancelled');
      await runOf('Grace Hopper').click();
      assert.match(await wordsIn(pressed.locator('#head')), /Cancelled by Katherine over HTTP, \d\d:\d\d:\d\d/);
    });
    await task('what has waited for longer than three days?', 2, async () => {
      await tile('waiting');
      await pressed.locator('.ages').getByRole('link', { name: '3 days' }).click();
      await pressed.waitForURL(/waiting=3d/);
      const found = await pressed.locator('#rows .about > bdi:first-child').allInnerTexts();
      assert.deepEqual(found, ['Mary Jackson · 901', 'Edith Clarke · 900']);
    });
    await task('start a refund for Dorothy Johnson', 4, async () => {
      await pressed.getByRole('link', { name: 'Workflows' }).click();
      await pressed.getByRole('link', { name: 'Refund', exact: true }).click();
      await pressed.getByRole('link', { name: 'Start a run…' }).click();
      await pressed.locator('[data-focus] input:focus').waitFor();
      await pressed.keyboard.type('Dorothy Johnson');
      await pressed.keyboard.press('Tab');
      await pressed.keyboard.type('55');
      await pressed.getByRole('button', { name: 'Start the run' }).first().click();
      await pressed.locator('#state', { hasText: 'Completed' }).waitFor();
    });
    await task('make good what has failed since nine because Payments was down', 4, async () => {
      const before = look.refunds();
      await tile('error');
      await pressed.getByText(/23 × Payments: 503/).waitFor();
      // "Nine" is an hour ago here, in the zone of the reader.
      const nine = new Date(Date.now() - 3_600_000).toLocaleTimeString('en-GB', { timeZone: 'Europe/Berlin' }).slice(0, 5);
      await pressed.getByLabel('or from').click();
      // How a time is typed depends on the language of the browser.
      await pressed.getByLabel('or from').fill(nine);
      await pressed.keyboard.press('Enter');
      await pressed.waitForURL(/since=20/);
      assert.match(await wordsIn(pressed.locator('[name=since] option:checked')), new RegExp(`^Since .*${nine}:00$`));
      await pressed.getByRole('button', { name: 'Rerun all 22 of this cause' }).click();
      await pressed.getByRole('button', { name: 'Rerun them' }).click();
      await pressed.getByText('22 of 22 runs started again.').waitFor();
      await until(() => look.refunds() === before + 22);
      // What a page shows by itself has rows of its own.
      await until(async () => {
        await pressed.reload();
        return (await pressed.getByText('Made good by a rerun').count()) >= 22;
      });
      assert.match(pressed.url(), /status=error/);
    });
    await pressed.context().close();
  });

  await row('"everything that the filter finds" takes more than a page', async () => {
    await go('/console?status=completed&workflow=refund');
    await page.getByLabel('everything that the filter finds').check();
    await page.locator('.bulk').getByRole('button', { name: 'Rerun' }).click();
    const heading = await wordsIn(page.locator('h1'));
    assert.ok(Number(/^Rerun (\d+) runs\?$/.exec(heading)?.[1]) > 260, heading);
    await page.getByRole('link', { name: 'Do nothing' }).click();
    await page.waitForURL(/status=completed/);
  });

  await row('who changed a run, when, and by which way is under its activity', async () => {
    await goRun(runs.large);
    await page.locator('#activity').getByLabel('Comment').fill('Asked twice');
    await button('Comment').dblclick();
    await has(page, 'Your comment is on record.');
    // A screen reader hears it first.
    await until(async () => (await page.evaluate<string>('document.activeElement.className')) === 'notice');
    assert.equal(await page.locator('#activity tbody tr').count(), 1, 'a button that is pressed twice acts once');
    await button('Cancel…').click();
    await button('Cancel the run').click();
    await page.locator('#state', { hasText: 'Cancelled' }).waitFor();
    const rows = (await page.locator('#activity tbody tr').allInnerTexts()).map((one) => one.replace(/\s+/g, ' '));
    assert.match(
      rows.find((one) => one.includes('comment')) ?? '',
      /^\d\d:\d\d:\d\d comment: Asked twice ada@example\.com .*console$/,
    );
    assert.match(rows.find((one) => one.includes('cancelled')) ?? '', /^\d\d:\d\d:\d\d cancelled ada@example\.com .*console$/);
    await goRun(runs.cancelled);
    assert.match(await wordsIn(page.locator('#activity tbody')), /cancelled Katherine operator http/);
    assert.match(await wordsIn(page.locator('#head')), /Cancelled by Katherine over HTTP, \d\d:\d\d:\d\d/);
  });

  await row('nothing of an ended run counts on, and the line where it was cancelled is marked', async () => {
    for (const run of [runs.large, runs.cancelled, runs.expired]) {
      await goRun(run);
      assert.equal(await page.locator('main :is([data-due], [data-since], .code .waiting, .code .current)').count(), 0, run);
    }
    await goRun(runs.cancelled);
    assert.match(await wordsIn(line('ask Manager')), /The run was cancelled here\./);
    assert.equal(await page.locator('.code li.end', { hasText: 'ask Manager' }).count(), 1);
  });

  await row('a run is followed: branches that wait, what is typed, the focus, the end', async () => {
    const run = await look.start('order', { order: 'SLOW-1' }, 'begun');
    await goRun(run);
    await page.locator('.code li.waiting').nth(1).waitFor();
    await page.locator('.code li.current .effect.open [data-since]').waitFor();
    // At once: an update may replace both.
    const isBelow = `(({ bottom }, { top }) => top >= bottom)(...['code', '.effect.open'].map(
      (one) => document.querySelector('.code li.current > ' + one).getBoundingClientRect(),
    ))`;
    assert.ok(await page.evaluate<boolean>(isBelow), 'a call under way is below its line, like any other');
    await page.locator('#why > summary').click();
    await page.locator('.why').waitFor();
    const whyNot = await wordsIn(page.locator('.why'));
    await has(page, /1 of 4 branches are done\./);
    assert.deepEqual(
      await page
        .locator('#head .said.waiting')
        .allInnerTexts()
        .then((all) => all.map((one) => one.split(';')[0])),
      ['Waits for the message payment', 'Waits for Manager to answer'],
    );
    // The whole head is replaced while someone types in it.
    await page.getByText('Send the message payment…').click();
    await page.getByLabel('Fields as JSON').fill('{ "order": "SLOW-1" }');
    const { tasks } = await store.tasks();
    const task = tasks.find((one) => one.run === run)?.task ?? '';
    const by = { name: 'Grace', role: 'operator', way: 'http' } as const;
    await store.answer(task, { answer: 'yes', comment: 'Known customer' }, by);
    await page.locator('#activity', { hasText: 'Grace' }).waitFor();
    assert.equal(await page.getByLabel('Fields as JSON').inputValue(), '{ "order": "SLOW-1" }');
    assert.equal(await page.evaluate<string>('document.activeElement.name'), 'json');
    await button('Send it to this run').click();
    await has(page, 'The message is delivered.');
    await page.locator('#live.on').waitFor();
    await page.locator('#request > summary').focus();
    look.letGo();
    await page.locator('#said', { hasText: 'The run is now: Completed' }).waitFor({ state: 'attached' });
    assert.match(await page.title(), /^Completed: Order, SLOW-1/);
    assert.equal(await page.evaluate<string>('document.activeElement.parentElement.id'), 'request');
    assert.equal(await page.locator('#outcome').count(), 1);
    await until(async () => (await wordsIn(page.locator('#why'))) !== `Why? ${whyNot}`);
    const activity = await wordsIn(page.locator('#activity'));
    assert.match(activity, /message: payment ada@example\.com/);
    assert.match(activity, /answered.* Grace operator http/);
  });

  await row('tiles and lists count the same, and called workflows are found', async () => {
    for (const [name, status] of [
      ['waiting', 'waiting'],
      ['cancelled', 'cancelled'],
    ] as const) {
      await go('/console');
      const count = Number(await page.locator(`.number.${name} b`).innerText());
      await page.locator(`.number.${name}`).click();
      await page.waitForURL(new RegExp(`status=${status}`));
      assert.equal(await page.locator('#rows tr').count(), count);
      assert.equal(await page.locator('[name=status]').inputValue(), status);
    }
    await go('/console?workflow=price');
    await page.locator('#rows tr').first().waitFor();
    assert.equal(await page.locator('.filter [name=workflow]').inputValue(), 'price');
  });

  await row('a message is shown with its advice', async () => {
    for (const width of [1280, 360]) {
      await page.setViewportSize({ width, height: 800 });
      await go('/console?q=Dorothy+Vaughan');
      const message = page.locator('.about .hint').first();
      assert.match(await wordsIn(message), /call the help desk of the tills\.$/);
      const fits =
        "(({ scrollHeight, clientHeight }) => scrollHeight <= clientHeight + 1)(document.querySelector('.about .hint'))";
      assert.ok(await page.evaluate<boolean>(fits), `${width}`);
    }
    await page.setViewportSize({ width: 1280, height: 800 });
  });

  await row('values stand beside the text, redacted, in the chosen round', async () => {
    await goRun(runs.small);
    assert.match(await wordsIn(line('if request.amount is above 500')), /84\.5 is above 500: no/);
    assert.match(await wordsIn(line('set total')), /total = 84\.5/);
    assert.match(await wordsIn(line('look up fee')), /the row in line \d+ fits fee = 0/);
    assert.match(await wordsIn(line('for each item')), /1: "radio" 2: "gift card" 3: "torpedo"/);
    await page.getByLabel('Round').fill('2');
    await button('Show').click();
    await page.waitForURL(/r\d+=2/);
    assert.match(await wordsIn(line('if item is')), /"gift card" is "gift card": yes/);
    assert.doesNotMatch(await page.content(), /token-of-payments/);
  });

  await row('a run is started, and again with changes', async () => {
    await go('/console/workflows/refund');
    await page.getByRole('link', { name: 'Start a run…' }).click();
    await page.getByLabel(/^customer/).fill('Mary Golda Ross');
    await page.getByLabel(/^amount/).fill('55');
    await button('Start the run').first().click();
    await has(page, 'The run has started.');
    await page.locator('#state', { hasText: 'Completed' }).waitFor();
    await button('Again with changes…').click();
    assert.equal(await page.getByLabel(/^customer/).inputValue(), 'Mary Golda Ross');
    await page.getByLabel(/^amount/).fill('56');
    await button('Start the run').first().click();
    await page.locator('#outcome', { hasText: '56' }).waitFor();
  });

  await row('a workflow is tried with answers that one has set', async () => {
    await go('/console/workflows/refund');
    const form = page.locator('#try form').first();
    await page.locator('#try > summary').click();
    await form.getByLabel(/^customer/).fill('Ada');
    await form.getByLabel(/^amount/).fill('20');
    await form.getByText('Answers of the services').click();
    await form
      .locator('[name=mocks]')
      .fill('{ "Payments": { "send a refund": { "status": 409, "body": { "message": "Paid already" } } } }');
    await form.getByRole('button', { name: 'Run with mock services' }).click();
    assert.match(await wordsIn(page.locator('main')), /Failed with mock services.*status 409/);
  });

  await row('a wait is ended', async () => {
    await goRun(runs.skipped);
    await page.getByRole('link', { name: 'Give up waiting…' }).click();
    await button('End the wait').click();
    await has(page, 'The wait is over, and the run goes on.');
    await page.locator('#state', { hasText: 'Failed' }).waitFor();
    assert.match(await wordsIn(page.locator('#activity')), /wait skipped.*ada@example\.com/);
  });

  await row('runs are filtered by age and wait, sorted, searched, counted; the view is saved', async () => {
    await go('/console?waiting=3d&sort=oldest');
    assert.deepEqual(await about(), ['Edith Clarke · 900', 'Mary Jackson · 901']);
    await go('/console?until=3d&sort=oldest');
    assert.deepEqual(await about(), ['Edith Clarke · 900', 'Mary Jackson · 901'], 'older than three days');
    await go('/console?sort=due');
    assert.match((await about())[0] ?? '', /O-1|RETRY-1/);
    await go('/console?q=call+the+help+desk');
    assert.deepEqual(await about(), ['Dorothy Vaughan · -1'], 'in messages');
    await go('/console?waiting=3d');
    assert.match(await wordsIn(page.locator('#count')), /^2 runs: /);
    await page.getByText('Save this view…').click();
    await page.getByLabel('Name of the view').fill('Old ones');
    await button('Save').click();
    await page.waitForURL(/view=Old/);
    await go('/console');
    await page.getByRole('link', { name: 'Old ones' }).click();
    await page.locator('#rows tr').nth(1).waitFor();
    await button('Remove this view').click();
    await has(page, 'The view is removed.');
  });

  await row('ids and JSON are copied, also after an update; lines link', () => {
    const copies = clipboardIsFree.then(async () => {
      await goRun(runs.order);
      await page.locator('#live.on').waitFor();
      const clipboard = (): Promise<string> => page.evaluate<string>('navigator.clipboard.readText()');
      await page.locator('#head').getByRole('button', { name: 'Copy' }).click();
      await until(async () => (await clipboard()) === runs.order);
      await page.locator('#request').getByRole('button', { name: 'Copy' }).click();
      await until(async () => (await clipboard()).includes('"O-1"'));
      await line('wait for payment').locator('.no').click();
      await page.waitForURL(/#L\d+$/);
    });
    clipboardIsFree = copies.catch(() => undefined);
    return copies;
  });

  await row('trends, durations of calls, versions, two runs side by side', async () => {
    await go('/console');
    assert.match(await wordsIn(page.locator('.trend')), /7 days: \d+ runs, .*median .*95%.*30 days/);
    await go('/console/workflows/refund');
    assert.equal(await page.locator('.trend svg').count(), 1);
    await page.locator('#calls > summary').click();
    await page.locator('#calls', { hasText: 'Payments' }).waitFor();
    await page.locator('#versions > summary').click();
    await page.locator('#versions', { hasText: 'v3' }).waitFor();
    // Of some three hundred runs, as many of the newest as can be counted while a reader waits.
    const [, counted = 1] = /how often the newest (?:(\d+) runs|run) /.exec(await wordsIn(page.locator('main'))) ?? [NaN, NaN];
    const [, reached] = /(\d+)×/.exec(await wordsIn(line('if request.amount is below 0'))) ?? [];
    assert.ok(Number(counted) <= 100, `${counted}`);
    assert.equal(Number(reached ?? 1), Number(counted));
    await go('/console?q=Lamarr');
    await page.getByLabel(/^Select Refund: Hedy/).check();
    await go(`/console/compare?run=${runs.small}&run=${runs.expired}`);
    assert.match(await wordsIn(page.locator('main')), /The first line that only one of them came to is line \d+/);
  });

  await peopleRows({ t, look, page, openPage });

  await row('on a phone, everything fits, is large enough to touch, and breaks at words', async () => {
    const { page: phone } = await openPage(t, { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true });
    for (const address of ['', '?status=error', `/runs/${runs.large}`, `/runs/${runs.order}`, '/tasks', '/workflows/refund']) {
      await phone.goto(`${look.url}/console${address}`);
      assert.ok(await phone.evaluate<boolean>('document.documentElement.scrollWidth <= innerWidth'), address);
      const small = await phone.evaluate<
        string[]
      >(`[...document.querySelectorAll('main :is(button, summary, select, input, textarea, a.button), .code .no')]
          .filter((one) => one.checkVisibility() && one.type !== 'hidden' && !one.closest('.hush'))
          .map((one) => [one, (one.closest('label') ?? one).getBoundingClientRect()])
          .filter(([, { width, height }]) => Math.round(width) < 24 || Math.round(height) < 24)
          .map(([one, { width, height }]) => one.outerHTML.slice(0, 90) + ' ' + width + 'x' + height)`);
      assert.deepEqual([...new Set(small)].slice(0, 6), [], address);
    }
    await phone.goto(`${look.url}/console/tasks`);
    for (const name of ['workflow', 'for']) assert.ok(await phone.locator(`[name=${name}]`).isVisible(), name);
    await phone.goto(`${look.url}/console`);
    assert.ok(((await phone.locator('#rows tr').first().boundingBox())?.y ?? 740) < 700, 'the list begins on the first screen');
    await phone.locator('.more > summary').click();
    await phone.locator('[name=status]').selectOption('cancelled');
    await phone.goto(`${look.url}/console/runs/${runs.large}`);
    const broken = await phone.evaluate<string[]>(`[...document.querySelectorAll('#activity td')].flatMap((cell) => {
        const walker = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
        const words = [];
        for (let node = walker.nextNode(); node; node = walker.nextNode())
          if (node.parentElement.closest('bdi') === null)
          for (const { index, 0: word } of node.data.matchAll(/[a-z]+/gi)) {
            const range = document.createRange();
            range.setStart(node, index);
            range.setEnd(node, index + word.length);
            if (range.getClientRects().length > 1) words.push(word);
          }
        return words;
      })`);
    assert.deepEqual(broken, []);
    await phone.goto(`${look.url}/console?status=cancelled`);
    assert.ok(((await phone.locator('.about .hint').first().boundingBox())?.width ?? 0) > 250, 'messages take the whole width');
    await phone.getByLabel('Select all runs of this page').check();
    assert.equal(await phone.locator('.runs td.pick input:not(:checked)').count(), 0);
    await phone.context().close();
  });

  await row('printed, a page is only its content; a part that loads says so', async () => {
    await page.emulateMedia({ media: 'print' });
    for (const address of ['/console', `/console/runs/${runs.order}`, '/console/tasks', '/console/workflows/refund']) {
      await go(address);
      for (const one of ['.top', 'main form:not(:has(.runs))', '.actions', 'main button', 'main a.button'])
        assert.equal(await page.locator(one).filter({ visible: true }).count(), 0, `${address} ${one}`);
      const questions = await page.locator('.task h2').all();
      for (const question of questions) assert.ok(await question.isVisible(), 'a question that is folded is content, too');
    }
    await page.emulateMedia({ media: 'screen' });
    await goRun(runs.small);
    let go_: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (go_ = resolve));
    await page.route('**/why', async (route) => {
      await held;
      await route.continue();
    });
    await page.locator('#why > summary').click();
    const after = (): Promise<string> =>
      page.evaluate<string>("getComputedStyle(document.querySelector('#why'), '::after').content");
    // A part is opened before it begins to load.
    await until(async () => (await after()).includes('Loading'));
    go_();
    await page.locator('.why').waitFor();
    assert.equal(await after(), 'none');
  });

  await row('a timetable says where it does not run, and in which zone it is', async () => {
    await go('/console/workflows');
    const card = await wordsIn(page.locator('.workflows li', { hasText: 'Nightly' }));
    assert.match(card, /3:00.*Not running on this server: start it with --schedules/);
  });

  await row('"Why?" says what the service answered and what else could have been, and the drawing lights the way', async () => {
    await goRun(runs.expired);
    await page.locator('#why > summary').click();
    await page.locator('.why').waitFor();
    const why = await wordsIn(page.locator('.why'));
    assert.match(why, /The service answered: The card has expired\./);
    assert.match(why, /With request\.amount below 0 it would have been rejected on line 27\.$/);
    await page.locator('#drawing > summary').click();
    await page.locator('#drawing svg .call.lit').first().waitFor();
    assert.equal(await page.locator('.reject.lit').count(), 0);
    assert.ok((await page.locator('.reject.faint').count()) > 0);
    const scale = await page.evaluate<number>(
      "((svg) => svg.getBoundingClientRect().width / svg.viewBox.baseVal.width)(document.querySelector('#drawing .paper > svg'))",
    );
    assert.ok(scale > 0.75, `words of the drawing are large enough to read: ${scale}`);
  });

  await conditionRows({ t, look, page, openPage });

  assert.deepEqual(problems, []);
}
