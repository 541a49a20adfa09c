// `wf run --store`, `wf runs` and `wf tasks` over one store: exit codes, what they print, and their JSON. A wrong use is a UsageError, which
// the command line turns into exit code 2.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type TestContext, test } from 'node:test';
import { DAY_MS } from '../../runtime/dates/date-unit.js';
import type { Values } from '../../src/commands/command-spec.js';
import { storeOption } from '../../src/commands/interruption.js';
import { runCommand } from '../../src/commands/run.js';
import { runsCommand } from '../../src/commands/runs/runs.js';
import { tasksCommand } from '../../src/commands/runs/tasks.js';
import type { RunSummary, TaskView } from '../../src/durable/model/run-views.js';
import { openStore } from '../../src/durable/open-store.js';
import type { Io } from '../../src/engine/io.js';
import { readKeep } from '../../src/engine/shared-options.js';
import { UsageError } from '../../src/engine/usage-error.js';
import { root } from '../root.js';
import { endWithTest, temporaryFolder } from '../temporary-folder.js';
import { inMemoryIo, type Ran } from '../testing/in-memory-io.js';
import { until } from '../until.js';
import { fakeClock } from './fake-clock.js';

const files = path.join(root, 'test/durable/files/commands');

interface Shell {
  readonly cwd: string;
  readonly run: (file: string, values?: Values) => Promise<Ran>;
  readonly runs: (words: string, values?: Values) => Promise<Ran>;
  readonly tasks: (words: readonly string[], values?: Values) => Promise<Ran>;
}

function shell(context: TestContext, env: Record<string, string> = {}): Shell {
  const cwd = temporaryFolder(context);
  cpSync(files, cwd, { recursive: true });
  mkdirSync(path.join(cwd, 'runs'));
  const inShell = async (command: (io: Io) => Promise<number>): Promise<Ran> => {
    const io = inMemoryIo(cwd, { WF_CACHE: 'off', HOME: cwd, WF_STORE: 'runs', ...env });
    return { exit: await command(io), ...io.written };
  };
  return {
    cwd,
    run: (file, values = {}) => inShell((io) => runCommand(file, values, io)),
    runs: (words, values = {}) => inShell((io) => runsCommand(words.split(' ').filter(Boolean), values, io)),
    tasks: (words, values = {}) => inShell((io) => tasksCommand(words, values, io)),
  };
}

const idOf = ({ err, out }: Ran): string => /[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f-]{21}/.exec(`${err}${out}`)?.[0] ?? '';
const listed = ({ out }: Ran): RunSummary[] => (JSON.parse(out) as { readonly runs: RunSummary[] }).runs; // the form of --json
const usage = (message: RegExp): { name: string; message: RegExp } => ({ name: 'UsageError', message });

test('wf run with a store: the id first, the outcome, and the exit code of each', async (t) => {
  const { run, runs } = shell(t);
  const done = await run('done.wf', { input: '{"n": 7}' });
  assert.deepEqual([done.exit, done.out], [0, 'at work\nWorkflow completed.\nn: 7\n']);
  assert.match(done.err, /^Run [0-9a-f-]{36}\n$/);
  assert.deepEqual([(await run('no.wf')).exit, (await run('bad.wf', { input: '{"zero": 0}' })).exit], [3, 1]);
  const waiting = await run('wait.wf');
  assert.equal(waiting.exit, 4);
  assert.equal(waiting.out, `The run is waiting for a message called go. Go on with: wf runs resume ${idOf(waiting)}\n`);
  const json = await run('wait.wf', { json: true });
  assert.deepEqual([json.exit, JSON.parse(json.out).status, JSON.parse(json.out).run], [4, 'waiting', idOf(json)]);
  const stuck = await run('stuck.wf');
  assert.deepEqual([stuck.exit, /gone\.mjs/.test(stuck.err)], [1, true]);
  const all = listed(await runs('', { json: true }));
  assert.deepEqual(
    all.map(({ workflow: name, status }) => `${name} ${status}`),
    ['stuck stuck', 'wait waiting', 'wait waiting', 'bad error', 'no rejected', 'done completed'],
  );
});

test('runs list --search finds a value that looks like an id, and says why an encrypted store finds nothing', async (t) => {
  const { run, runs } = shell(t);
  const done = await run('done.wf', { input: '{"n": 4711}' });
  await run('done.wf', { input: '{"n": 8}' });
  assert.deepEqual(
    listed(await runs('list', { search: '4711', json: true })).map(({ run: id }) => id),
    [idOf(done)],
  );
  assert.match((await runs('list', { search: idOf(done).slice(0, 20) })).out, new RegExp(`^${idOf(done)} `, 'm'));
  await assert.rejects(runs('list', { search: ' ' }), usage(/^--search is empty/));
  const encrypted = shell(t, { WF_STORE_KEY: Buffer.alloc(32, 1).toString('base64') });
  await encrypted.run('done.wf', { input: '{"n": 4711}' });
  const none = await encrypted.runs('list', { search: '4711' });
  assert.deepEqual([none.exit, none.out], [0, 'No runs.\n']);
  assert.match(none.err, /^The store is encrypted, so a search finds only whole values that config: of a workflow names/);
  assert.match((await encrypted.runs('cancel', { search: '4711' })).out, /^There is no run to cancel\.\nThe store is encrypted/);
});

