// The container, as far as it can be tested without one: reads the file, and runs the npm commands of its first stage in a temporary
// folder, on the files that would reach the builder. The second test is slow: WF_TEST_SLOW=1 runs it.
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { root, skipUnlessSlow } from '../root.js';
import { temporaryFolder } from '../temporary-folder.js';

const instructions = readFileSync(path.join(root, 'Dockerfile'), 'utf8')
  .replace(/^#.*\n/gm, '')
  .replace(/\\\n\s*/g, '')
  .split('\n')
  .filter((line) => line.trim() !== '');
const secondStage = instructions.findLastIndex((line) => line.startsWith('FROM '));
const build = instructions.slice(0, secondStage);
const final = instructions.slice(secondStage);
const only = (stage: readonly string[], name: string): string => {
  const found = stage.filter((line) => line.startsWith(`${name} `));
  assert.equal(found.length, 1, `${name}: ${found.join(' | ')}`);
  return found[0]?.slice(name.length + 1) ?? '';
};

test('has two stages, a slim second one, a non-root user, and the right command', () => {
  assert.equal(instructions.filter((line) => line.startsWith('FROM ')).length, 2);
  assert.match(only(build, 'FROM'), /^node:\d+(?:-slim)? AS build$/);
  assert.match(only(final, 'FROM'), /^node:\d+-slim$/);
  // By number: Kubernetes can't tell whether a name is root.
  assert.equal(only(final, 'USER'), '1000');
  assert.ok(final.some((line) => line.startsWith('RUN ') && line.includes('install -d -o 1000 -g 1000 -m 0700 /data')));
  assert.deepEqual(JSON.parse(only(final, 'ENTRYPOINT')), ['wf']);
  assert.deepEqual(JSON.parse(only(final, 'CMD')), ['serve', '/workflows']);
  const copied = final.filter((line) => line.startsWith('COPY ')).map((line) => line.split(' ').slice(1, 3).join(' '));
  assert.deepEqual(copied, ['--from=build /app/package.json', '--from=build /app/node_modules', '--from=build /app/dist']);
  // The entry point is on the path and is the program itself: no shell or npm comes between it and a signal.
  const manifest = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  assert.ok(final.some((line) => line.startsWith(`RUN ln -s /app/${manifest.bin.wf} /usr/local/bin/wf`)));
  assert.deepEqual(Object.keys(manifest.dependencies), ['esbuild', 'xlsx']);
});

test('the health check requests /health/live on PORT, and fails if no one answers', () => {
  const check = /CMD (\[.*\])$/.exec(only(final, 'HEALTHCHECK'))?.[1] ?? '';
  const [node, ...args] = JSON.parse(check) as string[];
  assert.equal(node, 'node');
  assert.match(args.join(' '), /127\.0\.0\.1:\$\{process\.env\.PORT\}\/health\/live/);
  assert.match(only(final, 'ENV'), /\bPORT=3000\b/);
  assert.equal(spawnSync(process.execPath, args, { env: { PORT: '1' } }).status, 1);
});

/** The files that `.dockerignore` lets through, which it lists one by one. */
function builderContext(): string[] {
  const lines = readFileSync(path.join(root, '.dockerignore'), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  assert.equal(lines[0], '*');
  return lines.slice(1).map((line) => {
    assert.match(line, /^![\w.-]+$/);
    return line.slice(1);
  });
}

test('the npm commands of the first stage leave a working program', {
  skip: skipUnlessSlow,
  timeout: 120_000,
}, (t) => {
  const app = temporaryFolder(t);
  for (const name of builderContext()) cpSync(path.join(root, name), path.join(app, name), { recursive: true });
  const env = { ...process.env, npm_config_prefer_offline: 'true', npm_config_update_notifier: 'false' };
  const commands = build.filter((line) => line.startsWith('RUN ')).map((line) => line.slice(4));
  assert.deepEqual(
    commands.map((line) => line.split(' ').slice(0, 2).join(' ')),
    ['npm ci', 'npm run', 'npm prune'],
  );
  for (const command of commands) {
    const [program = '', ...args] = command.split(' ');
    const { status, stdout, stderr } = spawnSync(program, args, { cwd: app, env, encoding: 'utf8' });
    if (command.startsWith('npm ci') && status !== 0 && /ENOTFOUND|ECONNREFUSED|ETIMEDOUT|EAI_AGAIN|ENOTCACHED/.test(stderr)) {
      t.skip('the packages are neither in the cache of npm nor to be had from the network');
      return;
    }
    assert.equal(status, 0, `${command}: ${stdout}${stderr}`);
  }
  const modules = path.join(app, 'node_modules');
  // Pruning leaves empty scope folders.
  const installed = readdirSync(modules).filter(
    (name) => !name.startsWith('.') && !(name.startsWith('@') && readdirSync(path.join(modules, name)).length === 0),
  );
  // The reader of SQLite files needs the last two of these to find its binary.
  assert.deepEqual(installed.sort(), ['@esbuild', '@photostructure', 'esbuild', 'node-addon-api', 'node-gyp-build', 'xlsx']);
  symlinkSync(path.join(app, 'dist/wf.cjs'), path.join(app, 'wf'));
  const { version } = JSON.parse(readFileSync(path.join(app, 'package.json'), 'utf8'));
  assert.equal(execFileSync(path.join(app, 'wf'), ['--version'], { encoding: 'utf8' }).trim(), version);
  assert.ok(existsSync(path.join(app, 'dist/chunks')));
});
