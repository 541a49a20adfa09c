// Totals checked only after their loop. A total that is too large ends the run as an immediate check would; a total that the loop could
// observe is checked immediately.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Value } from '../../runtime/types.js';
import { compile } from '../../src/compiler/compile.js';
import { loadEmitted } from './load-emitted.js';

const head = 'workflow:\n    trigger: t\n\n    set total to 0\n    set other to 0\n    for each row in request.rows:\n';

async function runBody(body: string, rows: Value[]): Promise<{ late: boolean; outcome: unknown }> {
  const text = `${head}${body
    .split('\n')
    .map((line) => `        ${line}\n`)
    .join('')}    complete with total total and other other\n`;
  const compiled = compile(Buffer.from(text), { file: 't.wf' });
  assert.ok(!compiled.hasErrors, JSON.stringify(compiled.diagnostics));
  const { run } = await loadEmitted(compiled.emitted.code);
  const { status, outputs, message, error } = await run({ rows }, { env: {} });
  return { late: /if \(\w+ - \w+ !== 0\)/.test(compiled.emitted.code), outcome: { status, outputs, message, error } };
}

const amount = 'set amount to row times 2';
const sum = 'set total to total plus amount';
const large = Number.MAX_VALUE / 4;

const late = {
  'a total': `${amount}\n${sum}`,
  'a total under a condition': `${amount}\nif amount is above 0:\n    ${sum}\notherwise:\n    set other to other minus amount`,
  'a total of a loop that is left': `${amount}\n${sum}\nif amount is 0:\n    stop the loop\nif amount is 2:\n    skip`,
};
for (const [what, body] of Object.entries(late)) {
  test(`checks ${what} after the loop, and ends the run as before`, async () => {
    for (const rows of [
      [],
      [1, 2.5, -1],
      [large, large, 1, large],
      [-large, -large, 5, -large, 0, 1],
      [large, large, 0, large],
    ]) {
      const after = await runBody(body, rows);
      // A log entry could show it, so this one is checked in each round.
      const once = await runBody(`${body}\nif row is "never":\n    log "x"`, rows);
      assert.deepEqual([after.late, once.late], [true, false]);
      assert.deepEqual(after.outcome, once.outcome);
    }
  });
}

test('a total that is too large is an error on the line of the sum', async () => {
  const { outcome } = await runBody(`${amount}\n${sum}`, [large, large, 1, large]);
  assert.match(JSON.stringify(outcome), /"status":"error".*too large.*"line":8/);
});

const atOnce = {
  'that something is taken off': `${amount}\nset total to total minus amount`,
  'that a condition reads': `${amount}\n${sum}\nif total is above 5:\n    set other to 1`,
  'that another variable takes': `${amount}\n${sum}\nset other to total`,
  'that a text shows': `${amount}\n${sum}\nset other to "{total}"`,
  'that is set twice': `${amount}\n${sum}\nset total to total minus amount`,
  'that is added to itself': 'set total to total plus total',
  'of more than one step': `${amount}\nset total to total plus amount plus 1`,
  'in a loop with a log line': `${amount}\n${sum}\nlog amount`,
  'in a loop that may end the run': `${amount}\n${sum}\nif amount is 2:\n    reject with "no"`,
  'in a loop around a loop': `${amount}\n${sum}\nfor each part in [1]:\n    set other to part`,
  'of what may be no number': 'set total to total plus row',
};
for (const [what, body] of Object.entries(atOnce)) {
  test(`checks a total ${what} immediately`, async () => {
    const { late: isLate, outcome } = await runBody(body, [1, 2]);
    assert.equal(isLate, false);
    assert.doesNotMatch(JSON.stringify(outcome), /"error"/);
  });
}

test('checks the total of an inner loop after that loop, before anything else sees it', async () => {
  const inner = `for each part in row:\n    set amount to part times 2\n    ${sum}\nlog "so far {total}"`;
  const { late: isLate, outcome } = await runBody(inner, [[1], [large, large, large]]);
  assert.equal(isLate, true);
  assert.match(JSON.stringify(outcome), /"status":"error".*too large/);
});

test('tracing shows no total that is too large', async () => {
  const text = `${head}        ${amount}\n        ${sum}\n`;
  const compiled = compile(Buffer.from(text), { file: 't.wf', trace: true });
  assert.ok(!compiled.hasErrors);
  assert.doesNotMatch(compiled.emitted.code, /!== 0\)/);
});
