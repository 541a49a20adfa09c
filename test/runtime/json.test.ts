// Parsing JSON: what is read, what stays text, where a fault is and how it is described; UTF-8.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { atOnce } from '../../runtime/in-turns.js';
import type { Value } from '../../runtime/types.js';
import { decodeUtf8, parseJson, parseJsonBytes } from '../../runtime/values/json.js';
import { knownJson, parseLongJson } from '../../runtime/values/long-json.js';
import { show } from '../../runtime/values/values.js';
import { runs } from '../root.js';
import * as any from './arbitraries.js';

function parsed(text: string, maxDepth?: number): Value {
  const result = parseJson(text, maxDepth === undefined ? undefined : { maxDepth });
  assert.ok(result.ok, result.ok ? '' : `${result.message} ${text}`);
  return result.value;
}

function fault(text: string): string {
  const result = parseJson(text);
  assert.ok(!result.ok, text);
  return `${result.line}:${result.column} ${result.message}`;
}

test('integers that a number would change stay text, digit for digit', () => {
  const cases: [string, string][] = [
    ['12345678901234567890', '"12345678901234567890"'],
    ['-12345678901234567890', '"-12345678901234567890"'],
    ['9007199254740993', '"9007199254740993"'],
    ['9007199254740992', '9007199254740992'],
    ['1234567890123456', '1234567890123456'],
    ['100000000000000000000', '100000000000000000000'],
    ['1152921504606846976', '"1152921504606846976"'],
    ['1000000000000000000000', '"1000000000000000000000"'],
    ['[1,{"id":98765432109876543210, "n": 1.5}]', '[1,{"id":"98765432109876543210","n":1.5}]'],
    ['{"a":[12345678901234567890 ,"12345678901234567890"]}', '{"a":["12345678901234567890","12345678901234567890"]}'],
    ['["a\\"12345678901234567890",12345678901234567890]', '["a\\"12345678901234567890","12345678901234567890"]'],
    ['0.123456789012345678', '0.12345678901234568'],
    ['1e400', '"1e400"'],
    ['[-1.5E+999]', '["-1.5E+999"]'],
    ['1e3', '1000'],
    ['1.5', '1.5'],
    ['-0', '0'],
  ];
  for (const [text, expected] of cases) assert.equal(JSON.stringify(parsed(text)), expected, text);
});

test('keys: __proto__ is data, and the last duplicate counts', () => {
  const value = parsed('{"__proto__":{"polluted":true},"a":1,"a":2}');
  assert.equal(JSON.stringify(value), '{"__proto__":{"polluted":true},"a":2}');
  assert.equal('polluted' in {}, false);
});

test('drops a byte order mark, keeps lone surrogates', () => {
  assert.equal(JSON.stringify(parsed('\ufeff{"a":12345678901234567890}')), '{"a":"12345678901234567890"}');
  assert.equal(parsed('"\ud83d"'), '\ud83d');
  assert.equal(parsed('"\\ud83d"'), '\ud83d');
  assert.match(fault('\ufeff\n x'), /^2:2 /);
});

test('refuses excessive depth before anything recurses', () => {
  const brackets = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
  parsed(brackets(200));
  assert.equal(fault(brackets(201)), '1:201 Lists and objects are nested more than 200 levels deep.');
  assert.match(fault('{"a":'.repeat(100_000)), /nested more than 200 levels deep/);
  assert.match(fault('['.repeat(1_000_000)), /nested more than 200 levels deep/);
  parsed(brackets(5000), 5000);
  parsed(`[${'[],'.repeat(1000)}"${'['.repeat(1000)}"]`);
  assert.equal(parseJson('[[1]]', { maxDepth: 1 }).ok, false);
});