test('an empty --store is refused instead of running without one', async (t) => {
  const { run } = shell(t);
  await assert.rejects(run('done.wf', { store: '' }), usage(/--store is empty/));
});

test('runs give-up names the file that it keeps, and refuses one that can be read', async (t) => {
  const { run, runs, cwd } = shell(t);
  await run('done.wf', { input: '{"n": 7}' });
  await assert.rejects(runs('give-up'), usage(/wf runs give-up needs the name of a file/));
  await assert.rejects(runs('give-up s0.db'), usage(/can be read/));
  writeFileSync(path.join(cwd, 'runs', 's0.db'), 'nothing');
  const { exit, out } = await runs('give-up s0.db', { json: true });
  assert.deepEqual([exit, JSON.parse(out)], [0, { file: 's0.db', keptAs: 's0.db.given-up' }]);
  const after = await runs('list');
  assert.deepEqual([after.exit, after.err], [0, '']);
});

test('runs list and show: filters, one line each, and the lines of the workflow', async (t) => {
  const { run, runs } = shell(t);
  const ids = [];
  for (let n = 1; n <= 3; n++) ids.unshift(idOf(await run('done.wf', { input: `{"n": ${n}}` })));
  await run('no.wf');
  const two = await runs('list', { workflow: 'done', limit: '2' });
  assert.deepEqual([two.exit, two.out.split('\n').length - 1], [0, 2]);
  assert.match(two.out, new RegExp(`^${ids[0]}  \\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d UTC  completed  done  .*3$`, 'm'));
  assert.match(two.err, /more runs/);
  assert.deepEqual(
    listed(await runs('list', { status: 'rejected', json: true })).map((one) => one.workflow),
    ['no'],
  );
  assert.equal((await runs('list', { status: 'stuck' })).out, 'No runs.\n');
  assert.equal(listed(await runs('list', { since: '1h', json: true })).length, 4);
  assert.equal((await runs('list', { since: '2999-01-01' })).out, 'No runs.\n');
  const shown = await runs(`show ${ids[0]}`);
  assert.equal(shown.exit, 0);
  for (const part of ['at work', 'completed']) assert.ok(shown.out.includes(part), shown.out);
  assert.match(shown.out, /^✓ +\d+ +complete with n request\.n$/m);
  assert.match(shown.out, /^ +\d+ +trigger: /m);
  const json = JSON.parse((await runs(`show ${ids[0]}`, { json: true })).out);
  assert.deepEqual([json.run, json.status, json.request], [ids[0], 'completed', { n: 3 }]);
  assert.deepEqual(
    json.log.map(({ message }: { message: string }) => message),
    ['at work'],
  );
  await assert.rejects(runs('show none'), usage(/There is no run "none"/));
  await assert.rejects(runs('list', { status: 'done' }), usage(/--status must be running, .* or /));
  await assert.rejects(runs('list', { limit: '0' }), usage(/--limit/));
  for (const since of ['yesterday', '2026-02-30', '2026-04-31T10:00Z', '2026-13-01'])
    await assert.rejects(runs('list', { since }), usage(/--since/));
  assert.equal(listed(await runs('list', { since: '2024-02-29', json: true })).length, 4);
  await assert.rejects(runs('shwo x'), usage(/Did you mean "show"/));
  await assert.rejects(runs('show'), usage(/needs the id/));
});

test('runs show: a wait during which the clock is set took no longer than it was to take', async (t) => {
  const { cwd, run, runs } = shell(t);
  t.after(() => {
    fakeClock.offset = 0;
  });
  writeFileSync(path.join(cwd, 'pause.wf'), 'workflow:\n    trigger: t\n\n    wait 2 seconds\n    complete\n');
  // A command that opens the store for each look could miss the wait on a busy machine.
  const store = await openStore('runs', { env: { HOME: cwd }, cwd });
  endWithTest(t, () => store.close(0));
  for (const [from, to, expected] of [
    [-40, 0, /· \S+ waited 2 seconds$/m],
    [0, -40, /· \S+ waited$/m],
  ] as const) {
    fakeClock.offset = from * 86_400_000;
    const running = run('pause.wf');
    await until(async () => (await store.list({ status: 'waiting' })).runs.length === 1);
    fakeClock.offset = to * 86_400_000;
    assert.match((await runs(`show ${idOf(await running)}`)).out, expected);
  }
});

