// The files of `wf init` and the scripts of `wf completion` work.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { commands } from '../../src/commands/command-table.js';
import { cli, root } from '../root.js';
import { folderWith } from './wf.js';

test('the first workflows are valid, run, and their cases reach every line', (context) => {
  const { wf, path: folder } = folderWith(context);
  assert.equal(wf(['init', 'first']).status, 0);
  assert.equal(wf(['check', 'first', '--strict']).status, 0);
  const run = wf(['run', 'first/order-review.wf', '--input', '{"customer":"Ada","total":20}', '--json']);
  assert.equal(run.stdout, '{"status":"completed","outputs":{"review":"automatic","total":20}}\n');
  const report = wf(['run', 'first/daily-report.wf', '--mock', '--json']);
  assert.equal(report.stdout, '{"status":"completed","outputs":{"orders":2}}\n');
  const tested = wf(['test', 'first']);
  assert.equal(tested.status, 0, tested.stdout + tested.stderr);
  assert.match(tested.stdout, /6 passed/);
  assert.doesNotMatch(tested.stdout, /no case/);
  assert.match(readFileSync(path.join(folder, 'first/.github/workflows/wf.yml'), 'utf8'), /wf check \. --format github/);
  assert.match(readFileSync(path.join(folder, 'first/.gitignore'), 'utf8'), /^\.env$/m);
});

test('the suggested commands work, whatever the name of the folder', (context) => {
  const { wf, path: cwd } = folderWith(context);
  for (const name of ['my flows', "it's $(mine)", '-x', "\u001b[31m it's \\n"]) {
    const told = wf(['init', '--', name]).stdout;
    const lines = told
      .slice(told.indexOf('Try it:') + 7)
      .trim()
      .split('\n');
    assert.equal(lines.length, 6);
    assert.match(told, /npm pack.*npm install --save-dev \S+\.tgz$/m);
    // Nothing is installed: `npx` runs the program under test.
    const script = [`npm() { [ "$*" = install ]; }`, `npx() { shift; "${process.execPath}" "${cli}" "$@"; }`, ...lines].join(
      '\n',
    );
    const { status, stderr } = spawnSync('bash', ['-ec', script], { cwd, encoding: 'utf8' });
    assert.equal(status, 0, stderr);
  }
  assert.equal(wf(['init', '']).status, 2);
});

test('the CI job runs in a folder that npm can install', (context) => {
  const { wf, path: folder } = folderWith(context);
  wf(['init', 'first']);
  const { devDependencies } = JSON.parse(readFileSync(path.join(folder, 'first/package.json'), 'utf8'));
  const { name, version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  assert.deepEqual(devDependencies, { [name]: `^${version}` });
  const job = readFileSync(path.join(folder, 'first/.github/workflows/wf.yml'), 'utf8');
  assert.deepEqual(
    [...job.matchAll(/- run: (.*)/g)].map(([, command]) => command),
    ['npm install', 'npx --no wf check . --format github', 'npx --no wf test .'],
  );
});

test('keeps existing files', (context) => {
  const { wf, path: folder } = folderWith(context, { 'order-review.wf': 'mine' });
  assert.match(wf(['init']).stdout, /^kept {5}order-review\.wf$/m);
  assert.equal(readFileSync(path.join(folder, 'order-review.wf'), 'utf8'), 'mine');
});

test('the completion script for bash knows commands and options', (context) => {
  const { wf } = folderWith(context);
  const script = wf(['completion', 'bash']).stdout;
  const complete = (words: readonly string[]): string[] => {
    const line = `${script}\nCOMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')})\nCOMP_CWORD=${words.length - 1}\n_wf\nprintf '%s\\n' "\${COMPREPLY[@]}"`;
    const { stdout, status, stderr } = spawnSync('bash', ['--norc', '-c', line], { encoding: 'utf8' });
    assert.equal(status, 0, stderr);
    return stdout.trim().split('\n');
  };
  assert.deepEqual(complete(['wf', 'sch']), ['schedule']);
  assert.deepEqual(complete(['wf', 'run', '--out']), ['--output-log']);
  assert.deepEqual(complete(['wf', 'serve', '--auth']), ['--auth-token']);
});

test('the scripts for zsh and fish name every command and option', (context) => {
  const { wf } = folderWith(context);
  for (const shell of ['zsh', 'fish']) {
    const script = wf(['completion', shell]).stdout;
    for (const command of commands) {
      assert.ok(script.includes(command.name), `${shell} ${command.name}`);
      for (const { flag } of command.options)
        assert.ok(script.includes((flag.split(' ')[0] ?? '').replace(/^--/, '')), `${shell} ${flag}`);
    }
  }
});

// The completion scripts, as bash runs them, and the values that they offer.

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
      if (flag !== '--signature <provider>') for (const value of values) assert.match(text, new RegExp(`\\b${value}\\b`), flag);
});
