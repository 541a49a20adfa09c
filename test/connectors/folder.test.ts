// Folders: writing and reading, and every way to escape from them.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, linkSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import type { CallRequest, Outcome, PathPart, ServiceSpec, Value } from '../../runtime/types.js';
import { type ConnectedScene, connectedScene } from './connected-call.js';

const reports: ServiceSpec = { name: 'Reports', kind: 'folder', url: ['./reports'] };

type Do = (verb: string, at: string | readonly PathPart[] | undefined, pairs?: Record<string, Value>) => Promise<Outcome>;

/** `does` calls the folder `reports` in a temporary folder. */
const scene = (play: (does: Do, folder: string, call: ConnectedScene['call']) => Promise<void>): Promise<void> =>
  connectedScene(({ folder, call }) => {
    const does: Do = (verb, at, pairs = {}) => {
      const where: Partial<CallRequest> = at === undefined ? {} : { path: typeof at === 'string' ? [at] : at };
      return call(reports, { verb, description: 'file', parameters: Object.entries(pairs), ...where });
    };
    return play(does, folder, call);
  });

const named = (value: Value): PathPart => ({ name: 'request.name', value });

const valueIn = (outcome: Outcome): Value => {
  assert.equal(outcome.status, 'completed', outcome.message);
  return outcome.outputs?.value;
};
const codeOf = (outcome: Outcome): string | undefined => outcome.error?.code;

test('writes tables and reads them back, with formulas as text', () =>
  scene(async (does, folder) => {
    const rows = [
      { name: 'Ada, "A"', n: 1, note: 'two\nlines' },
      { name: '=1+1', n: -2.5, note: null, more: true },
      { name: ' @SUM(1)', n: 0, note: '@SUM(1)' },
      { name: '-3', n: '+49 30 123', note: '-2+3' },
      { name: 'a;=1', n: '\t=1', note: '_x0041_ \u0007 <&>"' },
    ];
    for (const file of ['a.csv', 'a.xlsx'])
      assert.deepEqual(Object.keys(valueIn(await does('save', file, { rows })) as object), ['name', 'size']);
    const text = readFileSync(path.join(folder, 'reports/a.csv'), 'utf8');
    assert.equal(
      text,
      'name,n,note,more\n"Ada, ""A""",1,"two\nlines",\n\'=1+1,-2.5,,true\n" @SUM(1)",0,\'@SUM(1),\n-3,\'+49 30 123,\'-2+3,\n"a;=1","\'\t=1","_x0041_ \u0007 <&>""",\n',
    );
    const sheet = valueIn(await does('get', 'a.xlsx')) as { [key: string]: Value }[];
    assert.deepEqual(
      sheet.map(({ name }) => name),
      rows.map(({ name }) => name),
    );
    assert.deepEqual(
      sheet.map(({ n }) => n),
      rows.map(({ n }) => n),
    );
    assert.deepEqual(sheet[4]?.note, rows[4]?.note);
    const table = valueIn(await does('get', 'a.csv')) as { [key: string]: Value }[];
    assert.deepEqual(
      table.map(({ more }) => more),
      [null, true, null, null, null],
    );
  }));

test('handles text and JSON, lists files, and deletes one', () =>
  scene(async (does, folder) => {
    assert.deepEqual(valueIn(await does('list', undefined)), []);
    await does('save', 'note.txt', { text: 'größe\nline 2' });
    assert.equal(valueIn(await does('get', 'note.txt')), 'größe\nline 2');
    await does('save', '2026/03/state.json', { count: 3, names: ['a'], big: '9007199254740993' });
    assert.deepEqual(valueIn(await does('get', '2026/03/state.json')), { count: 3, names: ['a'], big: '9007199254740993' });
    writeFileSync(path.join(folder, 'reports/.wf-1-0123456789ab.tmp'), 'x');
    assert.deepEqual(
      (valueIn(await does('list', undefined)) as { name: string }[]).map(({ name }) => name),
      ['note.txt'],
    );
    assert.deepEqual(
      (valueIn(await does('list', '2026/03')) as { name: string }[]).map(({ name }) => name),
      ['state.json'],
    );
    valueIn(await does('delete', 'note.txt'));
    const gone = await does('delete', 'note.txt');
    assert.equal(gone.message, 'Reports: delete file at note.txt failed after 1 attempt: there is no such file.');
    assert.match((await does('list', 'nowhere')).message ?? '', /there is no such folder/);
    for (const file of ['none.csv', 'none.xlsx']) {
      await does('save', file, { rows: [] });
      assert.deepEqual(valueIn(await does('get', file)), []);
    }
  }));