test('reports faults by line and column, in plain words', () => {
  const cases: [string, string][] = [
    ['', '1:1 Expected a JSON value, but the text is empty.'],
    [' \n ', '2:2 Expected a JSON value, but the text is empty.'],
    ['{name: 1}', '1:2 Expected a field name in double quotes, but found "name".'],
    ["{'a': 1}", '1:2 Put field names in double quotes, not single quotes.'],
    ['{"a":', '1:6 The JSON ends too early: a value is missing.'],
    ['{"a"', '1:5 The JSON ends too early: ":" and a value are missing.'],
    ['{"a" 1}', '1:6 Expected ":" before "1".'],
    ['{"a": 1', '1:8 The JSON ends too early: "}" is missing.'],
    ['[1, 2', '1:6 The JSON ends too early: "]" is missing.'],
    ['{', '1:2 The JSON ends too early: "}" is missing.'],
    ['{"a": 1,\n "b": 2,\n}', '2:8 Remove the comma before the closing "}".'],
    ['[1,]', '1:3 Remove the comma before the closing "]".'],
    ['[,1]', '1:2 Expected a value, but found ",".'],
    ['[1 2]', '1:4 Expected a comma or "]" before "2".'],
    ['{"a": 1\n "b": 2}', '2:2 Expected a comma or "}" before another quoted text.'],
    ['[1}', '1:3 Expected a comma or "]" before "}".'],
    ['{} x', '1:4 Expected the end of the JSON, but found "x".'],
    ['[1] // done', '1:5 Expected the end of the JSON, but found "/".'],
    ['{"a": // x\n1}', '1:7 JSON does not allow comments.'],
    ["['a']", '1:2 Put text in double quotes, not single quotes.'],
    ['[NaN]', '1:2 Expected a value, but found "NaN".'],
    ['[True]', '1:2 Expected a value, but found "True".'],
    ['[undefined]', '1:2 Expected a value, but found "undefined".'],
    ['[01]', '1:2 A number must not have leading zeros.'],
    ['[1.]', '1:3 Expected a digit after the decimal point of a number.'],
    ['[1e]', '1:3 Expected a digit after the exponent of a number.'],
    ['[-]', '1:2 Expected a digit after "-".'],
    ['[+1]', '1:2 Expected a value, but found "+1".'],
    ['"abc', '1:1 The text that starts here has no closing quote.'],
    ['"a\nb"', '1:3 Text must end on the line where it starts. Write a line break as \\n.'],
    ['"a\tb"', '1:3 Text must not contain the character U+0009 directly. Write it as an escape.'],
    ['"C:\\dir"', '1:4 This backslash starts no known escape. Write a literal backslash as \\\\.'],
    ['"\\u12g4"', '1:2 This backslash starts no known escape. Write a literal backslash as \\\\.'],
    ['{"a":\u00a01}', '1:6 Expected a value, but found the character U+00A0.'],
    ['{12345678901234567890: 1}', '1:2 Expected a field name in double quotes, but found "12345678901234567890".'],
    ['00000000000000000001', '1:1 A number must not have leading zeros.'],
    ['[1 12345678901234567890]', '1:4 Expected a comma or "]" before "12345678901234567890".'],
    ['[--12345678901234567890]', '1:2 Expected a digit after "-".'],
  ];
  for (const [text, expected] of cases) assert.equal(fault(text), expected, text);
});

test('the place of a fault is an offset into the original text', () => {
  const result = parseJson('\ufeff[1,\n x]');
  assert.ok(!result.ok);
  assert.deepEqual([result.line, result.column, result.offset], [2, 2, 6]);
});

/** JSON with one mistake, which may by chance be none. */
const almostJson = fc
  .tuple(
    any.value.map((value) => show([value])),
    fc.nat(),
    fc.constantFrom(
      '',
      ',',
      '"',
      ']',
      '}',
      '{',
      '[',
      ':',
      '0',
      '-',
      '.',
      'e',
      '\\',
      ' ',
      'true',
      '\n',
      '12345678901234567890',
      '\u00a0',
      '1e999',
    ),
    fc.nat(2),
  )
  .map(([text, where, piece, cut]) => {
    const at = where % (text.length + 1);
    return text.slice(0, at) + piece + text.slice(at + cut);
  });

test('accepts exactly what JSON.parse accepts, with a reason for every fault', () => {
  fc.assert(
    fc.property(fc.oneof(almostJson, fc.string()), (text) => {
      let expected: boolean;
      try {
        JSON.parse(text);
        expected = true;
      } catch {
        expected = false;
      }
      const result = parseJson(text);
      assert.equal(result.ok, expected, text);
      if (!result.ok) {
        assert.doesNotMatch(result.message, /cannot be read as JSON/);
        assert.ok(result.offset >= 0 && result.offset <= text.length);
        // Everything before the fault is valid so far: truncated there, the text has no earlier fault.
        const again = parseJson(text.slice(0, result.offset));
        assert.ok(
          again.ok ||
            again.offset >= result.offset ||
            /ends too early|no closing quote|missing after|line break/.test(again.message),
          text,
        );
      }
    }),
    { numRuns: runs(20_000) },
  );
});

