import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Diagnostic } from '../../src/compiler/diagnostics/diagnostic.js';
import { createLineMap, locate } from '../../src/compiler/diagnostics/locate.js';

const at = (start: number, end: number): Diagnostic => ({ code: 'WF001', severity: 'error', span: { start, end }, message: 'x' });
const place = (text: string, start: number, end: number) => {
  const { line, column, length, sourceLine } = locate(at(start, end), 'a.wf', text);
  return [line, column, length, sourceLine];
};

test('lines end in LF or CRLF', () => {
  const text = 'one\r\ntwo\nthree';
  assert.deepEqual(place(text, 0, 3), [1, 1, 3, 'one']);
  assert.deepEqual(place(text, 5, 8), [2, 1, 3, 'two']);
  assert.deepEqual(place(text, 11, 13), [3, 3, 2, 'three']);
});

test('ends a span with its line, and makes it at least one long', () => {
  assert.deepEqual(place('one\r\ntwo', 1, 8), [1, 2, 2, 'one']);
  assert.deepEqual(place('one\r\ntwo', 3, 3), [1, 4, 1, 'one']);
  assert.deepEqual(place('one\r\ntwo', 4, 5), [1, 4, 1, 'one']);
  assert.deepEqual(place('one', 3, 3), [1, 4, 1, 'one']);
});

test('text after the last line break belongs to the line before', () => {
  assert.deepEqual(place('one\ntwo\n', 8, 8), [2, 4, 1, 'two']);
  assert.deepEqual(place('one', 99, 120), [1, 4, 1, 'one']);
  assert.deepEqual(place('', 0, 0), [1, 1, 1, '']);
  assert.deepEqual(place('', -5, 9), [1, 1, 1, '']);
});

test('keeps the diagnostic itself', () => {
  const located = locate({ ...at(0, 1), suggestion: 's', hint: 'h' }, 'a.wf', createLineMap('one'));
  assert.deepEqual(located, {
    code: 'WF001',
    severity: 'error',
    span: { start: 0, end: 1 },
    message: 'x',
    suggestion: 's',
    hint: 'h',
    file: 'a.wf',
    line: 1,
    column: 1,
    length: 1,
    sourceLine: 'one',
  });
});

test('finds for every offset the line that splitting the text finds', () => {
  const text = fc.string({ unit: fc.constantFrom('a', '\n', '\r\n', 'é', '𝒳'), maxLength: 30 });
  fc.assert(
    fc.property(text, fc.nat(60), (source, offset) => {
      const map = createLineMap(source);
      const lines = source.split('\n');
      assert.equal(map.count, lines.length);
      const line = map.lineAt(offset);
      assert.equal(line, source.slice(0, offset).split('\n').length);
      assert.equal(map.textOf(line), (lines[line - 1] ?? '').replace(/\r$/, ''));
    }),
  );
});