test('runs show: nothing waits any more in a run that has ended', async (t) => {
  const { cwd, run, runs } = shell(t);
  const shownOf = async (body: string): Promise<string> => {
    const services = 'services:\n    Boss is a person\n    Gone is an API at "http://127.0.0.1:1"\n\n';
    writeFileSync(path.join(cwd, 'ends.wf'), `${services}workflow:\n    trigger: t\n\n${body}`);
    const started = await run('ends.wf');
    if (started.exit === 4) await runs(`cancel ${idOf(started)}`);
    return (await runs(`show ${idOf(started)}`)).out;
  };
  const ask = '    ask Boss to decide\n        within 3 days\n';
  assert.match(await shownOf(ask), /· \S+ was waiting for an answer from Boss when the run ended$/m);
  const message = '    wait for payment at most 3 days\n        if nothing comes:\n            reject with "late"\n';
  assert.match(await shownOf(message), /· \S+ was waiting for this message when the run ended$/m);
  const branches = '    at the same time:\n        wait 1 hours\n        step No:\n            reject with "no"\n';
  assert.match(await shownOf(branches), /· \S+ was waiting when the run ended$/m);
  const call = '    get it using Gone at "/"\n        on failure:\n            retry 3 times waiting 1 hours\n';
  const shown = await shownOf(call);
  assert.match(shown, /· \S+ Gone GET http:.*no answer/);
  assert.doesNotMatch(shown, /next attempt/);
});

test('runs send refuses a name that no workflow can wait for', async (t) => {
  const { cwd, runs } = shell(t);
  const io = inMemoryIo(cwd, { HOME: cwd, WF_STORE: 'runs' });
  for (const name of ['', 'a b', 'pay/ment', '-x'])
    await assert.rejects(runsCommand(['send', name], {}, io), usage(/cannot be the name of a message/));
  assert.match((await runs('send Zahlung-1')).out, /^No run is waiting/);
});

test('what runs send, import and give-up need is told by their own hints', async (t) => {
  const { runs } = shell(t);
  for (const [action, hint] of [
    ['send', /^For example: wf runs send /],
    ['import', /wf runs export --complete/],
    ['give-up', /cannot be read/],
    ['show', /^wf runs list shows them\.$/],
  ] as const)
    await assert.rejects(runs(action), (error) => error instanceof UsageError && hint.test(error.hint ?? ''));
});

test('printed commands work in a shell: choices, and files with spaces', async (t) => {
  const { cwd, run, runs, tasks } = shell(t);
  const choices = ['yes', 'Pay $100', "it's `ok`"];
  const ask = `    ask Boss to decide\n        choose from ${choices.map((choice) => `"${choice}"`).join(', ')}\n`;
  const text = `services:\n    Boss is a person\n\nworkflow:\n    trigger: t\n\n${ask}`;
  writeFileSync(path.join(cwd, 'my file.wf'), text);
  const started = await run('my file.wf');
  const line = / Answer with: wf tasks answer \S+ (.*)$/m.exec((await tasks([])).out)?.[1] ?? '';
  const said = line.split(' or ').map((word) => spawnSync('bash', ['-c', `printf %s ${word}`], { encoding: 'utf8' }).stdout);
  assert.deepEqual(said, choices);
  await tasks([
    'answer',
    (JSON.parse((await tasks([], { json: true })).out) as { tasks: TaskView[] }).tasks[0]?.task ?? '',
    'yes',
  ]);
  await runs(`resume ${idOf(started)}`);
  writeFileSync(path.join(cwd, 'my file.wf'), `${text}oops\n`);
  const hint = (expected: RegExp) => (error: unknown) => error instanceof UsageError && expected.test(error.hint ?? '');
  await assert.rejects(runs(`rerun ${idOf(started)}`, { current: true }), hint(/^wf check 'my file\.wf' shows them\.$/));
  renameSync(path.join(cwd, 'my file.wf'), path.join(cwd, 'other.wf'));
  await assert.rejects(runs(`rerun ${idOf(started)}`, { current: true }), hint(/ --file 'path\/to\/my file\.wf'$/));
});

test('runs rerun --file without --current is refused, because the file would not be used', async (t) => {
  const { run, runs } = shell(t);
  const id = idOf(await run('done.wf', { input: '{"n": 7}' }));
  await assert.rejects(runs(`rerun ${id}`, { file: 'other.wf' }), usage(/only --current uses/));
  assert.equal(listed(await runs('', { json: true })).length, 1);
});

test('runs show: each line that was logged, also when several are stored together', async (t) => {
  const { run, runs } = shell(t);
  const { out } = await runs(`show ${idOf(await run('logs.wf'))}`);
  const below = out.split('\n').filter((line) => /^ +· /.test(line));
  assert.deepEqual(
    below.map((line) => line.replace(/^ +· \d\d:\d\d:\d\d /, '')),
    ['one', 'two', 'three', 'four'],
  );
});

