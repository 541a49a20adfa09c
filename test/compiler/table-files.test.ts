// Cells of a table in a file: a number is also the text that it is written as, whatever its heading asks.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testFile } from '../root.js';
import { loadEmitted } from './load-emitted.js';
import { compileAnyway } from './programs/compile-anyway.js';
import { programFile } from './programs/files.js';

const program = testFile('compiler/files/regions.wf');

async function regionOf(zip: string | number, table: string): Promise<unknown> {
  const { emitted } = compileAnyway(
    new Map([
      [programFile, Buffer.from(program)],
      ['regions.csv', Buffer.from(table)],
    ]),
  );
  const { run } = await loadEmitted(emitted.code);
  return (await run({ zip }, { env: {} })).outputs?.region;
}

test('under "is not", a number does not match the text that it is written as', async () => {
  const table = 'zip is not,region\n10115,elsewhere\nany,Berlin\n';
  for (const zip of ['10115', 10_115]) assert.equal(await regionOf(zip, table), 'Berlin');
  for (const zip of ['10116', 10_116]) assert.equal(await regionOf(zip, table), 'elsewhere');
  // In quotes, it is only text.
  assert.equal(await regionOf(10_115, table.replace('10115', '"""10115"""')), 'elsewhere');
});

test('under "is", a number matches both', async () => {
  const table = 'zip is,region\n10115,Berlin\n"one of 20095, 20097",Hamburg\n';
  for (const zip of ['10115', 10_115]) assert.equal(await regionOf(zip, table), 'Berlin');
  for (const zip of ['20097', 20_097]) assert.equal(await regionOf(zip, table), 'Hamburg');
  assert.equal(await regionOf('10116', table), 'none');
});

test('under "starts with", a number is a text', async () => {
  const table = 'zip starts with,region\n10,Berlin\n20,Hamburg\n';
  assert.equal(await regionOf('10115', table), 'Berlin');
  assert.equal(await regionOf('20097', table), 'Hamburg');
});
