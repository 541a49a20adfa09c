// What `wf diff` says about files and revisions that it can't compare, and how it writes what it finds.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import type { Values } from '../../src/commands/command-spec.js';
import { diffCommand } from '../../src/commands/diff.js';
import { UsageError } from '../../src/engine/usage-error.js';
import type { BehaviourChange } from '../../src/testing/compare-behaviour.js';
import { folderWithData, inMemoryIo } from '../testing/in-memory-io.js';

const order = (limit: number): string => `config:
    name: "Order"
    version: 1

workflow:
    trigger: when an order comes in

    if request.total is above ${limit}:
        reject with "too <large>"
    complete with approved true
`;

test('says which of two files or revisions is wrong, and how', async (t) => {
  const folder = folderWithData(t, { 'order.wf': order(100) });
  const git = (...args: readonly string[]): unknown =>
    execFileSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', ...args], { cwd: folder, stdio: 'ignore' });
  git('init', '-q');
  git('add', '.');
  git('commit', '-qm', 'one');
  mkdirSync(path.join(folder, 'folder'));
  writeFileSync(path.join(folder, 'new.wf'), order(200));
  const io = () => inMemoryIo(folder, { ...process.env, WF_CACHE: 'off' });
  const wrong: readonly (readonly [old: string, now: string, message: string])[] = [
    ['HEAD', 'gone.wf', "gone.wf can't be read: it does not exist."],
    ['HEAD', 'HEAD', "HEAD can't be read: it does not exist."],
    ['gone.wf', 'order.wf', "gone.wf can't be read: it does not exist."],
    ['HEAD', 'new.wf', 'new.wf is not in HEAD.'],
    ['nowhere', 'order.wf', 'nowhere is neither a file nor a revision of git that contains order.wf.'],
    ['folder', 'order.wf', 'folder is not a workflow: its name must end in .wf.'],
  ];
  for (const [old, now, message] of wrong)
    await assert.rejects(diffCommand([old, now], {}, io()), (error) => error instanceof UsageError && error.message === message);
  const same = io();
  assert.equal(await diffCommand(['HEAD', 'order.wf'], { exitCode: true }, same), 0);
  assert.equal(same.written.out, 'HEAD and order.wf do the same, as far as wf can tell.\n');
});

test('writes what changes for whom as text, markdown and JSON', async (t) => {
  const folder = folderWithData(t, { 'old.wf': order(100), 'now.wf': order(250) });
  const written = async (format: string): Promise<string> => {
    const io = inMemoryIo(folder, { WF_CACHE: 'off' });
    assert.equal(await diffCommand(['old.wf', 'now.wf'], { format, exitCode: true }, io), 1);
    return io.written.out;
  };
  assert.match(
    await written('text'),
    /^1\. With total above 100 and at most 250, for example \{"total":\d+(?:\.\d+)?\}:\n {3}before {5}rejected: "too <large>"\n {3}now {8}completed with approved true\n$/,
  );
  assert.match(
    await written('markdown'),
    /\| total above 100 and at most 250 \| rejected: "too &lt;large>" \| completed with approved true \|/,
  );
  const { old, new: now, changes } = JSON.parse(await written('json'));
  assert.deepEqual([old, now, changes.length], ['old.wf', 'now.wf', 1]);
  assert.deepEqual(changes[0].who, ['total above 100 and at most 250']);
  const { total } = changes[0].example.input;
  assert.ok(total > 100 && total <= 250);
});

test('shows as much as fits on a screen, one change from each end to another, and everything with --all', async (t) => {
  const kinds = Array.from({ length: 8 }, (_, index) => index);
  const fee = (by: number): string => `config:
    name: "Fee"
    version: 1

services:
    Bank is an API at "https://bank.example.com"

workflow:
    trigger: now

    create charge using Bank at "/charges" with amount ${by}
        at most once
        on failure:
            log "failed"
${kinds.map((kind) => `    if request.kind is "k${kind}":\n        complete with fee ${kind + by}\n`).join('')}    reject with "unknown"
`;
  const folder = folderWithData(t, { 'old.wf': fee(100), 'now.wf': fee(250).replace('        at most once\n', '') });
  const written = async (values: Values): Promise<string> => {
    const io = inMemoryIo(folder, { WF_CACHE: 'off' });
    await diffCommand(['old.wf', 'now.wf'], values, io);
    return io.written.out;
  };
  const [short, whole] = [await written({}), await written({ all: true })];
  const [shown, all] = [short, whole].map((text) => text.match(/^\d+\. /gm)?.length ?? 0);
  assert.ok(
    short.split('\n').length <= 48 && shown !== undefined && all !== undefined && shown < all,
    `${shown} of ${all}\n${short}`,
  );
  assert.match(short, /before {5}create charge using Bank, POST \/charges, amount 100, at most once/);
  assert.match(short, /\n {3}and 1 similar difference\n/);
  assert.match(short, /\nAnd \d+ more differences: --all shows them\.\n$/);
  assert.doesNotMatch(whole, /--all| similar/);
  assert.equal(JSON.parse(await written({ format: 'json' })).changes.length, all);
});