test("appends lines in the order of the file's headers", () =>
  scene(async (does, folder) => {
    const file = path.join(folder, 'reports/log.csv');
    const add = (row: Value): Promise<Outcome> => does('add', 'log.csv', { row });
    // Whichever is first creates the file.
    await Promise.all([add({ day: '2026-03-01', total: 5 }), add({ day: '2026-03-03', total: 7 })]);
    await Promise.all([add({ total: 6, day: '2026-03-02' }), add({ day: '=1' })]);
    const lines = readFileSync(file, 'utf8').split('\n');
    assert.equal(lines[0], 'day,total');
    assert.deepEqual(lines.slice(1).sort(), ['', "'=1,", '2026-03-01,5', '2026-03-02,6', '2026-03-03,7']);
    assert.match((await add({ day: 'x', extra: 1 })).message ?? '', /the file has no column "extra"/);
    writeFileSync(file, '\ufeff"a;b";"c ""d"""\r\n1;2');
    valueIn(await add({ 'c "d"': 'x;y', 'a;b': 1 }));
    assert.equal(readFileSync(file, 'utf8'), '\ufeff"a;b";"c ""d"""\r\n1;2\n1;"x;y"\r\n');
    await does('add', 'log.txt', { text: 'one' });
    await does('add', 'log.txt', { text: 2 });
    assert.equal(readFileSync(path.join(folder, 'reports/log.txt'), 'utf8'), 'one\n2\n');
    for (const [name, pairs] of [
      ['a.json', {}],
      ['a.xlsx', { row: {} }],
      ['log.csv', { row: 'x' }],
      ['log.csv', {}],
      ['b.csv', { row: {} }],
    ] as const)
      assert.equal(codeOf(await does('add', name, pairs)), 'WF668', name);
  }));

test('never leaves the folder', () =>
  scene(async (does, folder) => {
    const inside = path.join(folder, 'reports');
    const secret = path.join(folder, 'secret.txt');
    mkdirSync(path.join(inside, 'deep'), { recursive: true });
    writeFileSync(secret, 'TOP-SECRET');
    writeFileSync(path.join(inside, 'fine.txt'), 'fine');
    symlinkSync('../secret.txt', path.join(inside, 'link.txt'));
    symlinkSync('..', path.join(inside, 'up'));
    symlinkSync('fine.txt', path.join(inside, 'own.txt'));
    const names = [
      '../secret.txt',
      'a/../../secret.txt',
      secret,
      '..\\secret.txt',
      '..',
      '.',
      '',
      null,
      'a\u0000b',
      'a\nb',
      'x'.repeat(300),
      { a: 1 },
      ['x'],
      'deep/../../secret.txt',
      'link.txt',
      'own.txt',
    ];
    const ways: (string | readonly PathPart[])[] = [
      ...names.map((name) => [named(name)]),
      // The links are in the folder itself.
      ...names.filter((name) => name !== 'link.txt' && name !== 'own.txt').map((name) => ['deep/', named(name)]),
      '../secret.txt',
      '/etc/passwd.txt',
      'up/secret.txt',
      'up/new.txt',
      'deep/../../secret.txt',
      'deep//x.txt',
      './fine.txt',
      '..\\secret.txt',
      'C:\\x.txt',
      'link.txt/x.txt',
      [named('up'), '/secret.txt'],
      ['.', named('.'), '/secret.txt'],
      [named('.'), named('.'), '/secret.txt'],
    ];
    for (const way of ways) {
      for (const [verb, pairs] of [
        ['get', {}],
        ['save', { text: 'changed' }],
        ['add', { text: 'changed' }],
        ['delete', {}],
      ] as const) {
        const outcome = await does(verb, way, pairs);
        assert.equal(outcome.status, 'error', `${verb} ${JSON.stringify(way)} ${JSON.stringify(outcome.outputs)}`);
        assert.doesNotMatch(JSON.stringify(outcome), /TOP-SECRET|wf-connected-/);
      }
    }
    for (const way of ['..', 'up', '../', [named('..')], [named('up')]] as const)
      assert.equal((await does('list', way)).status, 'error');
    assert.equal(readFileSync(secret, 'utf8'), 'TOP-SECRET');
    assert.deepEqual(readdirSync(folder).sort(), ['reports', 'secret.txt']);
    assert.deepEqual(readdirSync(inside).sort(), ['deep', 'fine.txt', 'link.txt', 'own.txt', 'up']);
    assert.equal(valueIn(await does('get', [named('fine.txt')])), 'fine');
  }));

