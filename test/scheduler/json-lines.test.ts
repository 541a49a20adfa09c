// `wf schedule --log-format json`: every line is an object with time and level, whatever it says.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { cli } from '../root.js';
import { temporaryFolder } from '../temporary-folder.js';

const workflow = (body: string): string =>
  `config:\n    name: "Report"\n    version: 1\n\nworkflow:\n    trigger: t\n\n    ${body}\n`;

interface Line {
  readonly time: string;
  readonly level: string;
  readonly message: string;
  readonly code?: string;
  readonly line?: number;
}

/** The lines that a command prints, of both streams. @param ask sends something to the server before it stops */
async function linesOf(
  cwd: string,
  words: readonly string[],
  ask: (url: string) => Promise<unknown> = async () => undefined,
): Promise<{ readonly exit: number; readonly lines: Line[] }> {
  const child = spawn(process.execPath, [cli, ...words, '--log-format', 'json'], {
    cwd,
    env: { PATH: process.env.PATH, HOME: cwd, WF_CACHE: 'off' },
  });
  let text = '';
  let isAsked = false;
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (part: Buffer) => {
      text += String(part);
      const [, url] = /Listening on (http:[^"]*)"/.exec(text) ?? [];
      if (url === undefined || isAsked) return;
      isAsked = true;
      void ask(url).finally(() => child.kill());
    });
  const [exit] = await once(child, 'close');
  const lines = text
    .trim()
    .split('\n')
    .map((line): Line => JSON.parse(line));
  for (const { time, level } of lines) {
    assert.match(time, /^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
    assert.match(level, /^(?:info|warn|error)$/);
  }
  return { exit, lines };
}

test('schedule and serve: findings, wrong use, the start and the runs are JSON lines', async (t) => {
  const cwd = temporaryFolder(t, {
    'right.wf': workflow('log "at work"'),
    'fails.wf': workflow('set x to 1 divided by request.zero'),
    'wrong.wf': workflow('sett x to 1'),
    'input.json': '{"zero": 0}',
  });
  const once = ['--cron', '* * * * *', '--once'];
  for (const command of [
    ['schedule', 'wrong.wf', ...once],
    ['serve', 'wrong.wf', '--port', '0'],
  ]) {
    const { exit, lines } = await linesOf(cwd, command);
    assert.equal(exit, 1);
    assert.deepEqual(
      lines.map(({ level, code, line }) => ({ level, code, line })),
      [{ level: 'error', code: 'WF041', line: 8 }],
    );
  }
  for (const command of [
    ['schedule', 'none.wf', ...once],
    ['serve', 'none.wf'],
  ]) {
    const { exit, lines } = await linesOf(cwd, command);
    assert.equal(exit, 2);
    assert.deepEqual([lines.length, lines[0]?.level], [1, 'error']);
    assert.match(lines[0]?.message ?? '', /none\.wf/);
  }
  const served = await linesOf(cwd, ['serve', 'right.wf', '--port', '0']);
  assert.ok(served.lines.some(({ message, level }) => message.startsWith('Listening on ') && level === 'info'));
});

test('what a plugin prints is a JSON line, too', async (t) => {
  const cwd = temporaryFolder(t, {
    'plugged.wf': `config:\n    name: "A"\n    version: 1\n\nservices:\n    P is a plugin "./p.mjs"\n\nworkflow:\n    trigger: t\n\n    get it using P\n    complete\n`,
    'p.mjs': `export default { async call() { console.log('of %s\\nlines', 2); console.error(new Error('odd')); return {}; } };`,
  });
  const { lines } = await linesOf(cwd, ['serve', 'plugged.wf', '--port', '0'], (url) => fetch(url, { method: 'POST' }));
  assert.ok(lines.some(({ message, level }) => message === 'of 2\nlines' && level === 'info'));
  assert.ok(lines.some(({ message, level }) => message.startsWith('Error: odd') && level === 'error'));
});