test('a message, then resume: the outcome as wf run prints it, at once', async (t) => {
  const { run, runs } = shell(t);
  const id = idOf(await run('wait.wf'));
  assert.match((await runs(`show ${id}`)).out, /^✓ +\d+ +wait for go\n +· \d\d:\d\d:\d\d waiting for this message$/m);
  const still = await runs(`resume ${id}`);
  assert.deepEqual([still.exit, still.out], [4, `Run ${id} is waiting for a message called go.\n`]);
  assert.match((await runs('send go', { input: '{"to": 1}' })).out, /^No run is waiting for this message\. It is kept until/);
  assert.equal((await runs('send go', { input: '{"to": "Lagos"}', run: id })).out, 'Delivered to a waiting run.\n');
  const resumed = await runs(`resume ${id}`);
  assert.deepEqual([resumed.exit, resumed.out], [0, 'Workflow completed.\nwent: Lagos\n']);
  assert.match((await runs(`show ${id}`)).out, /· \d\d:\d\d:\d\d got \{"to":"Lagos"\}, after /);
  await assert.rejects(runs('send go', { run: id }), usage(/has ended/));
  await assert.rejects(runs(`resume ${id}`), usage(/completed/));
  await assert.rejects(runs('resume none'), usage(/no run/i));
  assert.equal((await runs('resume')).out, 'There is no run to resume.\n');
});

test('--wait: stays for a message from elsewhere, and for the end of a wait that is not in memory', async (t) => {
  const { cwd, run, runs } = shell(t);
  const silent = await run('silence.wf', { wait: true });
  assert.deepEqual([silent.exit, silent.out], [0, 'nothing came\nWorkflow completed.\nwent: nowhere\n']);
  const store = await openStore('runs', { env: { HOME: cwd }, cwd });
  endWithTest(t, () => store.close(0));
  const waiting = async (): Promise<string | undefined> => (await store.list({ status: 'waiting' })).runs[0]?.run;
  const sendWhenWaiting = async (): Promise<void> => {
    await until(async () => (await waiting()) !== undefined);
    await store.send({ name: 'go', body: { to: 'Lagos' }, run: (await waiting()) ?? '' });
  };
  const [called] = await Promise.all([run('wait.wf', { wait: true }), sendWhenWaiting()]);
  assert.deepEqual([called.exit, called.out], [0, 'Workflow completed.\nwent: Lagos\n']);
  const left = idOf(await run('wait.wf'));
  const [resumed] = await Promise.all([runs(`resume ${left}`, { wait: true }), sendWhenWaiting()]);
  assert.deepEqual([resumed.exit, resumed.out], [0, 'Workflow completed.\nwent: Lagos\n']);
});

test('resume without an id continues all runs, except those of a living process', async (t) => {
  const { cwd, run, runs, tasks } = shell(t);
  const id = idOf(await run('ask.wf'));
  const store = await openStore('runs', { env: { HOME: cwd }, cwd });
  endWithTest(t, () => store.close(0));
  await store.serve();
  await assert.rejects(runs(`resume ${id}`), usage(new RegExp(`Another process is working on run ${id}`)));
  const all = await runs('resume');
  assert.deepEqual([all.exit, all.err], [0, `Another process is working on run ${id}.\n`]);
  await store.close(0);
  await tasks(['answer', ...(await openTasks(tasks)), 'no']);
  const resumed = await runs('resume', { json: true });
  assert.deepEqual([resumed.exit, resumed.out], [0, '{"status":"completed","outputs":{"said":"no"}}\n']);
});

test('resume without an id says which run each outcome is of', async (t) => {
  const { run, runs, tasks } = shell(t);
  const [first, second] = [idOf(await run('ask.wf')), idOf(await run('ask.wf'))];
  for (const task of await openTasks(tasks)) await tasks(['answer', task, 'no']);
  const { err, out } = await runs('resume');
  assert.deepEqual([err, out], [`Run ${first}\nRun ${second}\n`, 'Workflow completed.\nsaid: no\n'.repeat(2)]);
});

test('resume without an id exits with the code of the worst outcome, whatever the order', async (t) => {
  const { run, runs } = shell(t);
  await run('ask.wf');
  assert.equal((await runs('resume')).exit, 4);
  await run('stuck.wf');
  await run('ask.wf');
  assert.equal((await runs('resume')).exit, 1);
});

const openTasks = async (tasks: Shell['tasks']): Promise<string[]> =>
  (JSON.parse((await tasks(['list'], { json: true })).out) as { readonly tasks: TaskView[] }).tasks.map(({ task }) => task); // the form of --json

