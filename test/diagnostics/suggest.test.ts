import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { boundedDistance } from '../../src/compiler/diagnostics/edit-distance.js';
import { closest, createClosest } from '../../src/compiler/diagnostics/suggest.js';
import { processorTime, slowness } from '../processor-time.js';
import { runs } from '../root.js';

const keywords = [
  'if',
  'otherwise',
  'for each',
  'step',
  'set',
  'log',
  'complete',
  'reject',
  'plus',
  'minus',
  'times',
  'timeout',
  'name',
  'version',
];

for (const [word, meant] of [
  ['tiemout', 'timeout'],
  ['plsu', 'plus'],
  ['compleet', 'complete'],
  ['nmae', 'name'],
  ['If', 'if'],
  ['IF', 'if'],
  ['LOG', 'log'],
  ['Othewise', 'otherwise'],
  ['stp', 'step'],
  ['verison', 'version'],
] as const) {
  test(`"${word}" was meant as "${meant}"`, () => assert.equal(closest(word, keywords), meant));
}

test('suggests names of services', () => {
  assert.equal(closest('EmailVerifer', ['GitHub', 'EmailVerifier', 'Alerts']), 'EmailVerifier');
  assert.equal(closest('EmailChecker', ['EmailVerifier', 'Alerts']), undefined);
  assert.equal(closest('github', ['GitHup', 'GitHub']), 'GitHub');
});

test('prefers the same letters in another case to a smaller mistake', () => {
  assert.equal(closest('total', ['totals', 'TOTAL']), 'TOTAL');
});

test('suggests nothing if nothing is close, for short words, for the word itself, and without candidates', () => {
  assert.equal(closest('banana', keywords), undefined);
  assert.equal(closest('x', ['y', 'xy', 'yx']), undefined);
  assert.equal(closest('fi', ['if']), undefined);
  assert.equal(closest('total', ['total']), undefined);
  assert.equal(closest('total', []), undefined);
  assert.equal(closest('', ['', 'a']), undefined);
});

test('the limit is a third of the letters of the longer word', () => {
  assert.equal(closest('abcxyz', ['abcdef']), undefined);
  assert.equal(closest('abcdxy', ['abcdef']), 'abcdef');
  assert.equal(closest('abc', ['abcd']), 'abcd');
});

test('handles letters beyond ASCII', () => {
  assert.equal(closest('größse', ['größe', 'menge']), 'größe');
  assert.equal(closest('GRÖSSE', ['größe', 'grösse']), 'grösse');
  assert.equal(closest('名前付き', ['名前付', '値']), '名前付');
});

test('ties: the longer common prefix, then the alphabet, whatever the order of the candidates', () => {
  assert.equal(closest('total-a', ['potal-a', 'total-b']), 'total-b');
  assert.equal(closest('item', ['iten', 'itex']), 'iten');
  assert.equal(closest('item', ['itex', 'iten']), 'iten');
});

/** The whole table, without any shortcut. */
function plainDistance(one: string, other: string): number {
  const rows: number[][] = [];
  const at = (row: number, column: number): number => rows[row]?.[column] ?? Number.NaN;
  for (let row = 0; row <= one.length; row++) {
    const line: number[] = [];
    rows.push(line);
    for (let column = 0; column <= other.length; column++) {
      if (row === 0 || column === 0) {
        line.push(row + column);
        continue;
      }
      let least = Math.min(
        at(row - 1, column) + 1,
        (line[column - 1] ?? 0) + 1,
        at(row - 1, column - 1) + (one[row - 1] === other[column - 1] ? 0 : 1),
      );
      if (row > 1 && column > 1 && one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1])
        least = Math.min(least, at(row - 2, column - 2) + 1);
      line.push(least);
    }
  }
  return at(one.length, other.length);
}

test('the bounded distance equals the plain one, up to its limit', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 12 });
  fc.assert(
    fc.property(word, word, fc.nat(6), (one, other, limit) => {
      const plain = plainDistance(one, other);
      assert.equal(boundedDistance(one, other, limit), plain <= limit ? plain : Number.POSITIVE_INFINITY);
    }),
    { numRuns: runs(3000) },
  );
});

test('the suggestion does not depend on the order of the candidates', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'B', 'b', 'c'), minLength: 3, maxLength: 7 });
  fc.assert(
    fc.property(
      word,
      fc.array(word, { maxLength: 6 }),
      (one, others) => closest(one, others) === closest(one, [...others].reverse()),
    ),
  );
});

test('3,000 questions about 3,000 names are cheap, and words of a megabyte harmless', () => {
  const names = new Set(Array.from({ length: 3000 }, (_, index) => `field-${(index * 7919) % 100_000}-of-order`));
  const took = processorTime();
  for (let index = 0; index < 3000; index++) closest(`custmer-${index}`, names);
  assert.ok(took() < 3000 * slowness());
  assert.equal(closest('a'.repeat(1_000_000), [`${'a'.repeat(999_999)}b`]), undefined);
});

test('the questions of one compilation share a budget, and get no answers past it', () => {
  const ask = createClosest(1000);
  assert.equal(ask('tiemout', keywords), 'timeout');
  ask(
    'nothing',
    Array.from({ length: 2000 }, (_, index) => `n${index}`),
  );
  assert.equal(ask('tiemout', keywords), undefined);
});

test('40,000 faults among 40,000 names end in time', () => {
  const names = Array.from({ length: 40_000 }, (_, index) => `variable-${index}`);
  const ask = createClosest();
  const took = processorTime();
  for (let index = 0; index < 40_000; index++) ask(`variabel-${index}`, names);
  assert.ok(took() < 3000 * slowness());
});
