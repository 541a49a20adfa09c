// A log that can't be written for a while: reported once, and continued afterwards.
import assert from 'node:assert/strict';
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { lossyFileStream } from '../../src/commands/lossy-file-stream.js';
import { temporaryFolder } from '../temporary-folder.js';

function file(context: TestContext): string {
  const folder = temporaryFolder(context);
  return path.join(folder, 'log');
}

test('writes to a file immediately', (context) => {
  const name = file(context);
  const opened = openSync(name, 'a');
  lossyFileStream(opened, () => assert.fail())?.write('one\n');
  assert.equal(readFileSync(name, 'utf8'), 'one\n');
  closeSync(opened);
});

test('a full disk is reported once and does not end the stream', { skip: !existsSync('/dev/full') }, () => {
  const opened = openSync('/dev/full', 'w');
  const reasons: unknown[] = [];
  const stream = lossyFileStream(opened, (reason) => reasons.push(reason));
  for (const line of ['one\n', 'two\n']) stream?.write(line);
  assert.deepEqual(
    reasons.map((reason) => reason instanceof Error && 'code' in reason && reason.code),
    ['ENOSPC'],
  );
  assert.equal(stream?.writable, true);
  closeSync(opened);
});

test('leaves anything but files to Node.js', () => {
  assert.equal(
    lossyFileStream(987_654, () => assert.fail()),
    undefined,
  );
});
