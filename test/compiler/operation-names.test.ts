// Variables with the names of operations: each word that begins one, in each place where an expression may stand, is read as the variable.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkFile } from '../../src/compiler/compile.js';

const words = [
  ...'count sum first last highest lowest average unique fields uppercase lowercase absolute trimmed reversed'.split(' '),
  ...'weekday day week month year hour minute date time start end years days seconds hours working quarter'.split(' '),
  ...'text number characters position remainder record each some every sorted grouped split joined padded percent'.split(' '),
];

/** `#` stands for the variable. A block follows where a line needs one. */
const lines = [
  'set x to #',
  'set x to # plus 1',
  'set x to 1 plus #',
  'set x to (#)',
  'set x to [#, #]',
  'set x to "{#}"',
  'log #',
  'add # to x',
  'complete with a # and b #',
  'reject with #',
  'set x to record with a #',
  'wait # seconds',
  'wait until #',
  'set x to today plus # years',
  'set x to today minus # working days',
  'set x to years from # to today',
  'set x to years from today to #',
  'set x to weekday of #',
  'set x to end of month of #',
  'set x to absolute value of #',
  'if # is 1:',
  'if 1 is #:',
  'if # is above 1 and # is below 3:',
  'if 1 is between # and 2:',
  'if 1 is between 0 and #:',
  'if # exists:',
  'if not #:',
  'if # or #:',
  'if # contains 1:',
  'if # is one of #:',
  'if some item in # satisfies item is #:',
  'set x to # percent of 5',
  'set x to 5 percent of #',
  'set x to 2.5 rounded to # places',
  'set x to # rounded to 2 places',
  'set x to first # of [1, 2]',
  'set x to last # characters of "abc"',
  'set x to characters # to # of "abc"',
  'set x to remainder of # divided by #',
  'set x to text of # written as "1.5"',
  'set x to number of # written as "1.5"',
  'set x to count of #',
  'set x to position of # in [1]',
  'set x to position of 1 in #',
  'set x to highest of #',
  'set x to trimmed #',
  'set x to reversed #',
  'set x to # split by " "',
  'set x to "a" split by #',
  'set x to # joined with ", "',
  'set x to "a" padded to # with "0"',
  'set x to "a" with # replaced by "b"',
  'set x to "a" with "b" replaced by #',
  'set x to # sorted',
  'set x to # sorted by a',
  'set x to # grouped by a',
  'set x to # for each item in [1]',
  'for each item in #:',
  'for each item in # where item is #:',
  'set x to each item in # where item is #',
  'repeat at most # times:',
  'repeat until # is 1, at most # times:',
];

/** With two readings, of which the other one counts. Parentheses make the variable of it. */
const otherReading = new Set([
  // The first so many of 5, for a variable called `percent`.
  ...['first', 'last'].map((word) => `set x to ${word} percent of 5`),
  // A variable called `trimmed`, sorted.
  ...['trimmed', 'reversed'].flatMap((operation) =>
    ['sorted', 'grouped', 'split', 'joined', 'padded', 'percent'].map((word) => `set x to ${operation} ${word}`),
  ),
]);

/** Checks these lines, each by itself, in one file. */
function errorsIn(name: string, written: readonly string[]): string[] {
  const each = written.map(
    (line) =>
      `    set ${name} to request.a\n    set x to request.b\n    ${line}${line.endsWith(':') ? '\n        log "a"' : ''}\n    log "{x}{${name}}"\n`,
  );
  const text = `workflow:\n    trigger: t\n\n${each.join('')}`;
  const { diagnostics } = checkFile(text, 'names.wf');
  const lineOf = text.split('\n');
  return diagnostics
    .filter(({ severity, code }) => severity === 'error' && code !== 'WF104')
    .map(({ line, message }) => `${lineOf[line - 1]?.trim()}: ${message}`);
}

/** Ends the run, so that no line may follow it. */
const isLast = (line: string): boolean => /^(?:complete|reject)/.test(line);

function errorsFor(name: string, written: string): string[] {
  const all = lines.map((line) => line.replaceAll('#', written)).filter((line) => !otherReading.has(line));
  return [all.filter((line) => !isLast(line)), ...all.filter(isLast).map((line) => [line])].flatMap((some) =>
    errorsIn(name, some),
  );
}

test('words that begin operations are variables wherever an expression may stand', () => {
  assert.deepEqual(errorsFor('other', 'other'), [], 'the lines themselves are right');
  assert.deepEqual(
    words.flatMap((word) => errorsFor(word, word)),
    [],
  );
});

test('the lines with another reading are errors, and parentheses mend them', () => {
  // Explaining a line takes long.
  for (const line of [...otherReading].filter((one) => /percent of|sorted$/.test(one))) {
    const [, , , first = '', second = ''] = line.split(' ');
    const name = words.includes(second) && second !== 'percent' ? second : /^trimmed|^reversed/.test(first) ? second : first;
    assert.notDeepEqual(errorsIn(name, [line]), [], line);
    const at = line.lastIndexOf(name);
    assert.deepEqual(errorsIn(name, [`${line.slice(0, at)}(${name})${line.slice(at + name.length)}`]), [], line);
  }
});
