// What axe finds on a page, for tests of pages in a real browser.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const axeSource = readFileSync(createRequire(`${process.env.WF_TEST_ROOT}/`).resolve('axe-core/axe.min.js'), 'utf8');

interface Finding {
  readonly id: string;
  readonly impact: string | null;
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
}

/** Rules that colours don't affect run in one colour scheme only. */
const RULES = {
  light: '["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]',
  dark: '{ type: "rule", values: ["color-contrast", "link-in-text-block"] }',
} as const;

/** Findings of axe, of any severity. */
export async function findings(page: Page, scheme: keyof typeof RULES): Promise<string[]> {
  await page.evaluate(axeSource);
  // The page's `axe`, injected above.
  const run = `axe.run(document, { runOnly: ${RULES[scheme]}, resultTypes: ["violations"] })`;
  const { violations } = await page.evaluate<{ violations: Finding[] }>(run);
  return violations.flatMap(({ id, impact, nodes }) =>
    nodes.slice(0, 3).map((node) => `${id} (${impact}): ${node.html} ${node.failureSummary ?? ''}`),
  );
}