test('reads values without oversized numbers as JSON.parse does', () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 6 }), (text) => {
      if (!/\d{16}|e/i.test(text.replace(/"(?:[^"\\]|\\.)*"/g, ''))) assert.deepEqual(parsed(text), JSON.parse(text));
    }),
  );
});

test('the digits of any integer survive unchanged', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n }), (integer) => {
      assert.equal(show(parsed(String(integer))), String(integer));
      assert.equal(show(parsed(`{"a":[${integer}]}`)).replaceAll('"', ''), `{a:[${integer}]}`);
    }),
  );
});

test('decodes UTF-8 without its byte order mark, and names the line of invalid bytes', () => {
  const bytes = (text: string, ...more: number[]) => Uint8Array.from([...new TextEncoder().encode(text), ...more]);
  assert.deepEqual(decodeUtf8(bytes('\ufeffa€\u{1f600}')), { ok: true, text: 'a€\u{1f600}' });
  assert.deepEqual(decodeUtf8(new Uint8Array()), { ok: true, text: '' });
  assert.deepEqual(decodeUtf8(bytes('a', 0xff)), { ok: false, line: 1 });
  assert.deepEqual(decodeUtf8(bytes('a\nß\r\nb', 0xe4, 0x0a, 0x41)), { ok: false, line: 3 });
  assert.deepEqual(decodeUtf8(bytes('a\n', 0xed, 0xa0, 0x80)), { ok: false, line: 2 });
});

const inLongText = (middle: string): string => `{"before":${numbers(30_000)},${middle},"after":{"list":[${numbers(30_000)}]}}`;
const numbers = (count: number): string => `[${Array.from({ length: count }, (_, index) => index).join()}]`;
const keys = `{${Array.from({ length: 20_000 }, (_, index) => `"k${index}":${index}`).join()}}`;

const longTexts: Readonly<Record<string, string>> = {
  values: `"a":1,"b":${keys},"a":[${keys},${keys} , 2],"c":"${'\\"é'.repeat(50_000)}"`,
  'names of fields': `"__proto__":${keys},"\\u0061 b" : ${keys},"7":1,"":2`,
  'nothing but brackets': `"a":[${'[],{},'.repeat(40_000)}[]]`,
  'numbers that stay text': `"a":12345678901234567890,"b":{"c":[1e400,${numbers(30_000)}]}`,
  depth: `"a":${'['.repeat(150)}${numbers(40_000)}${']'.repeat(150)}`,
  'too much depth': `"a":${'['.repeat(300)}${numbers(40_000)}${']'.repeat(300)}`,
  'too much depth in few characters': `"a":${'['.repeat(300)}${']'.repeat(300)},"b":${keys}`,
  'a comma too many at the end': `"a":[${numbers(40_000)},]`,
  'a comma too many': `"a":[${numbers(40_000)},,1]`,
  'no comma': `"a":[${keys} ${keys}]`,
  'no colon': `"a" ${keys}`,
  'the wrong bracket': `"a":[${numbers(40_000)}}`,
  'an end too early': `"a":1}`,
  'a name without quotes': `a:${keys}`,
  'half a text': `"a":"`,
};

for (const [title, middle] of Object.entries(longTexts)) {
  test(`long JSON is read in parts as at once: ${title}`, () => {
    for (const text of [inLongText(middle), `\ufeff ${inLongText(middle)} `, `${inLongText(middle)}]`]) {
      const value = atOnce(parseLongJson(Buffer.from(text), true));
      assert.deepEqual(value, parseJsonBytes(Buffer.from(text)));
      if (value?.ok !== true) continue;
      const known = knownJson(value.value);
      if (known !== undefined) assert.deepEqual(JSON.parse(known), value.value);
      assert.equal(known === undefined, title.startsWith('numbers that'));
    }
  });
}

test('of a fault in very long JSON, only the place is named', () => {
  const lines = `{"a":${keys},\n"b":[${`${keys},`.repeat(5)}\n`;
  for (const [rest, line, column, message = 'This is not valid JSON.'] of [
    ['1,,2]}', 3, 3],
    ['1 2]}', 3, 3],
    ['1}', 3, 2],
    ['1]', 3, 3, 'The JSON ends too early.'],
  ] as const)
    assert.deepEqual(atOnce(parseLongJson(Buffer.from(lines + rest))), {
      ok: false,
      message,
      line,
      column,
      offset: lines.length + column - 1,
    });
});
