// `wf playground`: what it serves and to whom, what it writes, and the files for other web servers.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { request } from 'node:http';
import path from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { folderWith, workflow } from '../commands/wf.js';
import { startPlayground } from './start-playground.js';

const order = workflow('    complete with total request.total');

interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly text: string;
}

const ask = (
  port: number,
  file: string,
  more: { method?: string; headers?: Record<string, string>; body?: string } = {},
): Promise<Reply> =>
  new Promise((resolve, reject) => {
    const { method = 'GET', headers = {}, body } = more;
    const sent = request(
      { host: '127.0.0.1', port, path: `/${file}`, method, headers: { host: `127.0.0.1:${port}`, ...headers } },
      (answer) => {
        let text = '';
        answer.setEncoding('latin1').on('data', (piece: string) => {
          text += piece;
        });
        answer.on('end', () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text }));
      },
    );
    sent.on('error', reject);
    sent.end(body);
  });

test('serves a page whose policy names no other host, and everything that the page loads', async (context) => {
  const { path: folder } = folderWith(context, { 'flows/order.wf': order });
  const port = await startPlayground(context, folder, 'flows');
  const page = await ask(port, '');
  const policy = String(page.headers['content-security-policy']);
  assert.match(policy, /default-src 'none'/);
  assert.match(policy, /frame-ancestors 'none'/);
  assert.doesNotMatch(policy, /https?:|\*|unsafe/);
  const parts = [...page.text.matchAll(/(?:src|href)="([^"#]+)"/g)]
    .map(([, part = '']) => part)
    .filter((part) => !part.startsWith('data:'));
  assert.equal(parts.length, 2);
  for (const part of parts) assert.equal((await ask(port, part)).status, 200, part);
  const { files, canWrite } = JSON.parse((await ask(port, 'files.json')).text);
  assert.deepEqual([files, canWrite], [[{ name: 'order.wf', text: order }], false]);
  for (const outside of ['../order.wf', '..%2fpackage.json', 'flows/order.wf', 'constructor'])
    assert.equal((await ask(port, outside)).status, 404, outside);
});

test('answers only to this machine, also to pages that call themselves so', async (context) => {
  const { path: folder } = folderWith(context, { 'order.wf': order });
  const port = await startPlayground(context, folder, '.', '--write');
  assert.equal((await ask(port, '', { headers: { host: 'evil.example' } })).status, 403);
  assert.equal((await ask(port, 'files.json', { headers: { origin: 'https://evil.example' } })).status, 403);
  const foreign = { method: 'PUT', headers: { origin: 'https://evil.example' }, body: 'x' };
  assert.equal((await ask(port, 'files/order.wf', foreign)).status, 403);
  assert.equal(readFileSync(path.join(folder, 'order.wf'), 'utf8'), order);
});

test('saves only with --write, and only over workflows of the folder', async (context) => {
  const { path: folder } = folderWith(context, { 'order.wf': order, 'notes.txt': 'mine' });
  const closed = await startPlayground(context, folder, '.');
  assert.equal((await ask(closed, 'files/order.wf', { method: 'PUT', body: 'new' })).status, 403);
  const open = await startPlayground(context, folder, '.', '--write');
  for (const name of ['notes.txt', '..%2forder.wf', 'new.wf', '%2fetc%2fpasswd'])
    assert.equal((await ask(open, `files/${name}`, { method: 'PUT', body: 'new' })).status, 404, name);
  assert.equal((await ask(open, 'files/order.wf', { method: 'PUT', body: 'x'.repeat(2_000_001) })).status, 413);
  assert.equal((await ask(open, 'files/order.wf', { method: 'PUT', body: '# Zürich\n' })).status, 200);
  assert.equal(readFileSync(path.join(folder, 'order.wf'), 'utf8'), '# Zürich\n');
  assert.deepEqual(readdirSync(folder).sort(), ['notes.txt', 'order.wf']);
  assert.equal((await ask(open, 'index.html', { method: 'POST' })).status, 405);
});

test('--out writes files for any web server, small enough for a slow line', (context) => {
  const { path: folder, wf } = folderWith(context, { 'flows/order.wf': order });
  const { status, stdout, stderr } = wf(['playground', '--out', 'site']);
  assert.equal(status, 0, stderr);
  assert.match(stdout, /The playground is in site/);
  const site = path.join(folder, 'site');
  const size = readdirSync(site).reduce((sum, name) => sum + gzipSync(readFileSync(path.join(site, name))).length, 0);
  assert.ok(size < 300 * 1024, `${size} bytes`);
  assert.match(readFileSync(path.join(site, 'index.html'), 'utf8'), /http-equiv="Content-Security-Policy"/);
  assert.match(readFileSync(path.join(site, 'licences.txt'), 'utf8'), /@codemirror\/view[\s\S]*ohm-js/);
  assert.doesNotMatch(readFileSync(path.join(site, 'files.json'), 'utf8'), /order/, 'nothing is published that was not named');
  assert.equal(wf(['playground', 'flows', '--out', 'site']).status, 0);
  assert.match(readFileSync(path.join(site, 'files.json'), 'utf8'), /order\.wf/);
  assert.ok(statSync(path.join(site, 'index.html')).size > 0);
});

test('says what is wrong with its options', (context) => {
  const { wf } = folderWith(context, { 'order.wf': order, 'empty/notes.txt': '' });
  const wrong = (...words: string[]): string => {
    const { status, stderr } = wf(['playground', ...words]);
    assert.equal(status, 2);
    return stderr;
  };
  assert.match(wrong('nowhere'), /There is no folder "nowhere"/);
  assert.match(wrong('empty'), /contains no \.wf files/);
  assert.match(wrong('--write'), /--write needs a folder/);
  assert.match(wrong('--port', '99999'), /--port must be a whole number from 0 to 65535/);
  assert.match(wrong('.', '--out', 'site', '--write'), /can't be used with --write/);
  assert.match(wrong('--out', 'order.wf'), /can't be written to "order\.wf"/);
});
