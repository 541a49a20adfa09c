// The completion scripts, as bash runs them, and the values that they offer.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { commands } from '../../src/commands/command-table.js';
import { folderWith } from './wf.js';

const COMPLETE = `source ./wf.bash; COMP_WORDS=("$@"); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); _wf; printf '%s\\n' "\${COMPREPLY[@]}"`;

test('bash completes commands, actions, options, values and files', (context) => {
  const { wf, path } = folderWith(context, { 'order.wf': '' });
  const script = wf(['completion', 'bash']).stdout;
  const complete = (...words: string[]): string[] => {
    const run = ['--norc', '-c', `${script}\n${COMPLETE.replace('source ./wf.bash; ', '')}`, 'bash', 'wf', ...words];
    return execFileSync('bash', run, { cwd: path, encoding: 'utf8' }).trim().split('\n');
  };
  assert.deepEqual(complete('sche'), ['schedule']);
  assert.deepEqual(complete('runs', 'ca'), ['cancel']);
  assert.deepEqual(complete('tasks', ''), ['list', 'answer', 'assign']);
  assert.deepEqual(complete('check', '--format', ''), ['text', 'json', 'github', 'sarif']);
  assert.deepEqual(complete('runs', 'list', '--status', 'e'), ['error']);
  assert.deepEqual(complete('completion', ''), ['bash', 'zsh', 'fish']);
  assert.deepEqual(complete('check', '--fo'), ['--format']);
  assert.deepEqual(complete('check', 'or'), ['order.wf']);
  assert.deepEqual(complete('runs', 'rerun', '--from', ''), ['start', 'failure']);
});

test('the scripts of the other shells are read by them, where they are installed', (context) => {
  const { wf } = folderWith(context);
  for (const [shell, ...words] of [
    ['zsh', '-n'],
    ['fish', '--no-execute'],
  ] as const) {
    const { stdout, status } = wf(['completion', shell]);
    assert.equal(status, 0);
    for (const { name } of commands) assert.match(stdout, new RegExp(`\\b${name}\\b`));
    assert.match(stdout, /text json github sarif/);
    const read = spawnSync(shell, [...words, '/dev/stdin'], { input: stdout, encoding: 'utf8' });
    if (read.error === undefined) assert.equal(read.status, 0, read.stderr);
  }
});

test('each value is one that the help names', () => {
  for (const { options } of commands)
    for (const { flag, text, values = [] } of options)
      if (flag !== '--signature <maker>') for (const value of values) assert.match(text, new RegExp(`\\b${value}\\b`), flag);
});
