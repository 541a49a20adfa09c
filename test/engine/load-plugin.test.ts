// Plugins that change while a server watches them: the next call uses the new version; a broken one leaves the last valid version in place.
import assert from 'node:assert/strict';
import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { changingPlugins } from '../../src/engine/prepare/load-plugin.js';
import { temporaryFolder } from '../temporary-folder.js';

const versions: Readonly<Record<string, (answer: number) => string>> = {
  'p.mjs': (answer) => `export const call = () => ${answer};`,
  'p.cjs': (answer) => `exports.call = () => ${answer};`,
};

for (const [name, text] of Object.entries(versions)) {
  test(`${name}: the next call uses the new version`, async (context) => {
    const root = temporaryFolder(context);
    mkdirSync(path.join(root, 'plugins'));
    const told: string[] = [];
    const plugins = changingPlugins(root, (sentence) => told.push(sentence));
    let time = 1_800_000_000;
    const write = (content: string): void => {
      const file = path.join(root, 'plugins', name);
      writeFileSync(file, content);
      utimesSync(file, ++time, time);
    };
    const answer = async (): Promise<unknown> => {
      // As the module of a plugin: a namespace with `call`.
      const module = (await plugins(root)(`./plugins/${name}`)) as { readonly call: () => unknown };
      return module.call();
    };

    await assert.rejects(answer());
    write('syntax error (');
    await assert.rejects(answer());
    write(text(1));
    assert.equal(await answer(), 1);
    told.length = 0;
    assert.equal(await answer(), 1);
    write(text(2));
    assert.deepEqual(await Promise.all([answer(), answer()]), [2, 2]);
    assert.deepEqual(told.splice(0), [`plugins/${name} changed; now using its new version.`]);
    write('syntax error (');
    assert.deepEqual([await answer(), await answer()], [2, 2]);
    assert.match(
      told.splice(0).join('\n'),
      /^plugins\/p\.[cm]js changed, but can't be loaded \(.+\); still using its last valid version\.$/,
    );
    write(text(3));
    assert.equal(await answer(), 3);
    assert.equal(told.length, 1);
  });
}