test('tasks: listed with the way to answer, answered once', async (t) => {
  const { run, runs, tasks } = shell(t);
  assert.equal((await tasks([])).out, 'There are no open tasks.\n');
  const id = idOf(await run('ask.wf'));
  const [task = ''] = await openTasks(tasks);
  const list = await tasks(['list']);
  assert.match(
    list.out,
    new RegExp(`^${task}  Boss\n  decide\n  asked .* UTC, by ask\n  Answer with: wf tasks answer ${task} "yes" or "no"\n$`),
  );
  await assert.rejects(tasks(['answer', task, 'perhaps']), usage(/one of: yes, no/));
  await assert.rejects(tasks(['answer', 'none', 'yes']), usage(/no task "none"/));
  await assert.rejects(tasks(['answer', task]), usage(/needs the id of a task and the answer/));
  await assert.rejects(tasks(['show']), usage(/does not know "show"/));
  assert.equal((await tasks(['answer', task, 'yes'], { by: 'Ada', comment: 'fine' })).out, 'Answered.\n');
  await assert.rejects(tasks(['answer', task, 'no']), usage(/answered already by Ada/));
  // Nobody serves, so nothing has continued the run.
  const shown = (await runs(`show ${id}`)).out;
  assert.match(shown, /^Status +waiting: Boss answered "yes"; it continues with a server, or with "wf runs resume [0-9a-f-]+"$/m);
  assert.match(shown, /· \d\d:\d\d:\d\d answered: "yes"$/m);
  assert.equal(JSON.parse((await runs(`show ${id}`, { json: true })).out).answered, 'yes');
  assert.deepEqual((await runs(`resume ${id}`)).out, 'Workflow completed.\nsaid: yes\n');
});

test('cancel and rerun: what is over stays over, and runs again under a new id', async (t) => {
  const { run, runs } = shell(t);
  const waiting = idOf(await run('wait.wf'));
  assert.equal((await runs(`cancel ${waiting}`)).exit, 0);
  assert.equal(listed(await runs('list', { json: true }))[0]?.status, 'cancelled');
  await assert.rejects(runs(`cancel ${waiting}`), usage(/cancelled/));
  const rejected = idOf(await run('no.wf'));
  const again = await runs(`rerun ${rejected}`);
  assert.deepEqual([again.exit, again.out], [3, 'Workflow rejected: not today\n']);
  const [newest] = listed(await runs('list', { json: true }));
  assert.deepEqual([newest?.run, newest?.rerunOf], [idOf(again), rejected]);
  const refused = await runs(`rerun ${rejected}`, { from: 'failure' }).catch((thrown: unknown) => thrown);
  assert.ok(refused instanceof UsageError);
  assert.equal(refused.message, 'The run has not failed; its status is "rejected". Rerun it from the start.');
  assert.equal(refused.hint, `That is: wf runs rerun ${rejected}`);
  await assert.rejects(runs(`rerun ${rejected}`, { from: 'middle' }), usage(/start or failure/));
  const failed = idOf(await run('bad.wf', { input: '{"zero": 0}' }));
  const error = await runs(`rerun ${failed}`, { current: true });
  assert.equal(error.exit, 1);
  assert.match(error.err, /bad\.wf, line 8/);
});

test('runs rerun: --again and --done need a line, a result, and a rerun from the failure', async (t) => {
  const { run, runs } = shell(t);
  const bad = idOf(await run('bad.wf', { input: '{"zero": 0}' }));
  const refused = (words: string, values: Values, message: RegExp) =>
    assert.rejects(runs(`rerun ${words}`, values), usage(message));
  await refused(bad, { again: '14' }, /which only a rerun from the failure has/);
  await refused(bad, { from: 'failure', again: 'x' }, /--again needs the number of a line, not "x"/);
  await refused(bad, { from: 'failure', done: '14' }, /--done needs the line of the call and its result/);
  await refused(`${bad} {"id":`, { from: 'failure', done: '14' }, /is not JSON/);
  await refused(`${bad} 7`, { from: 'failure' }, /Unexpected argument "7"/);
  await refused(bad, { from: 'failure', again: '14' }, /No call of this run is in doubt/);
});

test('rerun --current takes the file of the current folder, or the one that the run was started from', async (t) => {
  const { cwd, run, runs } = shell(t);
  mkdirSync(path.join(cwd, 'inner'));
  const [here, inner] = [path.join(cwd, 'bad.wf'), path.join(cwd, 'inner', 'bad.wf')];
  renameSync(here, inner);
  const failed = idOf(await run('inner/bad.wf', { input: '{"zero": 0}' }));
  writeFileSync(
    inner,
    `${readFileSync(inner, 'utf8')} with at "inner"\n`.replace('divided by', 'plus').replace(/\n with/, ' with'),
  );
  assert.equal((await runs(`rerun ${failed}`, { current: true })).out, 'Workflow completed.\nat: inner\n');
  writeFileSync(here, readFileSync(inner, 'utf8').replace('"inner"', '"here"'));
  assert.equal(
    (await runs(`rerun ${failed}`, { current: true, from: 'failure', again: true })).out,
    'Workflow completed.\nat: here\n',
  );
  renameSync(here, path.join(cwd, 'moved.wf'));
  renameSync(inner, path.join(cwd, 'inner', 'moved.wf'));
  const gone = await runs(`rerun ${failed}`, { current: true, from: 'failure' }).catch((thrown: unknown) => thrown);
  assert.ok(gone instanceof UsageError);
  assert.match(gone.message, /bad\.wf, is neither in the current folder nor where it was/);
  assert.equal(gone.hint, `Name it: wf runs rerun ${failed} --from failure --current --file path/to/bad.wf`);
  assert.equal((await runs(`rerun ${failed}`, { current: true, file: 'moved.wf', again: true })).exit, 0);
});

