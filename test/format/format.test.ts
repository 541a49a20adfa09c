// `format`: one form, the same content, and the same module but for its line numbers.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import fc from 'fast-check';
import { layout } from '../../src/compiler/1-layout/layout.js';
import type { Line } from '../../src/compiler/1-layout/line.js';
import { readLines } from '../../src/compiler/2-parse/read-lines.js';
import { compile } from '../../src/compiler/compile.js';
import { contentOf, type Formatted, format } from '../../src/format/format.js';
import { corpus, corpusAlone } from '../compiler/corpus.js';
import { fixture, runs, seed } from '../root.js';

// Files with another layout than their form, and how lines correspond.

/** The numbers of all lines that say something, in their order. */
function lineNumbers(text: string): number[] {
  const numbers: number[] = [];
  const add = (lines: readonly Line[]): void => {
    for (const { number, children, pieces = [] } of lines) {
      numbers.push(number, ...pieces.map((_, index) => number + 1 + index));
      add(children);
    }
  };
  add(readLines(layout(text).tokens));
  return numbers;
}

/** What to change in a file: the numbers decide where and how much. */
interface LayoutChange {
  /** What a level is indented by. */
  readonly unit: string;
  readonly lineEnd: string;
  /** Used in turn: how many spaces a gap gets in addition, and whether a blank line is doubled. */
  readonly extra: readonly number[];
}

/** The file with other spaces and blank lines, but with the same form. */
function withOtherLayout(text: string, { unit, lineEnd, extra }: LayoutChange): string {
  let turn = 0;
  const next = (): number => extra[turn++ % extra.length] ?? 0;
  const heads = new Map<number, Line>();
  /** Under a long text, options are known by their words with one space between them. */
  const fixed = new Set<Line>();
  const add = (lines: readonly Line[], areFixed: boolean): void => {
    for (const line of lines) {
      heads.set(line.number, line);
      if (areFixed) fixed.add(line);
      add(line.children, areFixed || line.pieces !== undefined);
    }
  };
  add(readLines(layout(text).tokens), false);
  const written = text.split(/\r?\n/);
  const result: string[] = [];
  for (let number = 1; number <= written.length; number++) {
    const whole = written[number - 1] ?? '';
    const line = heads.get(number);
    if (line === undefined) {
      result.push(whole.trim() === '' ? ' '.repeat(next()) : unit.repeat(whole.search(/\S/) / 4) + whole.trim());
      if (whole === '') for (let left = next(); left > 0; left--) result.push('');
      continue;
    }
    let changed = unit.repeat(line.depth);
    const count = line.pieces === undefined ? line.shape.length : line.shape.length - 1;
    for (let index = 0; index < count; index++) {
      const [start = 0, end = 0] = line.offsets.slice(2 * index, 2 * index + 2);
      const gap = index === 0 ? '' : text.slice(line.offsets[2 * index - 1], start);
      changed += gap + (gap === '' || fixed.has(line) ? '' : ' '.repeat(next())) + text.slice(start, end);
    }
    const rest = whole.trimStart().slice(line.end - line.start);
    result.push(changed + rest + ' '.repeat(next()));
    for (const { start, end } of line.pieces ?? [])
      result.push(start === end ? '' : unit.repeat(line.depth + 1) + text.slice(start, end));
    number += line.pieces?.length ?? 0;
    if (line.children.length > 0) for (let left = next(); left > 0; left--) result.push('');
  }
  return result.join(lineEnd);
}

const textOf = (formatted: Formatted): string =>
  formatted.isReadable ? formatted.text : assert.fail(JSON.stringify(formatted.errors));
const formatted = (text: string): string => textOf(format(text));
const flow = (body: string): string => `config:\n    name: "Case"\n    version: 1\n\nworkflow:\n    trigger: t\n\n${body}`;

test('every fixture and example keeps its content, and a second time changes nothing', () => {
  for (const { name, text } of corpus()) {
    const once = formatted(text);
    assert.equal(contentOf(once), contentOf(text), name);
    assert.equal(formatted(once), once, name);
  }
});

test('the examples are in their form', () => {
  for (const name of readdirSync(fixture('examples')).filter((file) => file.endsWith('.wf'))) {
    const text = readFileSync(fixture('examples', name), 'utf8');
    assert.equal(formatted(text), text, name);
  }
});

