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

test('a cell yes or no is the answer and its text, and TRUE and FALSE are as a sheet writes them', async () => {
  const program = (table: string) =>
    `tables:\n    Fees${table}\n\nworkflow:\n    trigger: t\n    look up fee in Fees with express request.express\n    complete with fee fee\n`;
  const rows = program(':\n        | express is | fee |\n        | no         | 5   |\n        | yes        | 9   |');
  const file = program(' is a table at "./fees.csv"');
  const files = ['express is,fee\nno,5\nYes,9\n', 'express is,fee\nFALSE,5\ntrue,9\n'];
  const feeOf = async (express: string | boolean, text: string, table = ''): Promise<unknown> => {
    const sources = new Map([
      [programFile, Buffer.from(text)],
      ['fees.csv', Buffer.from(table)],
    ]);
    const { run } = await loadEmitted(compileAnyway(sources).emitted.code);
    return (await run({ express }, { env: {} })).outputs?.fee;
  };
  for (const [express, fee] of [
    [false, 5],
    [true, 9],
    ['no', 5],
    ['maybe', undefined],
  ] as const) {
    assert.equal(await feeOf(express, rows), fee);
    assert.equal(await feeOf(express, file, files[0]), fee);
    assert.equal(await feeOf(express, file, files[1]), express === 'no' ? undefined : fee);
  }
});

test('under "starts with", a number is a text', async () => {
  const table = 'zip starts with,region\n10,Berlin\n20,Hamburg\n';
  assert.equal(await regionOf('10115', table), 'Berlin');
  assert.equal(await regionOf('20097', table), 'Hamburg');
});

test('headings match without case, spaces, hyphens and underscores, or exactly if several would', async () => {
  const program =
    'tables:\n    Prices is a table at "./prices.csv"\n\nworkflow:\n    trigger: t\n    look up unit-price in Prices with customer-group request.group\n    complete with price unit-price\n';
  const priceOf = async (table: string): Promise<unknown> => {
    const sources = new Map([
      [programFile, Buffer.from(program)],
      ['prices.csv', Buffer.from(table)],
    ]);
    const { run } = await loadEmitted(compileAnyway(sources).emitted.code);
    return (await run({ group: 'a' }, { env: {} })).outputs?.price;
  };
  assert.equal(await priceOf('Customer Group is,Unit Price\na,5\nany,7\n'), 5);
  assert.equal(await priceOf('CUSTOMER_GROUP is,unit-price,Unit Price\na,6,5\nany,8,7\n'), 6);
});
