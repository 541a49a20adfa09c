// How the rows of the second look find their way on a page.
import type { TestContext } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import type { SecondLook } from './second-look.js';

export const wordsIn = async (found: Locator): Promise<string> => (await found.first().innerText()).replace(/\s+/g, ' ');

/** Waits for it. */
export const has = (page: Page, words: string | RegExp): Promise<void> => page.getByText(words).first().waitFor();

interface PageTools {
  readonly go: (address: string) => Promise<unknown>;
  readonly goRun: (run: string) => Promise<unknown>;
  readonly line: (words: string) => Locator;
  readonly row: (name: string, work: () => Promise<void>) => Promise<void>;
  readonly button: (name: string | RegExp) => Locator;
  /** What the listed runs are about. */
  readonly about: () => Promise<string[]>;
}

export function pageTools(t: TestContext, { locked }: SecondLook, page: Page): PageTools {
  const go = (address: string): Promise<unknown> => page.goto(locked + address);
  return {
    go,
    goRun: (run) => go(`/console/runs/${run}`),
    line: (words) => page.locator('.code li[data-v]', { hasText: words }).first(),
    row: (name, work) => t.test(name, work),
    button: (name) => page.getByRole('button', { name }),
    about: () => page.locator('#rows .about > bdi:first-child').allInnerTexts(),
  };
}
