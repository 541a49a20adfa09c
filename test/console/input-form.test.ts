// The form of declared inputs, and what becomes of what is typed into it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { acceptRequest } from '../../runtime/inputs/accept-request.js';
import type { InputField } from '../../runtime/inputs/input-types.js';
import { inputFields, requestOf, untyped } from '../../src/console/pages/workflows/request-forms.js';

const inputs: readonly InputField[] = [
  { name: 'customer', kind: { is: 'text' } },
  { name: 'amount', kind: { is: 'number', from: 1 } },
  { name: 'due', kind: { is: 'date', from: '2026-01-01' }, optional: true },
  { name: 'express', kind: { is: 'yes or no' }, otherwise: false },
  { name: 'country', kind: { is: 'choice', values: ['DE', '<b>'] } },
  {
    name: 'address',
    kind: { is: 'record', fields: [{ name: 'zip', kind: { is: 'text', like: '#####' } }] },
    optional: true,
  },
  { name: 'tags', kind: { is: 'list', of: { is: 'text' } }, optional: true },
];

const form = (typed: Readonly<Record<string, string>> = {}): string =>
  inputFields(inputs, (path) => typed[path] ?? '')
    .map(String)
    .join('\n');

test('each field has the control of its kind, and says what it must be', () => {
  const text = form({ country: '<b>', customer: '"><script>' });
  assert.match(
    text,
    /<label><span>amount <span class="hint">a number of at least 1<\/span><\/span> <input name="field:amount" type="text"[^>]* inputmode="decimal" required>/,
  );
  assert.match(text, /<input name="field:due" type="date"[^>]* min="2026-01-01">/);
  assert.match(text, /express <span class="hint">yes or no, otherwise no<\/span>.*<option value="yes">yes<\/option>/);
  assert.match(text, /<select name="field:country" required>.*<option value="&lt;b&gt;" selected>&lt;b&gt;<\/option>/);
  assert.match(
    text,
    /name="field:address\.zip" type="text" autocomplete="off">/,
    'a field of an optional record is not required',
  );
  assert.match(text, /tags <span class="hint">a list of texts, optional, as JSON<\/span>.*<textarea name="field:tags"/);
  assert.doesNotMatch(text, /<script>|<b>/);
});

test('what is typed becomes what is declared', () => {
  const typed = [
    ['customer', '007'],
    ['amount', '12.50'],
    ['express', 'yes'],
    ['country', 'DE'],
    ['address.zip', '01234'],
    ['tags', '["a","b"]'],
    ['due', ''],
  ] as const;
  const read = (text: string) => (text.startsWith('[') ? untyped(text) : text);
  const { request, problems } = acceptRequest(inputs, requestOf(typed, read), { untyped });
  assert.deepEqual(problems, []);
  assert.deepEqual(request, {
    customer: '007',
    amount: 12.5,
    express: true,
    country: 'DE',
    address: { zip: '01234' },
    tags: ['a', 'b'],
  });
});
