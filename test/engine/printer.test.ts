// Writes lines in batches, waits for slow readers, and never buffers without limit.
import assert from 'node:assert/strict';
import { Writable } from 'node:stream';
import { test } from 'node:test';
import { createPrinter, jsonOutput } from '../../src/engine/records/printer.js';

class Slow extends Writable {
  readonly writes: string[] = [];
  #done: (() => void)[] = [];
  #hold: boolean;

  constructor(hold: boolean) {
    super({ highWaterMark: 10, decodeStrings: false });
    this.#hold = hold;
  }

  override _write(chunk: string, _encoding: string, done: () => void): void {
    this.writes.push(chunk);
    if (this.#hold) this.#done.push(done);
    else done();
  }

  read(): void {
    this.#hold = false;
    for (const done of this.#done.splice(0)) done();
  }
}

test('the lines of one turn leave in one write', async () => {
  const stream = new Slow(false);
  const printer = createPrinter(stream);
  for (let line = 0; line < 1000; line++) printer.line(`line ${line}`);
  assert.equal(stream.writes.length, 0);
  await new Promise(setImmediate);
  assert.equal(Number(stream.writes.length), 1);
  assert.equal(stream.writes[0]?.split('\n').length, 1001);
  printer.line('last');
  await printer.flush();
  assert.equal(stream.writes.join('').endsWith('line 999\nlast\n'), true);
});

test('a JSON line has nothing that controls a terminal, and all of its text', () => {
  const lines: string[] = [];
  const message = 'a\u001b[2J\u009b31m\u007f\u0085\u2028\u202e"';
  jsonOutput({ write: (text: string | Uint8Array) => lines.push(String(text)) > 0 }, 'info').write(message);
  assert.doesNotMatch(lines[0] ?? '', /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028\u202e]/);
  assert.equal(JSON.parse(lines[0] ?? '').message, message);
});

test('a reader that does not keep up costs lines, not memory, and learns how many', async () => {
  const stream = new Slow(true);
  const printer = createPrinter(stream);
  printer.line('first');
  await new Promise(setImmediate);
  const long = 'x'.repeat(1000);
  for (let line = 0; line < 20_000; line++) printer.line(long);
  stream.read();
  await printer.flush();
  const text = stream.writes.join('');
  const kept = text.split('\n').filter((line) => line === long).length;
  assert.ok(text.startsWith('first\n'));
  assert.ok(kept > 1000 && kept < 10_000, String(kept));
  assert.match(text, new RegExp(`\\(${20_000 - kept} lines were dropped because they were not read in time\\)\\n$`));
});

test('never waits forever, and keeps nothing for a reader that has left', async () => {
  const stuck = new Slow(true);
  const printer = createPrinter(stuck, { patience: 20 });
  printer.line('first');
  await new Promise(setImmediate);
  printer.line('second');
  await printer.flush();
  assert.deepEqual(stuck.writes, ['first\n']);
  stuck.read();
  await printer.flush();
  assert.equal(stuck.writes.join(''), 'first\nsecond\n');
  stuck.destroy();
  printer.line('third');
  await printer.flush();
  assert.equal(stuck.writes.join(''), 'first\nsecond\n');
});

test('unbatched lines leave immediately, and still wait for a slow reader', async () => {
  const stream = new Slow(true);
  const printer = createPrinter(stream, { together: false });
  for (const line of ['one', 'a line that is long', 'two']) printer.line(line);
  assert.deepEqual(stream.writes, ['one\n']);
  stream.read();
  await printer.flush();
  assert.equal(stream.writes.join(''), 'one\na line that is long\ntwo\n');
});
