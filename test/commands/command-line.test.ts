// The command line: every kind of wrong usage prints one clear line and exits with 2, and values arrive exactly as written.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { commands } from '../../src/commands/command-table.js';
import { parseArguments } from '../../src/commands/dispatch.js';
import { helpText } from '../../src/commands/help-text.js';
import { createProgram } from '../../src/commands/program.js';
import { UsageError } from '../../src/engine/usage-error.js';
import { cli, root } from '../root.js';
import { folderWith, workflow } from './wf.js';

const files = { 'echo.wf': workflow('    complete with request request'), 'c.txt': 'x' };

/** Wrong words. */
const unreadable: readonly (readonly [words: string, says: RegExp])[] = [
  ['', /needs a command/],
  ['chekc echo.wf', /no command "chekc".*"check"/],
  ['--halp', /no option "--halp".*"--help"/],
  ['hepl', /no command "hepl".*"help"/],
  ['version', /no command "version".*"--version"/],
  ['help rnu', /no command "rnu".*"run"/],
  ['--help rnu', /no command "rnu".*"run"/],
  ['--version run', /--version takes no arguments, but got "run"/],
  ['run', /wf run needs a file/],
  ['run echo.wf other.wf', /takes one file, but got "other.wf"/],
  ['run echo.wf --vebrose', /no option "--vebrose".*"--verbose"/],
  ['run echo.wf --input', /--input needs a value/],
  ['run echo.wf --input --json', /--input needs a value/],
  ['run echo.wf --json=yes', /--json takes no value/],
  ['run echo.wf --no-json', /no option "--no-json"/],
  ['run echo.wf -json', /no option "-json".*"--json"/],
  ['run echo.wf --json.x', /no option "--json.x".*"--json"/],
  ['check --constructor echo.wf', /no option "--constructor"/],
  ['check --__proto__=1 echo.wf', /no option "--__proto__"/],
  ['check echo.wf --format --strict', /--format needs a value[\s\S]*--format=--strict/],
  ['run echo.wf --json --json', /--json is given more than once/],
  ['check', /wf check needs a file or folder/],
  ['echo.wf', /no command "echo.wf"[\s\S]*wf run echo.wf/],
  [
    'runs prune --older-than 30d --workflow refund',
    /wf runs prune has no option "--workflow". Nothing was done.[\s\S]*option of list/,
  ],
  ['runs resume --status stuck', /wf runs resume has no option "--status"/],
  ['runs --rate 5/second', /wf runs list has no option "--rate"/],
  ['tasks answer 1 yes --for ada', /wf tasks answer has no option "--for"/],
  ['--verbose run echo.wf', /--verbose must come after a command/],
];

