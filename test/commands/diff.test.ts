// What `wf diff` says about files and revisions that it can't compare, and how it writes what it finds.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { diffCommand } from '../../src/commands/diff.js';
import { UsageError } from '../../src/engine/usage-error.js';
import { folderWithData, inMemoryIo } from '../testing/in-memory-io.js';

const order = (limit: number): string => `config:
    name: "Order"
    version: 1

workflow:
    trigger: when an order comes in

    if request.total is above ${limit}:
        reject with "too <large>"
    complete with approved true
`;

test('says which of two files or revisions is wrong, and how', async (t) => {
  const folder = folderWithData(t, { 'order.wf': order(100) });
  const git = (...args: readonly string[]): unknown =>
    execFileSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', ...args], { cwd: folder, stdio: 'ignore' });
  git('init', '-q');
  git('add', '.');
  git('commit', '-qm', 'one');
  mkdirSync(path.join(folder, 'folder'));
  writeFileSync(path.join(folder, 'new.wf'), order(200));
  const io = () => inMemoryIo(folder, { ...process.env, WF_CACHE: 'off' });
  const wrong: readonly (readonly [old: string, now: string, message: string])[] = [
    ['HEAD', 'gone.wf', "gone.wf can't be read: it does not exist."],
    ['HEAD', 'HEAD', "HEAD can't be read: it does not exist."],
    ['gone.wf', 'order.wf', "gone.wf can't be read: it does not exist."],
    ['HEAD', 'new.wf', 'new.wf is not in HEAD.'],
    ['nowhere', 'order.wf', 'nowhere is neither a file nor a revision of git that contains order.wf.'],
    ['folder', 'order.wf', 'folder is not a workflow: its name must end in .wf.'],
  ];
  for (const [old, now, message] of wrong)
    await assert.rejects(diffCommand([old, now], {}, io()), (error) => error instanceof UsageError && error.message === message);
  const same = io();
  assert.equal(await diffCommand(['HEAD', 'order.wf'], { exitCode: true }, same), 0);
  assert.equal(same.written.out, 'HEAD and order.wf do the same, as far as wf can tell.\n');
});

test('writes what changes for whom as text, markdown and JSON', async (t) => {
  const folder = folderWithData(t, { 'old.wf': order(100), 'now.wf': order(250) });
  const written = async (format: string): Promise<string> => {
    const io = inMemoryIo(folder, { WF_CACHE: 'off' });
    assert.equal(await diffCommand(['old.wf', 'now.wf'], { format, exitCode: true }, io), 1);
    return io.written.out;
  };
  assert.match(
    await written('text'),
    /^1\. With total above 100 and at most 250, for example \{"total":\d+(?:\.\d+)?\}:\n {3}before {2}rejected: "too <large>"\n {3}now {5}completed with approved true\n$/,
  );
  assert.match(
    await written('markdown'),
    /\| total above 100 and at most 250 \| rejected: "too &lt;large>" \| completed with approved true \|/,
  );
  const { old, new: now, changes } = JSON.parse(await written('json'));
  assert.deepEqual([old, now, changes.length], ['old.wf', 'now.wf', 1]);
  assert.deepEqual(changes[0].who, ['total above 100 and at most 250']);
  const { total } = changes[0].example.input;
  assert.ok(total > 100 && total <= 250);
});