test('prune and export: finished runs only, and a rehearsal deletes nothing', async (t) => {
  const { run, runs } = shell(t);
  const done = idOf(await run('done.wf', { input: '{"n": 1}' }));
  await run('wait.wf');
  const exported = (await runs('export')).out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  assert.deepEqual(
    exported.map((one) => [one.run, one.status, one.outputs, Array.isArray(one.journal)]),
    [[done, 'completed', { n: 1 }, true]],
  );
  assert.equal((await runs('export', { since: '2999-01-01' })).out, '');
  assert.equal((await runs('prune', { olderThan: '0d', dryRun: true })).out, '1 finished run would be deleted.\n');
  assert.equal(listed(await runs('list', { json: true })).length, 2);
  assert.equal((await runs('prune', { olderThan: '1d' })).out, '0 finished runs deleted.\n');
  assert.equal((await runs('prune', { olderThan: '0d' })).out, '1 finished run deleted.\n');
  assert.deepEqual(
    listed(await runs('list', { json: true })).map((one) => one.status),
    ['waiting'],
  );
  await assert.rejects(runs('prune'), usage(/needs --older-than/));
  await assert.rejects(runs('prune', { olderThan: 'soon' }), usage(/--older-than/));
  await assert.rejects(runs('prune', { olderThan: '1000000d' }), usage(/at most 99999d/));
});

test('--keep takes at least a day, so that a run outlives its end', () => {
  assert.throws(() => readKeep('--keep', '0d'), usage(/^--keep must be at least 1d/));
  assert.throws(() => readKeep('--keep', '00d'), usage(/at least 1d/));
  assert.deepEqual(
    ['1d', 'forever', undefined].map((text) => readKeep('--keep', text)),
    [DAY_MS, undefined, 90 * DAY_MS],
  );
});

test('export --complete: what a run has received is recorded first', async (t) => {
  const { run, runs, tasks } = shell(t);
  await run('ask.wf');
  const [task] = (JSON.parse((await tasks([], { json: true })).out) as { tasks: TaskView[] }).tasks; // the form of --json
  await tasks(['answer', task?.task ?? '', 'yes']);
  const refused = usage(/^1 run has received a message or an answer that no process has recorded yet/);
  await assert.rejects(runs('export', { complete: true }), refused);
  const waiting = idOf(await run('wait.wf'));
  await runs('send go', { input: '{"to": 1}', run: waiting });
  await assert.rejects(runs('export', { complete: true }), usage(/^2 runs have received/));
  await runs('resume');
  const lines = (await runs('export', { complete: true })).out.trim().split('\n');
  assert.deepEqual(
    lines.map((line) => JSON.parse(line).kind).filter((kind) => kind === 'run'),
    ['run', 'run'],
  );
});

test('import: only a whole export is one, and a repetition completes what was cut off', async (t) => {
  const { cwd, run, runs } = shell(t);
  await run('done.wf', { input: '{"n": 1}' });
  const { out } = await runs('export', { complete: true });
  const [first = '', ...rest] = out.trim().split('\n');
  const others = { store: 'others' };
  const importing = (lines: readonly string[]): Promise<Ran> => {
    writeFileSync(path.join(cwd, 'runs.jsonl'), lines.map((line) => `${line}\n`).join(''));
    return runs('import runs.jsonl', others);
  };
  const isRun = (line: string): boolean => JSON.parse(line).kind === 'run';
  const isVersion = (line: string): boolean => JSON.parse(line).kind === 'version';
  for (const lines of [[], rest]) await assert.rejects(importing(lines), usage(/^runs\.jsonl is not an export of a store\.$/));
  // The text, the runtime and the version of the run come before it.
  const head = [first, ...rest.slice(0, rest.findIndex(isRun))];
  const message = `runs.jsonl is incomplete: it was cut off or changed after line ${head.length}. Nothing was imported.`;
  const incomplete = { name: 'UsageError', message };
  await assert.rejects(importing(head), incomplete);
  for (const line of ['null', '{"kind":"runs"}', '{"kind":"ru', first, '{"kind":"end","lines":1}'])
    await assert.rejects(importing([...head, line]), incomplete, line);
  const withoutVersions = [first, ...rest].filter((line) => !isVersion(line));
  await assert.rejects(importing(withoutVersions), usage(/^The file is damaged: the workflow of run [0-9a-f-]{36} is missing/));
  assert.equal(listed(await runs('list', { ...others, json: true })).length, 0);
  assert.match((await importing([first, ...rest])).out, /^1 run imported, 0 of them unfinished\.$/m);
});

