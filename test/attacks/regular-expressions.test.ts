// Measures how the time of every regular expression in the sources grows with its input. One that takes seconds for untrusted text would
// block the whole process for as long.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { parse } from 'acorn';
import { transformSync } from 'esbuild';
import { checkSync } from 'recheck';
import { root, skipUnlessSlow } from '../root.js';

/** Expressions whose time may grow faster than their input, and why that is harmless. */
const exceptions: Readonly<Record<string, string>> = {
  '/\\B(?=(?:\\d{3})+$)/g': 'the digits of one number, 309 at most',
};

interface Found {
  readonly pattern: string;
  readonly flags: string;
  readonly files: Set<string>;
}

/** The literals of `src` and `runtime`, each once. Expressions assembled from parts have their own tests. */
function findAll(): Map<string, Found> {
  const all = new Map<string, Found>();
  for (const folder of ['src', 'runtime']) {
    for (const entry of readdirSync(path.join(root, folder), { recursive: true })) {
      const file = path.join(folder, String(entry));
      if (!file.endsWith('.ts')) continue;
      const { code } = transformSync(readFileSync(path.join(root, file), 'utf8'), { loader: 'ts', target: 'esnext' });
      parse(code, {
        ecmaVersion: 'latest',
        sourceType: 'module',
        onToken(token) {
          if (token.type.label !== 'regexp') return;
          // acorn's types omit the values of tokens.
          const { pattern, flags } = (token as unknown as { value: { pattern: string; flags: string } }).value;
          const found = all.get(`/${pattern}/${flags}`) ?? { pattern, flags, files: new Set() };
          found.files.add(file);
          all.set(`/${pattern}/${flags}`, found);
        },
      });
    }
  }
  return all;
}

/** Counts the characters that are read, and measures no time: a busy machine would pass for growth. */
const COUNTING = { attackTimeout: null, incubationTimeout: null, timeout: 600_000 };

/** Tells how the time grows if it is not in proportion to the text. */
function growthOf(pattern: string, flags: string): string | undefined {
  // The checker doesn't know newer flags; neither affects the time.
  const checked = checkSync(pattern, flags.replace(/[dv]/g, ''), COUNTING);
  if (checked.status === 'safe') return undefined;
  return checked.status === 'vulnerable' ? checked.complexity.summary : 'it cannot be told';
}

// Takes longer than any other test.

test('42. No regular expression takes super-linear time', { skip: skipUnlessSlow }, () => {
  const all = findAll();
  assert.ok(all.size > 250, `${all.size} were found`);
  const harmful: string[] = [];
  for (const [written, { pattern, flags, files }] of all) {
    const growth = written in exceptions ? undefined : growthOf(pattern, flags);
    if (growth !== undefined) harmful.push(`${written} in ${[...files].join(', ')}: ${growth}`);
  }
  assert.deepEqual(harmful, []);
  for (const written of Object.keys(exceptions)) assert.ok(all.has(written), `${written} is no longer there`);
});

test('42. Detects an expression that takes forever', () => {
  // The last two can only be searched.
  for (const pattern of ['[.\\s]+$', '^(?:a+)+$', '^(?=a)(?:a+)+$', '(?<!b)a*a*$'])
    assert.match(growthOf(pattern, '') ?? '', /polynomial|exponential/, pattern);
});
