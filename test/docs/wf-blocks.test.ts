// Every ```wf block in the docs is a valid workflow, or lines of one, and produces what its comments promise.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { checkFile } from '../../src/compiler/compile.js';
import { renderText } from '../../src/compiler/diagnostics/render-text.js';
import { createEngine } from '../../src/engine/engine.js';
import { prepare } from '../../src/engine/prepare/prepare.js';
import { pages } from './page.js';

// Turns lines of a workflow on a page into a whole file. Declares a service where a line uses one, and turns results that a comment
// promises (`# → 0.3`) into outputs.

const services: Readonly<Record<string, string>> = {
  GitHub: 'an API at "https://api.github.com"',
  Orders: 'an API at "https://orders.example.com"',
  Alerts: 'a webhook at "https://hooks.example.com/services/1"',
  Writer: 'an AI using "openai/gpt-4o"',
  Ledger: 'a plugin "./connectors/ledger.mjs"',
  Shop: 'a database at "{env.DATABASE_URL}"',
  Post: 'a mail server at "{env.SMTP_URL}"\n        from "Shop <shop@example.com>"',
  Reports: 'a folder at "./reports"',
};

/** `set total to 1 plus 2    # → 3` */
const PROMISE = /^ *set ([\p{L}_][\p{L}\p{Nd}_-]*) to .*# → (.+)$/gmu;

interface Promised {
  readonly name: string;
  readonly value: unknown;
}

const isWhole = (text: string): boolean => /^workflow:/m.test(text);

function promisesOf(text: string): Promised[] {
  return [...text.matchAll(PROMISE)].map(([, name = '', written = '']) => ({
    name,
    value: written.trim() === 'empty' ? null : JSON.parse(written),
  }));
}

function wholeFile(text: string): string {
  if (isWhole(text)) return text;
  const config = /^config:/m.test(text) ? '' : 'config:\n    name: "A page of the docs"\n\n';
  if (/^(config|inputs|services):/m.test(text))
    return `${config}${text}\nworkflow:\n    trigger: a page of the docs\n\n    complete\n`;
  const used = Object.entries(services).filter(([name]) => new RegExp(`\\b(using|ask) ${name}\\b`).test(text));
  const declared = used.length === 0 ? '' : `services:\n${used.map(([name, is]) => `    ${name} is ${is}\n`).join('')}\n`;
  const names = promisesOf(text).map(({ name }) => name);
  const end = names.length === 0 ? '' : `    complete with ${names.map((name) => `${name} ${name}`).join(' and ')}\n`;
  return `${config}${declared}workflow:\n    trigger: a page of the docs\n\n${text.replace(/^(?=.)/gm, '    ')}${end}`;
}

/** A fragment with sections has no statements that use them. */
const ONLY_OF_WHOLE_FILES = new Set(['WF105']);

for (const { name, blocks } of pages) {
  const shown = blocks.filter(({ language }) => language === 'wf');
  if (shown.length === 0) continue;
  test(`the workflows of ${name} are valid`, () => {
    for (const { place, text, marks } of shown) {
      const { diagnostics } = checkFile(wholeFile(text), place);
      const errors = diagnostics.filter(({ severity }) => severity === 'error');
      const warnings = diagnostics.filter(
        ({ severity, code }) => severity === 'warning' && (isWhole(text) || !ONLY_OF_WHOLE_FILES.has(code)),
      );
      if (marks.includes('wrong')) assert.notEqual(errors.length, 0, `${place} is marked as wrong and has no error`);
      else assert.equal(renderText(errors, { colour: false }), '');
      if (marks.includes('warns')) assert.notEqual(warnings.length, 0, `${place} is marked with "warns" and has no warning`);
      else if (!marks.includes('wrong')) assert.equal(renderText(warnings, { colour: false }), '');
    }
  });

  const promising = shown.filter(({ text }) => promisesOf(text).length > 0);
  if (promising.length === 0) continue;
  test(`the results that ${name} shows are right`, async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'wf-docs-'));
    const engine = createEngine({ env: {}, mock: true });
    try {
      for (const [index, { place, text }] of promising.entries()) {
        const file = `fragment-${index}.wf`;
        writeFileSync(path.join(folder, file), wholeFile(text));
        const preparation = await prepare(file, { cwd: folder, env: { WF_CACHE: 'off' } });
        assert.ok(preparation.ok, place);
        const { outcome } = await engine.execute(preparation.prepared, {});
        assert.equal(outcome.message, undefined, `${place}: ${outcome.message}`);
        for (const { name: output, value } of promisesOf(text))
          assert.deepEqual(outcome.outputs?.[output] ?? null, value, `${place}: ${output}`);
      }
    } finally {
      await engine.close();
      rmSync(folder, { recursive: true, force: true });
    }
  });
}