const withoutColumns = (code: string): string =>
  code.replace(/^(const location\$\d+ = \[\d+).*$/gm, '$1').replace(/^ *\/\/ .*\n/gm, '');

/** A module without columns and comments, cut at its numbers. */
const cut = (text: string): string[] => {
  const compiled = compile(text, { file: 'case.wf', format: 'esm' });
  return compiled.hasErrors
    ? assert.fail(JSON.stringify(compiled.diagnostics[0]))
    : withoutColumns(compiled.emitted.code).split(/(\d+)/);
};

test('the module is the same but for line numbers', () => {
  let count = 0;
  for (const { name, text } of corpusAlone()) {
    const other = withOtherLayout(text, { unit: '    ', lineEnd: '\r\n', extra: [1, 0, 2] });
    const once = formatted(other);
    const before = lineNumbers(other);
    const lines = new Map(lineNumbers(once).map((number, index) => [String(before[index]), String(number)]));
    const [old, now] = [cut(other), cut(once)];
    assert.equal(old.length, now.length, name);
    for (const [index, part] of old.entries())
      if (part !== now[index]) assert.equal(lines.get(part), now[index], `${name}: ${old.slice(index - 2, index + 3).join('')}`);
    count++;
  }
  assert.ok(count > 50);
});

test('whatever the layout was, the form is one', () => {
  const files = corpus().map(({ text }) => formatted(text));
  const unit = fc.constantFrom('  ', '   ', '    ', '        ', '\t');
  const layouts = fc.record({
    file: fc.nat(files.length - 1),
    unit,
    lineEnd: fc.constantFrom('\n', '\r\n'),
    extra: fc.array(fc.nat(3), { minLength: 1, maxLength: 20 }),
  });
  fc.assert(
    fc.property(layouts, ({ file, ...change }) => {
      const text = files[file] ?? '';
      assert.equal(formatted(withOtherLayout(text, change)), text);
    }),
    { seed: seed(31), numRuns: runs(300) },
  );
});

test('whatever a file contains, formatting it ends', () => {
  const pieces = ['\n', '    ', '\t', '# c', 'set a to 1', 'if a:', 'workflow:', '"', '|', '{', '\u0000', '\ufeff', 'ä', '\r'];
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.constantFrom(...pieces), fc.string()), { maxLength: 30 }), (parts) => {
      const once = format(parts.join(''));
      if (once.isReadable) assert.equal(formatted(once.text), once.text);
      else assert.ok(once.errors.length > 0);
    }),
    { seed: seed(32), numRuns: runs(500) },
  );
});

test('blank lines: one at most, none after an opening line, one before a step and a section', () => {
  assert.equal(
    formatted(
      flow(
        '\n\n    step A:\n\n        log "a"\n    # of B\n    step B:\n\n\n        # of C\n        step C:\n            log "c"\n\n\n\n        log "d"\n\n\n',
      ),
    ),
    flow(
      '    step A:\n        log "a"\n\n    # of B\n    step B:\n        # of C\n        step C:\n            log "c"\n\n        log "d"\n',
    ),
  );
  assert.equal(
    formatted('config:\n    version: 1\n# of all\nworkflow:\n    trigger: t\n    log "x"'),
    'config:\n    version: 1\n\n# of all\nworkflow:\n    trigger: t\n    log "x"\n',
  );
});

test('comments take the depth of the statement below, except at the end of a block', () => {
  assert.equal(
    formatted(
      flow(
        '# a\n    if request.a:\n  # b\n        log "x" # c\n        # d\n      # e\n    # f\n            # g\n    complete\n            # h\n# i\n',
      ),
    ),
    flow(
      '    # a\n    if request.a:\n        # b\n        log "x" # c\n        # d\n        # e\n    # f\n    # g\n    complete\n    # h\n# i\n',
    ),
  );
});

test('brackets, commas and colons', () => {
  assert.equal(
    formatted(
      flow('    set a to [ 1,2 ,3 ]\n    set b to (a . 0)\n'.replace('a . 0', 'count of  a')) +
        '    if ( b  is above 1 ) :\n        log b\n    wait until today at 9 :30\n',
    ),
    flow(
      '    set a to [1, 2, 3]\n    set b to (count of a)\n    if (b is above 1):\n        log b\n    wait until today at 9:30\n',
    ),
  );
});

test('rows are aligned by what is seen', () => {
  const table =
    'tables:\n    Fee:\n        |city is|fee|\n        |---|---|\n        | "東京" | 4.90 | # far\n        |"Ulm"| 1|\n\n';
  assert.equal(
    formatted(flow('    complete\n').replace('workflow:', `${table}workflow:`))
      .split('\n')
      .slice(6, 10)
      .join('\n'),
    '        | city is | fee  |\n        | ---     | ---  |\n        | "東京"  | 4.90 | # far\n        | "Ulm"   | 1    |',
  );
});

test('texts of several lines stay as they are', () => {
  const text = (unit: string): string =>
    flow('    set letter to text:\n').replace(/^ {4}/gm, unit) +
    `${unit}${unit}Dear   {request.name},  \n\n\n${unit}${unit}  - one # no comment\n${unit}${unit}\tbye\n\n${unit}log letter\n`;
  const value = '        Dear   {request.name},  \n\n\n          - one # no comment\n        \tbye\n\n    log letter\n';
  for (const unit of ['  ', '    ', '        ', '\t'])
    assert.ok(formatted(text(unit)).endsWith(value), JSON.stringify(formatted(text(unit))));
});

test('a file with a syntax error is left alone, one with an unknown name is not', () => {
  const wrong = format(flow('    if  request.a is\n        log "x"\n'));
  assert.deepEqual(wrong.isReadable ? [] : wrong.errors.map(({ code }) => code), ['WF040']);
  assert.equal(formatted(flow('    log   nobody\n')), flow('    log nobody\n'));
  // One line with a space too many is a mistake, not a habit.
  assert.equal(format(flow('    if request.a:\n         log "x"\n')).isReadable, false);
});

test('a file without a workflow is left alone', () => {
  assert.equal(format('').isReadable, false);
});
