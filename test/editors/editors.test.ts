// Real editors with the settings of docs/editors.md: a mistake is shown and corrected, a word completed, a name changed, and the file formatted.
// Slow, because it starts Neovim and Emacs: WF_TEST_SLOW=1 runs it.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { readPage } from '../docs/page.js';
import { cli, root, skipUnlessSlow } from '../root.js';
import { temporaryFolder } from '../temporary-folder.js';

const BEFORE = `config:
    name: "Case"
    version: 1

workflow:
    trigger: t

    set total to request.a
    if   total is above 3:
        compleet
    complete with total total
`;

const AFTER = `config:
    name: "Case"
    version: 1

workflow:
    trigger: t

    set amount to request.a
    if amount is above 3:
        complete
    complete with total amount
`;

/** Calls a workflow that is not there yet. */
const CALLER = BEFORE.replace('workflow:', 'services:\n    Part is a workflow at "part.wf"\n\nworkflow:').replace(
  / {4}set.*/s,
  '    run it using Part\n    complete\n',
);

/** The settings of an editor, as the page has them. */
function settings(language: string, containing: string): string {
  const found = readPage('docs/editors.md').blocks.find(
    (block) => block.language === language && block.text.includes(containing),
  );
  assert.ok(found, `docs/editors.md has no block of ${language} with ${containing}`);
  return found.text;
}

interface Edited {
  readonly text: string;
  readonly output: string;
}

/** Starts an editor in a folder with the file and `wf` on the path, and waits for its end. */
function edit(context: TestContext, program: string, words: readonly string[], files: Readonly<Record<string, string>>): Edited {
  const wf = `#!/bin/sh\nexec ${JSON.stringify(process.execPath)} ${JSON.stringify(cli)} "$@"\n`;
  const folder = temporaryFolder(context, { 'case.wf': BEFORE, 'caller.wf': CALLER, 'part.txt': AFTER, 'bin/wf': wf, ...files });
  spawnSync('chmod', ['+x', path.join(folder, 'bin/wf')]);
  const env = {
    PATH: `${path.join(folder, 'bin')}:${process.env.PATH ?? ''}`,
    HOME: folder,
    LC_ALL: 'C.UTF-8',
    TERM: 'dumb',
    XDG_CONFIG_HOME: folder,
    XDG_DATA_HOME: folder,
    XDG_STATE_HOME: folder,
    XDG_CACHE_HOME: path.join(folder, '.cache'),
  };
  const ended = spawnSync(program, words, { cwd: folder, env, encoding: 'utf8', timeout: 120_000 });
  assert.equal(ended.error, undefined, `${program} could not be started. Debian: apt-get install neovim emacs-nox elpa-eglot`);
  const output = ended.stdout + ended.stderr;
  assert.equal(ended.status, 0, output);
  return { text: readFileSync(path.join(folder, 'case.wf'), 'utf8'), output };
}

const script = (name: string): string => readFileSync(path.join(root, 'test/editors', name), 'utf8');

/** What each script prints on the way. */
function check({ text, output }: Edited): void {
  assert.match(output, /problem: .*"compleet"/);
  assert.match(output, /fix: Write "complete"/);
  assert.match(output, /proposals: .*\btotal\b/);
  assert.match(output, /problems left: 0/);
  assert.match(output, /called: .*part\.wf/);
  assert.match(output, /called workflow is seen/);
  assert.equal(text, AFTER);
}

test('Neovim shows, corrects, completes, renames and formats', { skip: skipUnlessSlow }, (context) => {
  const files = { 'init.lua': settings('lua', 'start_client'), 'drive.lua': script('drive-neovim.lua') };
  const words = ['--headless', '-u', 'init.lua', '-i', 'NONE', '-n', 'case.wf', '-c', 'luafile drive.lua'];
  check(edit(context, 'nvim', words, files));
});

test('Emacs shows, corrects, completes, renames and formats', { skip: skipUnlessSlow }, (context) => {
  const files = { 'init.el': settings('lisp', 'eglot'), 'drive.el': script('drive-emacs.el') };
  check(edit(context, 'emacs', ['--batch', '--load', 'init.el', '--load', 'drive.el'], files));
});
