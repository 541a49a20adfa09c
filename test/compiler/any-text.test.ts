// Any text produces diagnostics with a place, or a module that parses; never an exception.
import { test } from 'node:test';
import fc from 'fast-check';
import { languageWords } from '../../src/compiler/1-layout/alphabet.js';
import { runs, seed } from '../root.js';
import { corpus } from './corpus.js';
import { assertSound } from './sound.js';

const options = { seed: seed(11), numRuns: runs(150) };
const pieces = [
  ...languageWords, ' ', ' ', ' ', '\n', '\n    ', '\n        ', '\r\n', '\r', '\t', '"', '\\', '{', '}', '(', ')', '[', ']', ',', ':', '.', '#', '-', '12', '-3.5', '1e5', 'x', 'request.a', 'a.0.b', '名前', '😀', '\0', '\ufeff', '\u2028', '\ud800', "'", '`', '${', '*/', '</script>', '\u202e', '"text {x}"', 'config:', 'workflow:', 'services:', 'is an API at', 'save the result as', 'on failure:', 'if still failing:',
]; // biome-ignore format: one table
const soup = fc.array(fc.constantFrom(...pieces), { maxLength: 200, size: 'max' }).map((parts) => parts.join(''));
const sample = fc.constantFrom(...corpus().map(({ text }) => text));

test('random text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300, size: 'max' }), (text) => void assertSound(text)),
    options,
  );
});

test('random bytes', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300, size: 'max' }), (bytes) => void assertSound(bytes)),
    options,
  );
});

test('random keywords', () => {
  fc.assert(
    fc.property(soup, (text) => void assertSound(text)),
    { ...options, numRuns: runs(250) },
  );
});

test('random keywords inside a workflow', () => {
  const inside = soup.map(
    (text) =>
      `services:\n    A is an API at "https://a.example"\nworkflow:\n    trigger: x\n    set x to 1\n    ${text.replaceAll('\n', '\n    ')}\n`,
  );
  fc.assert(
    fc.property(inside, (text) => void assertSound(text)),
    { ...options, numRuns: runs(250) },
  );
});

test('valid workflows with pieces inserted, removed and doubled', () => {
  const edit = fc.record({ at: fc.nat(), drop: fc.nat({ max: 12 }), put: fc.option(fc.constantFrom(...pieces), { nil: '' }) });
  const edited = fc.tuple(sample, fc.array(edit, { minLength: 1, maxLength: 5 })).map(([text, edits]) => {
    let result = text;
    for (const { at, drop, put } of edits) {
      const place = at % (result.length + 1);
      result = result.slice(0, place) + put + result.slice(place + drop);
    }
    return result;
  });
  fc.assert(
    fc.property(edited, (text) => void assertSound(text)),
    { ...options, numRuns: runs(250) },
  );
});