test('59. import: a field that wf has not written is named, and nothing is imported', async (t) => {
  const { cwd, run, runs } = shell(t);
  await run('done.wf', { input: '{"n": 1}' });
  await run('wait.wf');
  const lines = (await runs('export', { complete: true })).out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const entry = {
    pos: 0,
    branch: '',
    seq: 0,
    part: 2,
    kind: 1,
    site: 0,
    at: 1_700_000_000_000,
    ms: 5,
    body: '{"r":{"ok":true}}',
  };
  const others = { store: 'others' };
  const wrong: readonly (readonly [kind: string, field: string, value: unknown, says: string])[] = [
    ['text', 'data', 'log "other"', '"data" is not the text of "hash"'],
    ['text', 'hash', 7, '"hash" must be a hash of 64 hexadecimal digits'],
    ['version', 'workflow', 'a\0b', '"workflow" must be a name of 1 to 1,000 characters'],
    [
      'version',
      'info',
      { ...lines.find(({ kind }) => kind === 'version').info, folder: '/elsewhere' },
      '"info" is not the version of "hash"',
    ],
    ['version', 'sites', [{ site: 'x' }], '"sites[0].kind" must be a text of at most 10,000 characters'],
    ['run', 'id', '../../etc/passwd', '"id" must be the id of a run, as 32 hexadecimal digits'],
    ['run', 'state', 5, '"state" must be one of 1, 2, 3, 4, 11, 12, 13, 14'],
    ['run', 'finished', 'yesterday', '"finished" must be null, because the run has not ended'],
    ['run', 'request', '[1]', '"request" must be a record'],
    ['run', 'request', '{"a":', '"request" must be JSON in a text'],
    ['run', 'outcome', '{"outputs":[]}', '"outcome.outputs" must be a record'],
    ['run', 'extra', '{"retriedAt":"now"}', '"extra.retriedAt" must be a time in milliseconds since 1970'],
    ['run', 'entries', [{ ...entry, kind: 99 }], '"entries[0].kind" must be the kind of a record that this version of wf knows'],
    ['run', 'entries', [{ ...entry, at: -1 }], '"entries[0].at" must be a time in milliseconds since 1970'],
    ['run', 'entries', [{ ...entry, body: '{"r":{}}' }], '"entries[0].body.r.ok" must be true or false'],
    ['run', 'entries', [{ ...entry, site: 12_345 }], '"entries[0].site" must be a place in its version'],
    [
      'run',
      'entries',
      [
        { ...entry, site: null },
        { ...entry, site: null },
      ],
      '"entries[1].pos" must be above the one before',
    ],
  ];
  for (const [kind, field, value, says] of wrong) {
    const at = lines.findLastIndex((line) => line.kind === kind);
    const changed = lines.map((line, index) => (index === at ? { ...line, [field]: value } : line));
    writeFileSync(path.join(cwd, 'runs.jsonl'), changed.map((line) => `${JSON.stringify(line)}\n`).join(''));
    const message = new RegExp(
      `^The file is damaged\\. Line ${at + 1}(?:, run [0-9a-f-]{36})?: ${says.replace(/[[\].]/g, '\\$&')}\\.$`,
    );
    await assert.rejects(runs('import runs.jsonl', others), usage(message), `${kind} ${field}`);
  }
  assert.equal(listed(await runs('list', { ...others, json: true })).length, 0);
});

test('rekey: with the new key the store opens, with the old one it does not', async (t) => {
  const key = (byte: number): string => Buffer.alloc(32, byte).toString('base64');
  const env: Record<string, string> = { WF_NEW_STORE_KEY: key(1) };
  const { run, runs } = shell(t, env);
  await run('done.wf', { input: '{"n": 1}' });
  assert.equal((await runs('rekey')).out, 'The store is encrypted with the new key.\n');
  await assert.rejects(runs('list'), usage(/encrypted, and WF_STORE_KEY is not set/));
  env.WF_STORE_KEY = key(1);
  assert.equal(listed(await runs('list', { json: true })).length, 1);
  env.WF_NEW_STORE_KEY = '';
  assert.equal((await runs('rekey')).out, 'The store is no longer encrypted.\n');
  env.WF_NEW_STORE_KEY = 'short';
  env.WF_STORE_KEY = '';
  await assert.rejects(runs('rekey'), usage(/32 bytes/));
});

