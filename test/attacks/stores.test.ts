// Line 58: whoever can write to the tables of a store does not decide what servers execute.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { DatabaseSync } from '@photostructure/sqlite';
import { attack, head, type Server, startServerVictim } from './victim.js';

const workflow = `config:
    name: "Waits"
    version: 1

workflow:
    trigger: t

    wait 3 seconds
    complete with done true
`;

const get = (target: string): string => `GET ${target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`;

async function runIn(
  t: TestContext,
  { port }: Server,
): Promise<{ readonly id: string; readonly state: string; readonly all: string }> {
  const all = await attack(t, port, get('/runs')).closed;
  const [, id = ''] = /"run":"([^"]+)"/.exec(all) ?? [];
  const one = id === '' ? all : await attack(t, port, get(`/runs/${id}`)).closed;
  return { id, state: /"status":"([^"]+)"/.exec(one)?.[1] ?? '', all: one };
}

const EVIL = `require('node:fs').writeFileSync('pwned', '');`;

/** What an attacker who can write to the folder of a store changes. */
const changes: Readonly<Record<string, (database: InstanceType<typeof DatabaseSync>) => void>> = {
  'the text of its module': (database) => {
    const sql =
      "UPDATE contents SET data = ? || data WHERE instr(data, 'async function main') > 0 AND instr(data, 'exports') > 0";
    assert.ok(Number(database.prepare(sql).run(EVIL).changes) > 0);
  },
  'every text': (database) => {
    assert.ok(Number(database.prepare('UPDATE contents SET data = ?').run(EVIL).changes) > 1);
  },
};

for (const [title, change] of Object.entries(changes)) {
  test(`58. A store in which somebody changed ${title} executes nothing of it`, async (t) => {
    const store = { words: ['--store', 'store'] };
    const first = await startServerVictim(t, workflow, { ...store });
    void attack(t, first.port, head('Content-Length: 2'), '{}').closed;
    while ((await runIn(t, first)).id === '') assert.ok(first.child.exitCode === null);
    first.child.kill('SIGKILL');
    await first.ended;
    const database = new DatabaseSync(path.join(first.folder, 'store/common.db'));
    change(database);
    database.close();
    const second = await startServerVictim(t, workflow, { words: ['--store', path.join(first.folder, 'store')] });
    let run = await runIn(t, second);
    while (run.state === 'running' || run.state === 'waiting') run = await runIn(t, second);
    assert.equal(run.state, 'stuck', run.all);
    assert.match(run.all, /or was changed there|belongs to was changed/);
    assert.doesNotMatch(run.all, /internal|at .*\.js/i);
    for (const folder of [first.folder, second.folder]) assert.ok(!existsSync(path.join(folder, 'pwned')));
    assert.equal((await second.stop()).code, 0);
  });
}
