// Rows of the second look about questions to people.
import assert from 'node:assert/strict';
import { has, pageTools, wordsIn } from './page-tools.js';
import type { Stage } from './second-look-conditions.js';

export async function peopleRows({ t, look, page, openPage }: Stage): Promise<void> {
  const { store } = look;
  const { go, goRun, row, button } = pageTools(t, look, page);

  await row('questions are filtered, taken and given back, due soon first', async () => {
    await go('/console/tasks');
    assert.match(await wordsIn(page.locator('.task').first()), /approve the order/);
    await page.getByLabel('Workflow').selectOption('order');
    await button('Filter').click();
    await page.waitForURL(/workflow=order/);
    assert.match(await wordsIn(page.locator('.task').first()), /asked by Order/);
    await page.locator('.task').first().getByRole('button', { name: 'Take it' }).click();
    await has(page, 'You have this question.');
    await page.locator('.task').first().getByRole('button', { name: 'Give it back' }).click();
    await has(page, 'It is on record who has this question.');
    assert.match(page.url(), /workflow=order/, 'the filter stays');
  });

  await row('a question of any branch is answered from its run, wherever the list has it', async () => {
    const run = await look.start('order', { order: 'RETRY-2' }, 'paused');
    await goRun(run);
    // What the run waits for first is its retry.
    await page.locator('.code li.waiting', { hasText: 'ask Manager' }).getByRole('link', { name: 'Answer' }).click();
    await page.locator('.task').first().waitFor();
    assert.deepEqual(await page.locator('.task h2').allInnerTexts(), ['approve the order RETRY-2']);
    await page.goBack();
    await page.locator('#head').getByRole('link', { name: 'Answer…' }).click();
    await page.locator('.task[open]').getByRole('button', { name: 'no' }).click();
    await has(page, 'Your answer is recorded.');
    await page.locator('#activity', { hasText: 'answered: no' }).waitFor();
    assert.match(page.url(), new RegExp(`/runs/${run}`));
    await store.cancel(run);
  });

  await row('an answer typed while the session ended arrives after signing in', async () => {
    const { page: other } = await openPage(t);
    const signIn = async (): Promise<void> => {
      await other.getByLabel('Operator token').fill('secret-token');
      await other.getByRole('button', { name: 'Sign in' }).click();
    };
    await other.goto(`${look.locked}/console/tasks?workflow=refund`);
    await signIn();
    const task = other.locator('.task', { hasText: 'Large 0' });
    await task.locator('summary').click();
    await task.getByLabel('Comment').fill('typed for long');
    await other.context().clearCookies();
    // An update meanwhile finds the session over, and leaves the text alone.
    const meanwhile = await look.start('refund', { customer: 'Meanwhile', amount: 711 }, 'paused');
    await has(other, 'Signed out');
    await task.getByRole('button', { name: 'approve' }).click();
    await signIn();
    await has(other, 'Your answer is recorded.');
    assert.match(await wordsIn(other.locator('#answered li', { hasText: 'Large 0' })), /approve, answered.* typed for long/);
    await other.context().close();
    await store.cancel(meanwhile);
  });

  await row('questions that nobody answered say why they are over', async () => {
    await go('/console/tasks?workflow=refund');
    assert.match(
      await wordsIn(page.locator('#answered li', { hasText: 'Large 8' })),
      /Nobody answered before the run ended · \d\d:\d\d:\d\d/,
    );
  });
}