test('with --json, an action that changes the store prints one line of JSON', async (t) => {
  const env: Record<string, string> = { WF_NEW_STORE_KEY: Buffer.alloc(32, 1).toString('base64') };
  const { cwd, run, runs, tasks } = shell(t, env);
  const json = ({ out }: Ran): unknown => JSON.parse(out);
  await run('done.wf', { input: '{"n": 1}' });
  const waiting = idOf(await run('wait.wf'));
  await run('ask.wf');
  const [task] = (json(await tasks([], { json: true })) as { tasks: TaskView[] }).tasks; // the form of --json
  const answered = json(await tasks(['answer', task?.task ?? '', 'yes'], { by: 'Ada', json: true })) as TaskView; // the same task
  assert.deepEqual([answered.task, answered.status, answered.by], [task?.task, 'answered', 'Ada']);
  const { delivered, keptUntil } = json(await runs('send stop', { input: '{}', json: true })) as Record<string, unknown>; // a sent message
  assert.deepEqual([delivered, typeof keptUntil], [0, 'string']);
  const longer = json(await runs('send stop', { input: '{}', json: true, keepMessages: '30d' })) as Record<string, unknown>; // a sent message
  assert.ok(Math.abs(Date.parse(String(longer.keptUntil)) - Date.now() - 30 * DAY_MS) < 600_000);
  await assert.rejects(runs('send stop', { input: '{}', keepMessages: '0d' }), usage(/--keep-messages must be at least 1d/));
  assert.deepEqual(json(await runs('send go', { input: '{}', run: waiting, json: true })), { delivered: 1 });
  const cancelled = idOf(await run('wait.wf'));
  assert.deepEqual(json(await runs(`cancel ${cancelled}`, { json: true })), { run: cancelled, status: 'cancelled' });
  await runs('resume');
  writeFileSync(path.join(cwd, 'moved.jsonl'), (await runs('export', { complete: true })).out);
  const moved = json(await runs('import moved.jsonl', { json: true })) as Record<string, unknown>; // counts
  assert.deepEqual(Object.keys(moved), ['runs', 'unfinished', 'known']);
  assert.deepEqual(json(await runs('prune', { olderThan: '9d', dryRun: true, json: true })), { runs: 0, dryRun: true });
  assert.deepEqual(json(await runs('rekey', { json: true })), { encrypted: true });
});

test('a command that needs a store says how to name one', async (t) => {
  const { runs } = shell(t, { WF_STORE: '' });
  await assert.rejects(runs('list'), { name: 'UsageError', message: /needs a store/, hint: /--store/ });
});

test('a suggested command names the store of --store, unless WF_STORE does; a misspelt store is not made', async (t) => {
  const { cwd, run, runs, tasks } = shell(t, { WF_STORE: '' });
  const waiting = await run('wait.wf', { store: 'my runs' });
  assert.equal(
    waiting.out,
    `The run is waiting for a message called go. Go on with: wf runs resume ${idOf(waiting)} --store 'my runs'\n`,
  );
  await run('ask.wf', { store: 'runs' });
  assert.match((await tasks([], { store: 'runs' })).out, / Answer with: wf tasks answer \S+ "yes" or "no" --store runs$/m);
  assert.equal((await runs('', { store: 'runs' })).err, '');
  const missing = { name: 'UsageError', message: 'There is no store at rums.', hint: /wf runs import/ };
  await assert.rejects(runs('', { store: 'rums' }), missing);
  await assert.rejects(tasks([], { store: 'rums' }), missing);
  assert.ok(!existsSync(path.join(cwd, 'rums')));
  writeFileSync(path.join(cwd, 'moved.jsonl'), (await runs('export', { store: 'runs', complete: true })).out);
  const made = await runs('import moved.jsonl', { store: 'rums' });
  assert.match(made.err, /^There was no store at rums\. This one is new and empty\.\n/);
});

test('a suggested command shows no password', () => {
  assert.equal(storeOption('postgres://wf:secret@db/wf', {}), '');
  assert.equal(storeOption('postgres://wf@db/wf', {}), ' --store postgres://wf@db/wf');
  assert.equal(storeOption("it's", {}), " --store 'it'\\''s'");
});

test('--output-log: a run that is left to others gets its log so far', async (t) => {
  const { cwd, run, runs } = shell(t, { SHOP_TOKEN: 'very-secret-token' });
  const logOf = (): Record<string, unknown> => JSON.parse(readFileSync(path.join(cwd, 'logs/run.json'), 'utf8')); // a record
  const waiting = await run('pause.wf', { outputLog: 'logs/run.json', input: '{"n": 7}', record: 'case.json' });
  assert.equal(waiting.exit, 4);
  const { finishedAt, entries, ...log } = logOf();
  const typed = entries as { readonly type: string; readonly message?: string }[]; // of the log
  assert.deepEqual([log.schema, log.status, log.runId, finishedAt], ['wf-log/1', 'waiting', idOf(waiting), undefined]);
  assert.deepEqual([log.request, typed.map(({ type, message }) => [type, message])], [{ n: 7 }, [['log', 'before [redacted]']]]);
  assert.ok(!existsSync(path.join(cwd, 'case.json')), 'a recording needs an outcome');
  const stuck = await run('stuck.wf', { outputLog: 'logs/run.json' });
  assert.deepEqual([stuck.exit, logOf().status, logOf().runId], [1, 'stuck', idOf(stuck)]);
  assert.match(String(logOf().message), /gone\.mjs/);
  assert.equal((await runs(`cancel ${idOf(waiting)}`)).exit, 0);
});