test('shows what no run shows: settings, and how calls are sent', async (t) => {
  const old = order(100).replace('    version: 1\n', '    version: 1\n    once for each: request.number\n');
  const folder = folderWithData(t, { 'old.wf': old, 'now.wf': order(100) });
  const io = inMemoryIo(folder, { WF_CACHE: 'off' });
  assert.equal(await diffCommand(['old.wf', 'now.wf'], { exitCode: true }, io), 1);
  assert.equal(io.written.out, '1. With any request:\n   no longer  once for each: request.number\n');
});

test('names only requests for which a run that fails ends otherwise', async (t) => {
  const text = order(100).replace('reject with "too <large>"', 'send alert using Alerts with total request.total');
  const old = text.replace('workflow:', 'services:\n    Alerts is a webhook at "https://alerts.example.com"\n\nworkflow:');
  const folder = folderWithData(t, { 'old.wf': old, 'now.wf': old.replace('above 100', 'above 250') });
  const io = inMemoryIo(folder, { WF_CACHE: 'off' });
  await diffCommand(['old.wf', 'now.wf'], { format: 'json', all: true }, io);
  const { changes } = JSON.parse(io.written.out) as { changes: { who: string[]; before: string[] }[] };
  const failing = changes.filter(({ before }) => before.includes('ends as error'));
  assert.ok(failing.length > 0);
  for (const { who } of failing)
    assert.match(who.join(), /^total above 100 and at most 250,Alerts (?:not answering|answering \d+)$/);
});

test('says only what no run contradicts, and that there are others', async (t) => {
  const tiers = `config:
    name: "Tiers"
    version: 1

inputs:
    tier is one of "gold", "silver", "bronze"
    total is a number at least 0
    hour is a whole number from 0 to 23

tables:
    Teams:
        | tier is  | hour is at least | team     |
        | "gold"   | 18               | "night"  |
        | any      | any              | "office" |

workflow:
    trigger: when an order comes in

    set percent to 0
    if request.tier is "gold":
        if request.total is at least 1000:
            set percent to 15
    otherwise if request.tier is "silver":
        if request.total is at least 1000:
            set percent to 8
    look up team in Teams with tier request.tier and hour request.hour
    complete with percent percent and team team
`;
  const folder = folderWithData(t, {
    'old.wf': tiers,
    'above.wf': tiers.replaceAll('is at least 1000:', 'is above 1000:'),
    'later.wf': tiers.replace('| 18 ', '| 19 '),
    'more.wf': tiers.replace('at least 1000:', 'at least 1000 and request.hour is above 6:'),
  });
  const shown = async (now: string): Promise<string> => {
    const io = inMemoryIo(folder, { WF_CACHE: 'off' });
    await diffCommand(['old.wf', now], {}, io);
    return io.written.out;
  };
  assert.match(await shown('above.wf'), /^1\. With total 1000 and tier "gold", among others, for example /);
  assert.match(await shown('later.wf'), /^1\. With tier "gold" and hour 18, for example /);
  assert.match(await shown('more.wf'), /^1\. With total at least 1000 and hour from 0 to 6 and tier "gold", for example /);
});

test('takes a called workflow that answers for no silent one, and names variables', async (t) => {
  const contract = (to: string): string => `config:
    name: "Contract"
    version: 1

inputs:
    ends is a date
    since is a date

services:
    Credit is a workflow at "./credit.wf"
    Post is a mail server at "{env.SMTP_URL}"
        from "Office <office@example.com>"

workflow:
    trigger: every morning, for each contract

    get credit using Credit with since request.since
        save the result as credit
    set left to days from today to request.ends
    if left is above 30:
        complete with state "running"
    send reminder using Post with to "${to}@example.com" and subject "Call" and text "Ends in {left} days"
    complete with state "call"
`;
  const folder = folderWithData(t, {
    'old.wf': contract('sales'),
    'now.wf': contract('office'),
    'credit.wf': 'workflow:\n    trigger: when asked\n    complete with days 30\n',
  });
  const io = inMemoryIo(folder, { WF_CACHE: 'off' });
  await diffCommand(['old.wf', 'now.wf'], {}, io);
  assert.match(io.written.out, /^1\. With left at most 30, for example /, io.written.err);
});

