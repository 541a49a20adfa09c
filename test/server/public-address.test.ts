// The addresses that a server hands out behind a proxy: whose headers count, and what a page looks like below a path.
import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { test } from 'node:test';
import { html } from '../../src/console/html/html.js';
import { createPublicAddress, withPrefix } from '../../src/server/app/public-address.js';

const request = (headers: Record<string, string>): IncomingMessage => ({ headers, socket: {} }) as never;
const forwarded = { 'x-forwarded-prefix': '/deep/flows', 'x-forwarded-host': 'wf.example.com', 'x-forwarded-proto': 'https' };

test('the public address counts before all headers', () => {
  const { prefixOf, baseOf } = createPublicAddress({ publicUrl: 'https://a.example/flows', trustProxy: 1 });
  assert.equal(prefixOf(request(forwarded)), '/flows');
  assert.equal(baseOf(request(forwarded)), 'https://a.example/flows');
  assert.equal(createPublicAddress({ publicUrl: 'https://a.example', trustProxy: 0 }).prefixOf(request({})), '');
});

test('forwarded addresses count only from a trusted proxy', () => {
  const trusted = createPublicAddress({ publicUrl: undefined, trustProxy: 1 });
  assert.equal(trusted.prefixOf(request(forwarded)), '/deep/flows');
  assert.equal(trusted.baseOf(request(forwarded)), 'https://wf.example.com/deep/flows');
  const direct = createPublicAddress({ publicUrl: undefined, trustProxy: 0 });
  assert.equal(direct.prefixOf(request(forwarded)), '');
  assert.equal(direct.baseOf(request({ ...forwarded, host: '127.0.0.1:3000' })), 'http://127.0.0.1:3000');
});

test('a prefix that leads elsewhere, or out of the markup, is ignored', () => {
  const { prefixOf, baseOf } = createPublicAddress({ publicUrl: undefined, trustProxy: 1 });
  for (const prefix of [
    '//evil.example',
    '/..',
    '/a/../b',
    'a',
    '/',
    '/a/',
    '/a"><script>',
    '/a b',
    '/a%0d',
    `/${'a'.repeat(200)}`,
  ])
    assert.equal(prefixOf(request({ 'x-forwarded-prefix': prefix })), '', prefix);
  assert.equal(baseOf(request({ 'x-forwarded-host': 'x" -d @/etc/passwd' })), 'http://localhost:3000');
});

test('only addresses of the page change, not the text of people', () => {
  const typed = 'see <a href="/console">, src="/x"';
  const page = html`<a href="/console/runs/1?q=${' href="/'}">${typed}</a><form action="/tasks/7"></form><a href="#L1">1</a><a href="https://a.example/">`;
  const { text = '', headers } = withPrefix(
    { status: 303, text: String(page), type: 'text/html; charset=utf-8', headers: ['Location', '/runs/1', 'Link', '/x'] },
    '/flows',
  );
  assert.deepEqual(headers, ['Location', '/flows/runs/1', 'Link', '/x']);
  assert.equal(text, String(page).replace('"/console/runs', '"/flows/console/runs').replace('"/tasks', '"/flows/tasks'));
  const json = { status: 200, text: '{"a": " href=\\"/x\\""}' };
  assert.deepEqual(withPrefix(json, '/flows'), { ...json });
});
