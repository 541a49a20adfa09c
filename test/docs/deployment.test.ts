// The files that docs/deploy.md gives to Kubernetes and systemd: well-formed, with paths and options that the server has.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { parseAllDocuments } from 'yaml';
import { commands } from '../../src/commands/command-table.js';
import { LIVE, READY } from '../../src/server/workflows/route-table.js';
import { root } from '../root.js';

const read = (name: string): string => readFileSync(path.join(root, 'docs', name), 'utf8');

const serveFlags = new Set(commands.find(({ name }) => name === 'serve')?.options.map(({ flag }) => flag.split(' ')[0]));

function checkOptions(words: readonly string[]): void {
  const options = words.filter((word) => word.startsWith('--'));
  assert.ok(options.length > 0);
  for (const option of options) assert.ok(serveFlags.has(option), option);
}

interface Container {
  readonly args: string[];
  readonly livenessProbe: { readonly httpGet: { readonly path: string } };
  readonly readinessProbe: { readonly httpGet: { readonly path: string } };
  readonly securityContext: { readonly readOnlyRootFilesystem: boolean };
  readonly env: readonly { readonly name: string; readonly value?: string }[];
}

interface Manifest {
  readonly kind: string;
  readonly spec: { readonly template: { readonly spec: { readonly containers: readonly Container[] } } };
}

for (const [file, kind] of [
  ['kubernetes/folder-store.yaml', 'StatefulSet'],
  ['kubernetes/postgres-store.yaml', 'Deployment'],
] as const)
  test(`${file} asks the paths and sets the options of the server, and holds no secret`, () => {
    const documents = parseAllDocuments(read(file));
    for (const { errors } of documents) assert.deepEqual(errors, []);
    const manifests = documents.map((document) => document.toJS() as Manifest); // its fields are asserted below
    const container = manifests.find((manifest) => manifest.kind === kind)?.spec.template.spec.containers[0];
    assert.ok(container);
    checkOptions(container.args);
    assert.equal(container.livenessProbe.httpGet.path, LIVE);
    assert.equal(container.readinessProbe.httpGet.path, READY);
    assert.equal(container.securityContext.readOnlyRootFilesystem, true);
    for (const { name, value } of container.env) assert.equal(value, undefined, `${name} is in the file`);
  });

test('systemd/wf.service is exposed less than 3, as systemd rates it', (t) => {
  checkOptions((/^ExecStart=(.*)$/m.exec(read('systemd/wf.service'))?.[1] ?? '').split(' '));
  const file = path.join(root, 'docs', 'systemd', 'wf.service');
  const { status, stdout } = spawnSync('systemd-analyze', ['security', '--offline=true', file], { encoding: 'utf8' });
  if (status === null) return t.skip('systemd is not installed');
  const [, level = '10'] = /Overall exposure level for [^:]*: ([\d.]+)/.exec(stdout) ?? [];
  assert.ok(Number(level) < 3, stdout.slice(-200));
});