test('says that nobody has answered, and nothing of an answer', async (t) => {
  const text = `config:
    name: "Depot"
    version: 1

services:
    Depot is a person notified at "https://depot.example.com"

workflow:
    trigger: when an order comes in

    ask Depot to prepare {request.order}
        choose from "ready", "broken"
        within 4 hours
        save the result as state
        on failure:
            set state to "late"
    if state is "broken":
        reject with "The machine is broken."
    complete with state state
`;
  const folder = folderWithData(t, { 'old.wf': text, 'now.wf': text.replace('4 hours', '5 hours') });
  const io = inMemoryIo(folder, { ...process.env, WF_CACHE: 'off' });
  await diffCommand(['old.wf', 'now.wf'], { format: 'json' }, io);
  const { changes } = JSON.parse(io.written.out);
  const late = changes.filter(({ before }: { readonly before: readonly string[] }) => before.includes('waits 4 hours'));
  assert.deepEqual(
    late.map(({ who }: { readonly who: readonly string[] }) => who),
    [['Depot not answering']],
  );
});

test('shows requests with the usual texts where others would do the same', async (t) => {
  const refund = (limit: number): string => `config:
    name: "Refund"
    version: 1

inputs:
    customer is a text
    amount is a number above 0

services:
    Finance is a person

workflow:
    trigger: when a customer asks for their money back

    if request.amount is above ${limit}:
        ask Finance to pay {request.amount} to {request.customer}
            choose from "ok", "no"
            save the result as decision
        if decision is "no":
            reject with "{request.customer} gets nothing."
    complete with refunded request.amount
`;
  const folder = folderWithData(t, { 'old.wf': refund(100), 'now.wf': refund(250) });
  const io = inMemoryIo(folder, { WF_CACHE: 'off' });
  await diffCommand(['old.wf', 'now.wf'], { format: 'json' }, io);
  const { changes }: { changes: readonly { example: { input: { customer?: unknown } } }[] } = JSON.parse(io.written.out);
  assert.deepEqual(
    changes.map(({ example }) => example.input.customer),
    changes.map(() => 'customer'),
  );
});

