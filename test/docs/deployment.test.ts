// The files of docs/deploy.md and docs/observability.md: well-formed, with paths, options and metrics that the server has.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { parse, parseAllDocuments } from 'yaml';
import { commands } from '../../src/commands/command-table.js';
import { createMetrics, type Metrics } from '../../src/server/metrics.js';
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

test('systemd/wf.service is exposed less than 3, as systemd rates it, and ends where a restart mends nothing', (t) => {
  const settings = new Map(
    read('systemd/wf.service')
      .split('\n')
      .map((line): [string, string] => [line.split('=', 1)[0] ?? '', line.slice(line.indexOf('=') + 1)]),
  );
  checkOptions((settings.get('ExecStart') ?? '').split(' '));
  const ends = ['Restart', 'RestartPreventExitStatus', 'StartLimitIntervalSec'].map((name) => settings.get(name));
  assert.deepEqual(ends, ['always', '2', '0']);
  const file = path.join(root, 'docs', 'systemd', 'wf.service');
  const { status, stdout } = spawnSync('systemd-analyze', ['security', '--offline=true', file], { encoding: 'utf8' });
  if (status === null) return t.skip('systemd is not installed');
  const [, level = '10'] = /Overall exposure level for [^:]*: ([\d.]+)/.exec(stdout) ?? [];
  assert.ok(Number(level) < 3, stdout.slice(-200));
});

// The page docs/observability.md and its files: every metric that they name exists, and promtool and Grafana can read them.

const readFile = (name: string): string => readFileSync(path.join(root, name), 'utf8');

const hasPromtool = spawnSync('promtool', ['--version']).status === 0;
/** Where it is missing, CI fails: it installs it. */
const skip = hasPromtool || process.env.CI !== undefined ? false : 'promtool is not installed';

function promtool(words: readonly string[], input?: string): void {
  const { status, stdout, stderr } = spawnSync('promtool', [...words], { encoding: 'utf8', input });
  assert.equal(status, 0, stdout + stderr);
  assert.equal(stderr, '');
}

/** Metrics in which everything has happened once. */
async function everything(): Promise<Metrics> {
  const metrics = await createMetrics(false);
  metrics.started('order')('error', 7);
  metrics.called({ time: '', type: 'call', service: 'Bank', status: 503, durationMs: 5 });
  metrics.retried({ time: '', type: 'retry', service: 'Bank' });
  metrics.committed(2);
  metrics.refused('rate');
  metrics.inLine('order', 1);
  metrics.planned('order');
  metrics.watchStore({
    health: () => ({ ok: true }),
    gauges: async () => ({
      runs: [{ workflow: 'order', status: 'waiting', count: 2, oldest: 0 }],
      tasks: [{ workflow: 'order', open: 2, overdue: 1, oldest: 0 }],
      leaseAgeMs: 500,
    }),
  });
  return metrics;
}

/** Names of our metrics, as they are declared. */
const declared = (text: string): string[] => [...text.matchAll(/^# TYPE (wf_\w+)/gm)].map(([, name = '']) => name).sort();

/** Names as queries use them: parts of histograms belong to these. */
const used = (text: string): Set<string> =>
  new Set([...text.matchAll(/\bwf_[a-z_]+/g)].map(([name]) => name.replace(/_bucket$/, '')));

test('promtool finds nothing wrong with the metrics', { skip }, async () => {
  promtool(['check', 'metrics'], (await (await everything()).render()).text);
});

test('the page lists every metric, with its labels', async () => {
  const { text } = await (await everything()).render();
  const rows = [...readFile('docs/observability.md').matchAll(/^\| `(wf_\w+)` \| ([^|]*)\|/gm)].map(
    ([, name = '', labels = '']) => ({
      name,
      labels: [...labels.replace(/\([^)]*\)/g, '').matchAll(/`(\w+)`/g)].map(([, label]) => label).sort(),
    }),
  );
  assert.deepEqual(rows.map(({ name }) => name).sort(), declared(text));
  for (const { name, labels } of rows) {
    const sample = new RegExp(`^${name}(?:_count)?(?:\\{(.*)\\})? `, 'm').exec(text);
    assert.ok(sample, name);
    assert.deepEqual([...(sample[1] ?? '').matchAll(/(\w+)="/g)].map(([, label]) => label).sort(), labels, name);
  }
});

test('alert rules are valid, and about metrics that exist', { skip }, async () => {
  promtool(['check', 'rules', path.join(root, 'docs/monitoring/alerts.yml')]);
});

test('alert rules and the dashboard are about metrics that exist', async () => {
  const names = declared((await (await everything()).render()).text);
  const rules = parse(readFile('docs/monitoring/alerts.yml')).groups.flatMap(
    (group: { rules: { expr: string }[] }) => group.rules,
  );
  const dashboard = JSON.parse(readFile('docs/monitoring/dashboard.json'));
  const targets = dashboard.panels.flatMap((panel: { targets: { expr: string }[] }) => panel.targets);
  assert.ok(rules.length > 5 && targets.length > 10);
  const queries = [...rules, ...targets].map(({ expr }: { expr: string }) => expr);
  const asked = used(queries.join('\n'));
  for (const name of asked) assert.ok(names.includes(name), `${name} is no metric`);
  for (const name of names.filter((one) => one !== 'wf_tasks_oldest_open_seconds'))
    assert.ok(asked.has(name), `nothing shows ${name}`);
});

test('the dashboard is one that Grafana imports: its panels fit into the grid and have queries for its data source', () => {
  const { panels, schemaVersion, templating, title } = JSON.parse(readFile('docs/monitoring/dashboard.json'));
  assert.ok(title && schemaVersion >= 36);
  assert.deepEqual(
    templating.list.map(({ name }: { name: string }) => name),
    ['datasource', 'workflow'],
  );
  assert.equal(new Set(panels.map(({ id }: { id: number }) => id)).size, panels.length);
  for (const { type, gridPos, datasource, targets } of panels) {
    assert.ok(['stat', 'timeseries'].includes(type) && gridPos.x + gridPos.w <= 24);
    assert.equal(datasource.uid, `\${datasource}`);
    for (const { expr, refId } of targets) assert.ok(expr && refId);
  }
});
