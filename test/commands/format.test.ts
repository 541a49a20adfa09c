// `wf format` and `wf check --fix`: what they write, what they only show, and what they leave alone.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { cli } from '../root.js';
import { folderWith, workflow } from './wf.js';

const tidy = workflow('    if request.a:\n        log "a"');
const messy = tidy.replace('log "a"', 'log   "a"  ');
const broken = tidy.replace('request.a:', 'request.a is');

test('a folder: each file is written once, files in their form stay untouched', (context) => {
  const { wf, path: folder } = folderWith(context, { 'a/messy.wf': messy, 'a/tidy.wf': tidy });
  const at = (): number => statSync(path.join(folder, 'a/tidy.wf')).mtimeMs;
  const before = at();
  assert.deepEqual(wf(['format', 'a', 'a/messy.wf']), { status: 0, stdout: 'a/messy.wf is formatted.\n', stderr: '' });
  assert.equal(readFileSync(path.join(folder, 'a/messy.wf'), 'utf8'), tidy);
  assert.equal(at(), before);
  assert.deepEqual(wf(['format', 'a']), { status: 0, stdout: '', stderr: '' });
});

test('the form of a file has no byte order mark', (context) => {
  const { wf, path: folder } = folderWith(context, { 'a.wf': `\ufeff${tidy}` });
  assert.deepEqual(wf(['format', 'a.wf', '--check']), { status: 1, stdout: 'a.wf is not in its form.\n', stderr: '' });
  assert.match(wf(['format', 'a.wf', '--diff']).stdout, /^-\ufeffconfig:\n\+config:$/m);
  assert.equal(wf(['format', 'a.wf']).status, 0);
  assert.equal(readFileSync(path.join(folder, 'a.wf'), 'utf8'), tidy);
});

test('--check and --diff write nothing', (context) => {
  const { wf, path: folder } = folderWith(context, { 'messy.wf': messy, 'tidy.wf': tidy, 'notes.txt': '' });
  assert.deepEqual(wf(['format', '.', '--check']), { status: 1, stdout: 'messy.wf is not in its form.\n', stderr: '' });
  const { status, stdout } = wf(['format', 'messy.wf', '--diff']);
  assert.equal(status, 0);
  assert.ok(stdout.startsWith('--- messy.wf'), stdout);
  assert.match(stdout, /^--- messy\.wf.*\n\+\+\+ messy\.wf.*\n@@ .* @@\n(?:.*\n)*- {8}log {3}"a" {2}\n\+ {8}log "a"$/m);
  assert.equal(wf(['format', 'messy.wf', '--diff', '--check']).status, 1);
  assert.match(wf(['format', 'notes.txt']).stderr, /wf format - < notes\.txt/);
  assert.equal(readFileSync(path.join(folder, 'messy.wf'), 'utf8'), messy);
});

test('a file with syntax errors is reported and left alone; the others are formatted', (context) => {
  const { wf, path: folder } = folderWith(context, {
    'broken.wf': broken,
    'messy.wf': messy,
    'latin.wf': Buffer.from('config:\n    name: "\xe4"\n', 'latin1'),
  });
  const { status, stdout, stderr } = wf(['format', '.']);
  assert.equal(status, 1);
  assert.equal(stdout, 'messy.wf is formatted.\n');
  assert.match(stderr, /^Error in broken\.wf, line 8 \(WF040\):$/m);
  assert.match(stderr, /^Error in latin\.wf, line 2 \(WF\d+\):$/m);
  assert.match(stderr, /^2 errors in 2 files\. Those files are left as they are\.$/m);
  assert.equal(readFileSync(path.join(folder, 'broken.wf'), 'utf8'), broken);
});

test('standard input goes to standard output, or nowhere', () => {
  const piped = (input: string, ...options: string[]): [number | null, string] => {
    const { status, stdout } = spawnSync(process.execPath, [cli, 'format', '-', ...options], { input, encoding: 'utf8' });
    return [status, stdout];
  };
  assert.deepEqual(piped(messy), [0, tidy]);
  assert.deepEqual(piped(tidy), [0, tidy]);
  assert.deepEqual(piped(messy, '--check', '--stdin-filename', 'x.wf'), [1, 'x.wf is not in its form.\n']);
  assert.deepEqual(piped(broken), [1, '']);
});

test('check --fix corrects words, also those that another mistake has hidden, and keeps the rest of the file', (context) => {
  const wrong = `\ufeff${workflow('    If request.a:\n        Set total to 1\n        log totl\n    log banana')}`.replaceAll(
    '\n',
    '\r\n',
  );
  const { wf, path: folder } = folderWith(context, { 'a.wf': wrong });
  const { status, stdout, stderr } = wf(['check', 'a.wf', '--fix']);
  assert.equal(status, 1);
  assert.equal(stdout, '');
  assert.deepEqual(stderr.match(/^Fixed .*$/gm)?.sort(), [
    'Fixed a.wf, line 10: totl → total',
    'Fixed a.wf, line 8: If → if',
    'Fixed a.wf, line 9: Set → set',
  ]);
  assert.match(stderr, /line 11 \(WF020\)/);
  assert.match(stderr, /1 error in 1 file\./);
  const fixed = wrong.replace('If', 'if').replace('Set', 'set').replace('totl', 'total');
  assert.equal(readFileSync(path.join(folder, 'a.wf'), 'utf8'), fixed);
});

test('check --fix corrects lines in which every word has capital letters, and what a warning says is misspelt', (context) => {
  const text = workflow(
    '    set total to request.a\n    if total is above 3 and total is not empty:\n        log total\n    complete with total total',
  );
  const wrong = text
    .replace('name:', 'nmae:')
    .replace('set total to', 'SET total TO')
    .replace('if total is above 3 and', 'If Totl Is Above 3 And')
    .replace('complete with', 'Complete With');
  const { wf, path: folder } = folderWith(context, { 'a.wf': wrong });
  const { status, stdout, stderr } = wf(['check', 'a.wf', '--fix']);
  assert.equal(readFileSync(path.join(folder, 'a.wf'), 'utf8'), text);
  assert.deepEqual([status, stdout], [0, 'a.wf is valid, no errors found.\n'], stderr);
  assert.match(stderr, /^Fixed a\.wf, line \d+: nmae → name$/m);
});

test('check --fix indents a file that is indented evenly by four spaces, and check says so', (context) => {
  const text = workflow('    if request.a:\n        log "a"\n        log totl');
  const tabs = `\ufeff${text.replaceAll('    ', '\t').replaceAll('\n', '\r\n')}`;
  const { wf, path: folder } = folderWith(context, { 'a.wf': tabs, 'odd.wf': text.replace('        log "a"', '       log "a"') });
  const told = wf(['check', 'a.wf', 'odd.wf']).stderr;
  assert.match(
    told,
    /\n\nThe levels of a\.wf are equally wide, but not 4 spaces\. To change all of them: wf check --fix a\.wf\n$/,
  );
  const { status, stderr } = wf(['check', '--fix', 'a.wf']);
  assert.match(stderr, /^Fixed a\.wf: every line is indented by 4 spaces a level\.\n.*line 10 \(WF/s);
  assert.equal(status, 1);
  assert.equal(readFileSync(path.join(folder, 'a.wf'), 'utf8'), `\ufeff${text.replaceAll('\n', '\r\n')}`);
});

test('check --fix needs a file', (context) => {
  const { wf } = folderWith(context);
  const { status, stderr } = wf(['check', '-', '--fix']);
  assert.equal(status, 2);
  assert.match(stderr, /--fix needs a file to write to/);
});
