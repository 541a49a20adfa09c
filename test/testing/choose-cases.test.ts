// `wf test --case`: which cases a name selects, and the message if it selects none.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import type { Values } from '../../src/commands/command-spec.js';
import { UsageError } from '../../src/engine/usage-error.js';
import { testFile } from '../root.js';
import { folderWithData, wfTest } from './in-memory-io.js';

const workflow = testFile('testing/files/number.wf');
const caseOf = (name: string, n = 1): object => ({ name, input: { n }, expect: { status: 'completed', outputs: { n: 1 } } });
const files = {
  'a.wf': workflow,
  'a.test.json': [caseOf('one'), caseOf('one more', 2), caseOf('Another')],
  'b.wf': workflow,
  'b.test.json': [caseOf('two')],
  'c.wf': workflow,
};

test('a whole name selects that case alone, a part all that contain it, in any case', async (context) => {
  const folder = folderWithData(context, files);
  assert.deepEqual(await wfTest(folder, ['a.wf'], { case: 'one' }), { exit: 0, out: '✓ one\n\n1 passed\n', err: '' });
  const { exit, out } = await wfTest(folder, ['a.wf'], { case: 'ON' });
  assert.equal(exit, 1);
  assert.match(out, /^✓ one\n✗ one more\n[\s\S]*\n1 passed, 1 failed\n$/);
  assert.match((await wfTest(folder, ['a.wf'], { case: 'ano' })).out, /^✓ Another\n\n1 passed\n$/);
});

test('in a folder, runs only workflows with such cases', async (context) => {
  const folder = folderWithData(context, files);
  assert.equal((await wfTest(folder, ['.'], { case: 'two' })).out, 'b.wf:\n✓ two\n\n1 passed, in 1 workflow\n');
  assert.match(
    (await wfTest(folder, ['.'], { case: 'o' })).out,
    /^a\.wf:\n[\s\S]*\nb\.wf:\n✓ two\n\n3 passed, 1 failed, in 2 workflows\n$/,
  );
});

test('one of several cases can write its log', async (context) => {
  const folder = folderWithData(context, files);
  assert.equal((await wfTest(folder, ['a.wf'], { case: 'Another', outputLog: 'log.json' })).exit, 0);
  assert.ok(existsSync(path.join(folder, 'log.json')));
});

const refused: [string, Values, RegExp, string | undefined][] = [
  ['a.wf', { case: 'onne' }, /^No case in a\.test\.json has "onne" in its name/, 'Did you mean "one"?'],
  ['a.wf', { case: 'x y z' }, /^No case in a\.test\.json/, 'The cases are "one", "one more", "Another".'],
  ['.', { case: 'x y z' }, /^No case has "x y z" in its name/, 'The cases are "one", "one more", "Another", "two".'],
  ['c.wf', { case: 'one' }, /^--case has no cases to choose from: there is no c\.test\.json\.$/, undefined],
  ['a.wf', { case: ' ' }, /^--case needs the name of a case/, undefined],
  ['a.wf', { case: 'one', dryRun: true }, /^--dry-run runs nothing, so --case has no case/, undefined],
];
for (const [target, values, message, hint] of refused) {
  test(`refuses wf test ${target} with ${JSON.stringify(values)}`, async (context) => {
    const folder = folderWithData(context, files);
    await assert.rejects(wfTest(folder, [target], values), (error) => {
      assert.ok(error instanceof UsageError);
      assert.match(error.message, message);
      assert.equal(error.hint, hint);
      return true;
    });
  });
}
