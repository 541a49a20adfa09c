// compose.yaml and the Dockerfile without Docker: what they start works together, with the variables that they set.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { cli, root, testFile } from '../root.js';
import { dropTemplate, testDatabase } from './test-database.js';

after(dropTemplate);

const read = (name: string): string => readFileSync(path.join(root, name), 'utf8');

/** The words of a line in JSON. */
const words = (text: string, line: RegExp): string[] => JSON.parse(line.exec(text)?.[1] ?? 'null') as string[]; // as written in the file

test('compose.yaml: servers start with its command and variables, are healthy by the check of the image, and answer', async (t) => {
  const database = await testDatabase();
  if (database === undefined) return t.skip('There is no PostgreSQL here.');
  const compose = read('compose.yaml');
  const folder = mkdtempSync(path.join(tmpdir(), 'wf-compose-'));
  t.after(async () => {
    await database.drop();
    rmSync(folder, { recursive: true, force: true });
  });
  writeFileSync(path.join(folder, 'hello.wf'), testFile('durable/files/hello.wf'));
  // The package that the image adds is the one that wf works with.
  const { peerDependencies } = JSON.parse(read('package.json')) as { peerDependencies: Record<string, string> };
  const [, name = '', version] = /npm install .* (\S+)@([\d.]+)\n/.exec(compose) ?? [];
  assert.equal(`^${version}`, peerDependencies[name]);
  const values: Record<string, string> = { DATABASE_PASSWORD: 'x', WF_AUTH_TOKEN: 'caller', WF_OPERATOR_TOKEN: 'operator' };
  const [, block = ''] = /environment:\n((?: {6}(?:WF_|#).*\n)+)/.exec(compose) ?? [];
  const env: Record<string, string> = { PATH: process.env.PATH ?? '', HOME: folder, WF_HOST: '127.0.0.1', PORT: '0' };
  for (const [, variable = '', value = ''] of block.matchAll(/^ +(WF_\w+): (.*)$/gm)) {
    env[variable] = value.replace(/\$\{(\w+)[^}]*\}/g, (_, from) => values[from] ?? '');
  }
  assert.equal(env.WF_STORE, 'postgres://wf:x@database:5432/wf');
  assert.equal(env.WF_STORE_KEY, '');
  env.WF_STORE = database.address;
  const command = words(compose, /^ {4}command: (\[.*\])$/m).map((word) => (word === '/workflows' ? folder : word));
  const server = spawn(process.execPath, [cli, ...command], { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'] });
  t.after(() => server.kill('SIGKILL'));
  const port = await new Promise<string>((resolve) => {
    let said = '';
    server.stdout.on('data', (part) => {
      said += String(part);
      const [, found] = /127\.0\.0\.1:(\d+)/.exec(said) ?? [];
      if (found !== undefined) resolve(found);
    });
  });
  const [, script = ''] = words(read('Dockerfile'), /CMD (\["node".*\])/).slice(1);
  assert.equal(spawnSync(process.execPath, ['-e', script], { env: { PORT: port } }).status, 0);
  const answer = await fetch(`http://127.0.0.1:${port}/hello`, {
    method: 'POST',
    headers: { authorization: 'Bearer caller', 'content-type': 'application/json' },
    body: '{}',
  });
  assert.deepEqual([answer.status, await answer.json()], [200, { status: 'completed', outputs: { said: 'hello' } }]);
  const gone = new Promise((resolve) => server.once('exit', resolve));
  server.kill('SIGTERM');
  assert.equal(await gone, 0);
});