test('says whom a change concerns in the names of the file, and only what is so in the example', async (t) => {
  const fine = (oldest: number, more: string): string => `config:
    name: "Fine"
    version: 1

inputs:
    birth-date is a date
    loans is a list of at least 1 records:
        kind is one of "book", "film"
        title is a text
        lost is yes or no

services:
    Desk is a person

workflow:
    trigger: when books come back

    set age to years from request.birth-date to today
    if age is above ${oldest}:
        complete with owed 0
    set owed to 0
    set fee to 0
    for each loan in request.loans:
        if loan.kind is "film":
            set fee to 1
        if loan.title is "gone":
            reject with "{fee} for a lost title"
        if loan.lost:
            set owed to owed plus 5
    if owed is above 12:
        ask Desk to block the card
            choose from "block", "wait"
            save the result as answer
            on failure:
                set answer to ${more}
        complete with owed owed and answer answer
    complete with owed owed
`;
  const changesOf = async (old: string, now: string): Promise<BehaviourChange[]> => {
    const io = inMemoryIo(folderWithData(t, { 'old.wf': old, 'now.wf': now }), { WF_CACHE: 'off' });
    await diffCommand(['old.wf', 'now.wf'], { format: 'json' }, io);
    return JSON.parse(io.written.out).changes;
  };
  const older = await changesOf(fine(72, '"block"'), fine(75, '"block"'));
  assert.ok(
    older.some(({ who }) => who.includes('age from 73 to 75')),
    JSON.stringify(older.map(({ who }) => who)),
  );
  const lost = await changesOf(fine(72, '"block"'), fine(72, '"block"').replace('a lost title', 'a title'));
  assert.ok(lost.length > 0);
  for (const { who, example } of lost) {
    const [, kind] = /"kind":"(\w+)"/.exec(JSON.stringify(example.input)) ?? [];
    assert.ok(who.includes('loan.title "gone"'), JSON.stringify([who, example]));
    const kinds = who.filter((one) => one.startsWith('loan.kind '));
    assert.deepEqual(kinds, kinds.length === 0 ? [] : [`loan.kind "${kind}"`]);
  }
  // It takes three lost books and a person who does not answer, not one who says something else.
  const answers = await changesOf(fine(72, '"block"'), fine(72, '"wait"'));
  assert.ok(answers.length > 0);
  for (const { example } of answers) assert.match(JSON.stringify(example.mocks), /"ask":\{"(?:error|status)"/);
});

test('gets past a wait until a day that a service names, and shows who is asked', async (t) => {
  const visit = (person: string): string => `config:
    name: "Visit"
    version: 1

inputs:
    patient is a text

services:
    Calendar is an API at "https://calendar.example.com"
    Nurse is a person
    Doctor is a person

workflow:
    trigger: when a patient asks for an appointment

    create slot using Calendar at "/slots" with patient request.patient
        save the result as slot
    wait until slot.day
    ask ${person} to see {request.patient}
        addressed to slot.room
        choose from "done", "no show"
        within slot.hours hours
        save the result as visit
        on failure:
            set visit to "no show"
    create note using Calendar at "/notes" with text visit and number slot.number
    complete with visit visit and place slot.place
`;
  const folder = folderWithData(t, { 'old.wf': visit('Nurse'), 'now.wf': visit('Doctor') });
  const io = inMemoryIo(folder, { WF_CACHE: 'off' });
  await diffCommand(['old.wf', 'now.wf'], { all: true }, io);
  assert.match(
    io.written.out,
    /^ {3}before {5}ask Nurse, "see patient", addressed to \w+, choices "done", "no show", answered, within/m,
  );
  assert.match(
    io.written.out,
    /^ {3}now {8}ask Doctor, "see patient", addressed to \w+, choices "done", "no show", answered, within/m,
  );
  writeFileSync(
    path.join(folder, 'empty.wf'),
    visit('Nurse').replace('/notes', '/entries').replace('place slot.place', 'place empty'),
  );
  const other = inMemoryIo(folder, { WF_CACHE: 'off' });
  await diffCommand(['old.wf', 'empty.wf'], { all: true }, other);
  assert.match(other.written.out, /number empty/);
  assert.match(other.written.out, / and place empty/);
  assert.doesNotMatch(other.written.out, /undefined|null/);
});

test('says nothing of a field that no list has, where its items have it', async (t) => {
  const weigh = (field: string): string => `config:
    name: "Weigh"
    version: 1

services:
    Stock is a database at "./stock.sqlite"

workflow:
    trigger: when a parcel is packed

    list items using Stock at "items" where size request.size
        save the result as items
    set weight to sum of items.${field}
    complete with weight weight
`;
  const folder = folderWithData(t, { 'old.wf': weigh('weight'), 'now.wf': weigh('wieght') });
  const io = inMemoryIo(folder, { WF_CACHE: 'off' });
  await diffCommand(['old.wf', 'now.wf'], { all: true }, io);
  assert.match(io.written.out, /completed with weight 0/);
  assert.doesNotMatch(io.written.out, /items\.w\w+ empty/);
});

test('the README shows what wf diff says about its workflow, the ordinary runs first', async (t) => {
  const readme = readFileSync('README.md', 'utf8');
  const [, shown = ''] = /^```text\n(1\. With .*?)^```/ms.exec(readme) ?? [];
  const [, refund = ''] = /^`refund\.wf`:\n\n```wf\n(.*?)^```/ms.exec(readme) ?? [];
  const folder = folderWithData(t, { 'old.wf': refund.replace('is above 100:', 'is above 250:'), 'refund.wf': refund });
  const io = inMemoryIo(folder, { WF_CACHE: 'off' });
  await diffCommand(['old.wf', 'refund.wf'], {}, io);
  const said = io.written.out.replace(/for example .*:$/gm, 'for example …:').split('\n\n');
  assert.equal(`${said[0]}\n`, shown);
  assert.match(
    said[1] ?? '',
    /^2\. With amount above 100 and at most 250, for example …:\n {3}now also {3}ask Finance, [^\n]*\n {3}and 1 similar difference$/,
  );
  assert.match(
    said[2] ?? '',
    /^3\. With amount above 100 and at most 250 and Finance not answering, [\s\S]*\n {11} {3}waits 3 days\n/,
  );
});