/** Valid words for something that is missing or doesn't fit. */
const unfit: readonly (readonly [words: string, says: RegExp])[] = [
  ['run nope.wf', /nope.wf can't be read: it does not exist\.\n/],
  ['run eco.wf', /eco.wf can't be read: it does not exist. Did you mean "echo.wf"\?/],
  ['run echo', /Did you mean "echo.wf"\?/],
  ['check ./Echo.wf', /Did you mean "echo.wf"\?/],
  ['test eco.wf', /Did you mean "echo.wf"\?/],
  ['check links', /links\/gone.wf can't be read: it does not exist/],
  ['run c.txt', /c.txt is not a workflow/],
  ['run .', /folder/],
  ['check .hidden', /\.hidden can't be read/],
  ['check echo.wf --format xml', /--format must be one of/],
  ['build echo.wf --target browser', /--target/],
  ['build echo.wf --out echo.mjs', /--out is the folder .* "echo\.mjs" looks like the name of a file/],
  ['completion tcsh', /bash, zsh and fish/],
  ['token the-shop --expires 2020-01-01', /--expires must be in the future, not 2020-01-01/],
];

test('wrong usage prints one clear line, exits with 2, and shows no stack', (context) => {
  const { wf, path: folder } = folderWith(context, { ...files, 'links/a.wf': files['echo.wf'] });
  symlinkSync('nowhere', path.join(folder, 'links', 'gone.wf'));
  for (const [words, says] of [...unreadable.slice(0, 2), ...unfit]) {
    const { status, stdout, stderr } = wf(words === '' ? [] : words.split(' '));
    assert.equal(status, 2, `${words}: ${stderr}`);
    assert.match(stderr, says);
    assert.match(stderr, /^wf: [^\n]+\n(\n {4}Hint: [^\n]+\n)?$/, words);
    assert.doesNotMatch(stderr, / {4}at /);
    assert.equal(stdout, '');
  }
});

for (const [words, says] of unreadable) {
  test(`wf ${words} is wrong`, () => {
    assert.throws(
      () => parseArguments(words === '' ? [] : words.split(' ')),
      (error) => {
        assert.ok(error instanceof UsageError, String(error));
        const shown = `${error.message}\n${error.hint ?? ''}`;
        assert.match(shown, says);
        assert.match(shown, /^[^\n]+\n[^\n]*$/);
        return true;
      },
    );
  });
}

test('passes values as written, even if they look like numbers or options', (context) => {
  const { wf } = folderWith(context, files);
  for (const words of [['--input={"a":"007"}'], ['--input', '{"a":"007"}']]) {
    const { stdout, status } = wf(['run', 'echo.wf', '--json', ...words]);
    assert.equal(status, 0);
    assert.equal(stdout, '{"status":"completed","outputs":{"request":{"a":"007"}}}\n');
  }
  assert.match(wf(['check', 'echo.wf', '--format', '007']).stderr, /not "007"/);
  assert.match(wf(['check', 'echo.wf', '--format=-x']).stderr, /not "-x"/);
  assert.match(wf(['check', 'echo.wf', '--format', '-5']).stderr, /not "-5"/);
  assert.match(wf(['check', 'echo.wf', '--format', '- x']).stderr, /not "- x"/);
  assert.match(wf(['check', '--strict', 'true']).stderr, /^wf: true can't be read/);
  assert.match(wf(['check', '--', '--strange.wf']).stderr, /--strange.wf can't be read/);
});

test('gives arguments as typed, with and without an option', () => {
  const words = ['a.wf', '007', '1e3', 'true', 'a=b', 'with spaces', '', 'x.y', 'café.wf', '-', '-5', '- note', 'last'];
  const parsed = (...given: string[]): unknown => {
    const { kind, ...rest } = parseArguments(['check', ...given]);
    return kind === 'command' && 'targets' in rest ? [rest.targets, rest.values] : kind;
  };
  assert.deepEqual(parsed(...words), [words, {}]);
  assert.deepEqual(parsed('--strict', ...words), [words, { strict: true }]);
  assert.deepEqual(parsed(...words, '--format', '1e3', '--', '--strict'), [[...words, '--strict'], { format: '1e3' }]);
  assert.deepEqual(parsed('--format=', 'a.wf'), [['a.wf'], { format: '' }]);
});

test('--again takes the line of a call, which may be left out', () => {
  const read = (words: string): unknown => {
    const parsed = parseArguments(words.split(' '));
    return parsed.kind === 'command' ? [parsed.targets, parsed.values] : parsed.kind;
  };
  assert.deepEqual(read('runs rerun 0199 --again 14'), [['rerun', '0199'], { again: '14' }]);
  assert.deepEqual(read('runs rerun --again 0a99-7'), [['rerun', '0a99-7'], { again: true }]);
  assert.deepEqual(read('runs rerun 0199 --again 14,20 --done 5 7'), [['rerun', '0199', '7'], { again: '14,20', done: '5' }]);
});

test('every command has help with an example', (context) => {
  const { wf } = folderWith(context);
  const general = wf(['--help']);
  assert.equal(general.status, 0);
  const names = [...general.stdout.matchAll(/^ {2}([a-z]+) +[<[A-Z]/gm)].map(([, name]) => name ?? '');
  assert.deepEqual(
    names,
    commands.map(({ name }) => name),
  );
  const program = createProgram();
  for (const { name } of commands) {
    const text = helpText(program, program.commandCalled(name));
    assert.match(text, new RegExp(`^wf ${name}: .+\\n\\nUsage: wf ${name} [\\s\\S]*Example:\\n {2}wf ${name} `));
    for (const words of [
      ['help', name],
      ['--help', name],
      [name, '--help'],
      [name, '-h'],
    ]) {
      const parsed = parseArguments(words);
      assert.equal(parsed.kind === 'help' && parsed.command?.name, name, words.join(' '));
    }
  }
  assert.equal(wf(['run', '--help']).stdout, wf(['help', 'run']).stdout);
});

test('prints the version of the package, also without any command', (context) => {
  const { wf } = folderWith(context);
  assert.match(wf(['--version']).stdout, /^\d+\.\d+\.\d+\n$/);
});

test('prints no stack if the reader leaves or the disk is full', { skip: !existsSync('/dev/full') }, (context) => {
  const { path: cwd } = folderWith(context, files);
  for (const words of ['--version', '--help', 'run echo.wf', 'check echo.wf']) {
    const bash = (script: string): { status: number | null; stderr: string } =>
      spawnSync('bash', ['-c', script], { cwd, encoding: 'utf8' });
    const full = bash(`"${process.execPath}" "${cli}" ${words} > /dev/full`);
    assert.equal(full.status, 1, words);
    assert.match(full.stderr, /^wf: the output of this command could not be written: the disk is full\.\n$/);
    const gone = bash(`exec 3> >(exec true); wait $!; "${process.execPath}" "${cli}" ${words} >&3`);
    assert.deepEqual([gone.status, gone.stderr], [0, ''], words);
  }
});

test('reads .env, prefers the shell, and reports a folder called .env', (context) => {
  const body = workflow('    complete with a env.A and b env.B');
  const { wf } = folderWith(context, { 'e.wf': body, '.env': 'A=file\nB="also file"\n' });
  assert.match(wf(['run', 'e.wf', '--json'], { A: 'shell' }).stdout, /"a":"shell","b":"also file"/);
  const broken = folderWith(context, { 'e.wf': body, '.env/x': '' }).wf(['run', 'e.wf']);
  assert.equal(broken.status, 2);
  assert.match(broken.stderr, /\.env/);
});

test('prints only the response with --json, and only the outcome with --quiet', (context) => {
  const { wf } = folderWith(context, { 'l.wf': workflow('    log "a line"\n    complete with a 1\n    log "never"') });
  const json = wf(['run', 'l.wf', '--json']);
  assert.equal(json.stdout, '{"status":"completed","outputs":{"a":1}}\n');
  assert.match(json.stderr, /WF104[\s\S]*a line/);
  const quiet = wf(['run', 'l.wf', '--quiet']);
  assert.equal(quiet.stdout, 'Workflow completed.\na: 1\n');
  assert.equal(quiet.stderr, '');
});

test('a deleted current folder prints one clear line, and matters only for files', (context) => {
  const { path: folder } = folderWith(context, { 'gone/x': '' });
  const inGone = (words: string): { status: number | null; stderr: string } =>
    spawnSync(
      'bash',
      ['-c', `mkdir -p gone; cd gone; rm -r ../gone; "${process.execPath}" "${cli}" ${words}; code=$?; exit $code`],
      {
        cwd: folder,
        encoding: 'utf8',
      },
    );
  for (const words of ['--version', 'run --help']) assert.equal(inGone(words).status, 0, words);
  const run = inGone('run a.wf');
  assert.equal(run.status, 2);
  assert.match(run.stderr, /^wf: The current folder no longer exists\.\n/);
});

// `wf check` with several targets.

const valid = readFileSync(path.join(root, 'test/commands/files/valid.wf'), 'utf8');

test('checks a file once, even if it is named twice or its folder is also named', (context) => {
  const { wf } = folderWith(context, { 'a.wf': valid, 'b/c.wf': valid });
  assert.equal(
    wf(['check', 'a.wf', '.', './a.wf', 'b', '-']).stdout.replace(/^standard input.*\n/m, ''),
    'a.wf is valid, no errors found.\nb/c.wf is valid, no errors found.\n',
  );
});

test('ignores files that editors create next to a workflow', (context) => {
  const { wf, path: folder } = folderWith(context, { 'a.wf': valid, '.a.wf': 'unfinished' });
  symlinkSync('somebody@somewhere.1', `${folder}/.#a.wf`);
  assert.deepEqual(wf(['check', '.']), { status: 0, stdout: 'a.wf is valid, no errors found.\n', stderr: '' });
});

test('an error in a built workflow names the file whose line it shows', (context) => {
  const { wf } = folderWith(context, { 'a.wf': valid.replace('complete', 'log request.a times 2') });
  assert.equal(wf(['build', 'a.wf', '--out', 'out']).status, 0);
  assert.match(wf(['run', 'out/a.mjs']).stderr, /^Error in a\.wf, line 7 \(WF601\):\n\n {4}log request\.a times 2\n/);
});

test('every format shows the first errors, and says how many more there are', (context) => {
  const { wf } = folderWith(context, {
    'a.wf': `${valid}${Array.from({ length: 150 }, (_, index) => `    log unset${index}x\n`).join('')}`,
  });
  for (const format of ['json', 'github', 'sarif']) {
    const { stdout, status } = wf(['check', 'a.wf', '--format', format]);
    assert.equal(status, 1);
    assert.match(stdout, /50 more errors[^"]* not shown\./);
    assert.equal(stdout.match(/unset99x/g) === null, false);
    assert.doesNotMatch(stdout, /unset101x/);
  }
});

test('no command shows a warning that the ways through a file refute', (context) => {
  const { wf } = folderWith(context, {
    'mail.wf': `config:
    name: "Mail"
    version: 1

services:
    Reader is a person

tables:
    Target:
        | urgency is | hours |
        | "urgent"   | 1     |
        | "normal"   | 24    |

workflow:
    trigger: when a mail arrives

    ask Reader to sort this mail: {request.text}
        choose from "urgent", "normal", "spam"
        save the result as urgency
    if urgency is "spam":
        set urgency to "normal"
    look up hours in Target with urgency urgency
    if hours is above 20:
        log "slow"
    otherwise if hours is above 23:
        log "slower"
    complete with hours hours
`,
  });
  const codes = (...words: string[]): string[] => {
    const { stdout, stderr } = wf(words);
    return [...`${stdout}${stderr}`.matchAll(/line (\d+) \((WF\d+)\)/g)].map(([, line, code]) => `${line} ${code}`);
  };
  // WF141, values that no row fits, would be wrong: no run gets to the look-up with "spam".
  const all = ['25 WF150'];
  assert.deepEqual(codes('check', 'mail.wf'), all);
  // A run starts without the warnings about ways.
  assert.deepEqual(codes('run', 'mail.wf', '--mock'), []);
  // Now from the cache.
  assert.deepEqual(codes('run', 'mail.wf', '--mock'), []);
  assert.deepEqual(codes('test', 'mail.wf'), []);
  assert.deepEqual(codes('test', 'mail.wf', '--generate').length, 0);
  assert.deepEqual(codes('test', 'mail.wf'), all);
  assert.deepEqual(codes('build', 'mail.wf'), all);
});
