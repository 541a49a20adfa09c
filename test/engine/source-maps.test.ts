// Traces show lines of the `.wf` file if Node.js is asked to follow source maps: in code compiled on the fly, and in built modules started
// in any way.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { folderWith, workflow } from '../commands/wf.js';
import { root } from '../root.js';

const body = '    set x to request.a plus 1\n\n    log "x {x}"\n    complete with x x';
/** The line of `log` in the file. */
const LINE = 10;

test('a trace leads to the line of the file', (context) => {
  const folder = folderWith(context, { 'my flow.wf': workflow(body), 'a.wf': workflow(body) });
  assert.equal(folder.wf(['build', 'a.wf', '--out', 'out']).status, 0);
  writeFileSync(
    path.join(folder.path, 'trace.cjs'),
    `const { run } = require(${JSON.stringify(path.join(root, 'dist', 'index.cjs'))});
run(process.argv[2], { a: 1 }, { onLog: () => console.log(new Error('here').stack) }).then(({ outputs }) => console.log(outputs));`,
  );
  for (const [file, place] of [
    ['a.wf', path.join(folder.path, 'a.wf')],
    ['my flow.wf', path.join(folder.path, 'my flow.wf')],
    ['out/a.mjs', path.join(folder.path, 'a.wf')],
  ] as const) {
    const trace = (...options: string[]): string =>
      spawnSync(process.execPath, [...options, 'trace.cjs', file], {
        cwd: folder.path,
        encoding: 'utf8',
        env: { HOME: folder.path },
      }).stdout;
    const mapped = trace('--enable-source-maps');
    assert.ok(decodeURI(mapped).includes(`${place}:${LINE}:`), mapped);
    assert.match(mapped, /\{ x: 2 \}/);
    assert.match(trace(), /\{ x: 2 \}/);
  }
});
