// Everything in a template is text, never markup.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { html } from '../../src/console/html/html.js';

const text = (given: string): string => html`<p>${given}</p>`.toString();

test('escapes markup in values, in text and in attributes', () => {
  assert.equal(text('<script>alert("1")</script>&'), '<p>&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;&amp;</p>');
  assert.equal(html`<a title="${`"'><x`}">`.toString(), '<a title="&quot;&#39;&gt;&lt;x">');
});

test('nests templates, joins lists, and shows nothing for missing values', () => {
  const items = ['a', '<b>'].map((item) => html`<li>${item}`);
  assert.equal(html`<ul>${items}${undefined}${null}${false}${0}</ul>`.toString(), '<ul><li>a<li>&lt;b&gt;0</ul>');
});

test('writes out direction marks and control characters', () => {
  assert.equal(text('invoice\u202efdp.exe\0'), '<p>invoice[U+202E]fdp.exe[U+0000]</p>');
  assert.equal(html`<input value="${'a\u202eb'}">`.toString(), '<input value="a\u202eb">', 'a form gives back what it was given');
  assert.equal(text('line\nline\tend'), '<p>line\nline\tend</p>');
});

test('no text leaves its element or attribute', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (given) => {
      assert.doesNotMatch(html`${given}`.toString(), /[<>"']/);
      assert.doesNotMatch(html`<a title="${given}">`.toString().slice(10, -2), /[<>"']/);
    }),
  );
});

test('an object that only looks like markup is not markup', () => {
  // What a hostile record could contain. Parts are recognized by their class, which data never has.
  const hostile = JSON.parse('[{"text":"<b>"}]');
  assert.throws(() => html`${hostile}`.toString());
});
