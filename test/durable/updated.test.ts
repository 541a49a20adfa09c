// An update replaces the installation of wf under a server that has just started, as `npm install -g` does.
import assert from 'node:assert/strict';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { startServerVictim } from '../attacks/victim.js';
import { cli, root, testFile } from '../root.js';
import { temporaryFolder } from '../temporary-folder.js';

/** Removes the installation, and puts another build in its place: its parts don't fit those that are loaded. */
function update(dist: string): void {
  rmSync(dist, { recursive: true });
  cpSync(path.dirname(cli), dist, { recursive: true });
  const chunks = path.join(dist, 'chunks');
  for (const name of readdirSync(chunks)) {
    const length = readFileSync(path.join(chunks, name)).length;
    // As long as before, so that V8 would accept machine code that was made from the other text.
    const text = '(f=>this===globalThis?f:f())(()=>{});';
    writeFileSync(path.join(chunks, name), text.padEnd(length - 1).concat('\n'));
  }
}

for (const how of ['removed', 'replaced'])
  test(`runs of a server whose program is ${how} right after its start continue in the next process`, async (t) => {
    const folder = temporaryFolder(t);
    const dist = path.join(folder, 'wf', 'dist');
    mkdirSync(path.dirname(dist));
    cpSync(path.dirname(cli), dist, { recursive: true });
    symlinkSync(path.join(root, 'node_modules'), path.join(folder, 'wf', 'node_modules'));
    const words = ['--store', path.join(folder, 'runs')];
    const flow = testFile('durable/files/parts.wf');
    const first = await startServerVictim(t, flow, { words, program: path.join(dist, 'wf.cjs') });
    if (how === 'removed') rmSync(dist, { recursive: true });
    else update(dist);
    const begin = await fetch(`http://127.0.0.1:${first.port}/`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Prefer: 'respond-async' },
      body: '{"day":"2026-11-28"}',
    });
    assert.equal(begin.status, 202, await begin.text());
    const run = begin.headers.get('x-run-id');
    await first.stop();
    const second = await startServerVictim(t, flow, { words });
    const answer = await fetch(`http://127.0.0.1:${second.port}/runs/${run}`, { headers: { Prefer: 'wait=60' } });
    const { status, outputs } = Object(await answer.json());
    assert.deepEqual({ status, outputs }, { status: 'completed', outputs: { id: 1, week: '2026-12-05', note: '2026-11-28' } });
  });