test('replaces a hard-linked file instead of writing into it', () =>
  scene(async (does, folder) => {
    await does('save', 'a.txt', { text: 'old' });
    linkSync(path.join(folder, 'reports/a.txt'), path.join(folder, 'other.txt'));
    await does('save', 'a.txt', { text: 'new' });
    assert.equal(readFileSync(path.join(folder, 'other.txt'), 'utf8'), 'old');
  }));

test('refuses content that does not fit the type of file, and anything but files', () =>
  scene(async (does, folder) => {
    mkdirSync(path.join(folder, 'reports/sub.csv'), { recursive: true });
    spawnSync('mkfifo', [path.join(folder, 'reports/pipe.csv')]);
    writeFileSync(path.join(folder, 'reports/bad.json'), '{"a": }');
    writeFileSync(path.join(folder, 'reports/latin.txt'), Buffer.from([0x67, 0xfc]));
    writeFileSync(path.join(folder, 'reports/no.xlsx'), 'no workbook');
    writeFileSync(path.join(folder, 'reports/quote.csv'), 'a\n"x');
    const causes: [Outcome, RegExp][] = [
      [await does('get', 'sub.csv'), /it is a folder/],
      [await does('save', 'sub.csv', { rows: [] }), /it is a folder/],
      [await does('get', 'pipe.csv'), /it is not an ordinary file/],
      [await does('get', 'bad.json'), /it is not valid JSON \(line 1, column 7\)/],
      [await does('get', 'latin.txt'), /line 1 of the file is not UTF-8/],
      [await does('get', 'no.xlsx'), /this is not a workbook/],
      [await does('get', 'quote.csv'), /line 2: .*never closed/],
      [await does('get', 'a.exe'), /its name must end in/],
      [await does('save', 'a.csv', { rows: 'x' }), /its rows must be a list of records/],
      [await does('save', 'a.csv', { rows: [1] }), /its rows must be a list of records/],
      [await does('save', 'a.csv'), /needs "rows"/],
      [await does('save', 'a.txt', { text: { path: '/etc/passwd' } }), /its text must not be a list or a record/],
      [await does('save', 'a.xlsx', { rows: [{ a: 'x'.repeat(40_000) }] }), /row 2 has more than 32,767 characters/],
      [await does('get', undefined), /it does not name a file/],
    ];
    for (const [outcome, cause] of causes) assert.match(outcome.message ?? '', cause);
    assert.ok(!existsSync(path.join(folder, 'reports/a.csv')));
  }));

test('a full disk leaves the old file unchanged', { skip: !canMount() && 'no right to mount a small disk' }, () =>
  scene(async (does, folder) => {
    const disk = path.join(folder, 'reports');
    mkdirSync(disk);
    assert.equal(spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', disk]).status, 0);
    try {
      valueIn(await does('save', 'a.txt', { text: 'old' }));
      valueIn(await does('add', 'log.csv', { row: { a: 1 } }));
      const full = await does('save', 'a.txt', { text: 'x'.repeat(200_000) });
      assert.match(full.message ?? '', /the disk is full/);
      assert.match((await does('add', 'log.csv', { row: { a: 'y'.repeat(200_000) } })).message ?? '', /the disk is full/);
      assert.deepEqual(readdirSync(disk).sort(), ['a.txt', 'log.csv']);
      assert.equal(readFileSync(path.join(disk, 'a.txt'), 'utf8'), 'old');
      assert.equal(readFileSync(path.join(disk, 'log.csv'), 'utf8'), 'a\n1\n');
    } finally {
      spawnSync('umount', [disk]);
    }
  }),
);

function canMount(): boolean {
  return (
    process.getuid?.() === 0 &&
    spawnSync('sh', ['-c', 'd=$(mktemp -d) && mount -t tmpfs tmpfs $d && umount $d; s=$?; rmdir $d; exit $s']).status === 0
  );
}

test('other work continues while a large table is written', () =>
  scene(async (does) => {
    const rows = Array.from({ length: 20_000 }, (_, id) => ({ id, text: 'some text', amount: id / 4, note: 'x' }));
    let turns = 0;
    let runs = true;
    const count = (): void => {
      turns++;
      if (runs) setImmediate(count);
    };
    count();
    let forSheet = 0;
    try {
      valueIn(await does('save', 'big.xlsx', { rows }));
      forSheet = turns;
      valueIn(await does('save', 'big.csv', { rows }));
    } finally {
      runs = false;
    }
    assert.ok(forSheet > 60 && turns - forSheet > 25, `${forSheet}, ${turns - forSheet} turns`);
  }));
