import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type Fault, renderText, summary } from '../../src/compiler/diagnostics/render-text.js';
import { processorTime, slowness } from '../processor-time.js';

const fault = (more: Partial<Fault> = {}): Fault => ({
  code: 'WF021',
  severity: 'error',
  file: 'order.wf',
  line: 12,
  column: 28,
  length: 12,
  sourceLine: '    verify the email using EmailChecker',
  message: 'I don\'t know the service "EmailChecker": it is not declared in services:.',
  suggestion: 'EmailVerifier',
  hint: 'every service is declared at the top of the file:\n    services:\n        EmailChecker is an API at "https://..."',
  ...more,
});
const bare = { suggestion: undefined, hint: undefined } as unknown as Partial<Fault>;
const render = (more: Partial<Fault> = {}, colour = false) => renderText([fault(more)], { colour });
/** The source line and the line of carets. */
const shown = (sourceLine: string, column: number, length: number): [string, string] => {
  const [, , line = '', carets = ''] = render({ sourceLine, column, length }).split('\n');
  return [line, carets];
};

test('shows a diagnostic with its place, its line and a hint', () => {
  assert.equal(
    render(),
    `Error in order.wf, line 12 (WF021):

    verify the email using EmailChecker
                           ^^^^^^^^^^^^
    I don't know the service "EmailChecker": it is not declared in services:.

    Did you mean "EmailVerifier"?

    Hint: every service is declared at the top of the file:
        services:
            EmailChecker is an API at "https://..."`,
  );
});

test('shows a warning, and separates diagnostics with a blank line', () => {
  const one: Fault = {
    code: 'WF101',
    severity: 'warning',
    file: 'a.wf',
    line: 1,
    column: 1,
    length: 3,
    sourceLine: 'log',
    message: 'one',
  };
  assert.equal(
    renderText([one, { ...one, line: 2, message: 'two' }], { colour: false }),
    'Warning in a.wf, line 1 (WF101):\n\n    log\n    ^^^\n    one\n\nWarning in a.wf, line 2 (WF101):\n\n    log\n    ^^^\n    two',
  );
  assert.equal(renderText([], { colour: false }), '');
});

test('handles a missing source line, a blank one, and an empty file', () => {
  const { sourceLine: _text, suggestion: _meant, hint: _hint, ...without } = fault();
  assert.equal(renderText([{ ...without, message: 'm' }], { colour: false }), 'Error in order.wf, line 12 (WF021):\n\n    m');
  assert.equal(
    renderText([{ ...without, message: 'm', sourceLine: '  ' }], { colour: false }),
    'Error in order.wf, line 12 (WF021):\n\n    m',
  );
  assert.equal(
    renderText([{ code: 'WF601', severity: 'error', file: 'order.wf', message: 'm' }], { colour: false }),
    'Error in order.wf (WF601):\n\n    m',
  );
});

test('removes the indentation, unless it is at fault', () => {
  assert.deepEqual(shown('        log "x"', 9, 3), ['    log "x"', '    ^^^']);
  assert.deepEqual(shown('   log "x"', 1, 3), ['       log "x"', '    ^^^']);
  assert.deepEqual(shown('\tlog', 1, 1), ['        log', '    ^^^^']);
});

test('puts carets below the fault: wide letters, marks, emoji, tabs, control characters', () => {
  assert.deepEqual(shown('log "名前" nope', 10, 4), ['    log "名前" nope', `${' '.repeat(15)}^^^^`.slice(0, 19)]);
  assert.deepEqual(shown('log 名前', 5, 2), ['    log 名前', '        ^^^^']);
  assert.deepEqual(shown('log "e\u0301" nope', 10, 4), ['    log "e\u0301" nope', '            ^^^^']);
  assert.deepEqual(shown('log "👩‍👩‍👧" nope', 16, 4), ['    log "👩‍👩‍👧" nope', '             ^^^^']);
  assert.deepEqual(shown('log "🇩🇪" nope', 12, 4), ['    log "🇩🇪" nope', '             ^^^^']);
  assert.deepEqual(shown('log\tnope', 5, 4), ['    log    nope', '           ^^^^']);
  assert.deepEqual(shown('log "\u001b[2J" nope', 12, 4), ['    log "\\u001b[2J" nope', '                    ^^^^']);
  assert.deepEqual(shown('log "\u202e" nope', 9, 4), ['    log "\\u202e" nope', '                 ^^^^']);
  assert.deepEqual(shown('log x', 6, 1), ['    log x', '         ^']);
});

test('cuts a line over 160 columns around the fault', () => {
  const long = `log "${'a'.repeat(300)}" plus nope plus "${'b'.repeat(300)}"`;
  const [line, carets] = shown(long, long.indexOf('nope') + 1, 4);
  assert.equal(line.length, 4 + 160);
  assert.match(line, /^ {4}…a+" plus nope plus "b+…$/);
  assert.equal(line.slice(carets.indexOf('^'), carets.length), 'nope');

  const [start, under] = shown(long, 1, 3);
  assert.match(start, /^ {4}log "a+…$/);
  assert.equal(start.slice(under.indexOf('^'), under.length), 'log');

  const [end, last] = shown(long, long.length, 1);
  assert.match(end, /^ {4}…b+"$/);
  assert.equal(last.length, end.length);

  const [whole, all] = shown(long, 1, long.length);
  assert.equal(whole.length, 164);
  assert.ok(all.length <= 164);
  assert.ok(shown(`${'x'.repeat(160)}`, 160, 1)[0].endsWith('x'));
});

test('shows a fault in a line of a megabyte immediately', () => {
  const long = `log "${'é'.repeat(1_000_000)}`;
  const took = processorTime();
  for (let index = 0; index < 100; index++) {
    const [line, carets] = shown(long, 500_000, 1);
    assert.ok(line.length <= 164 && carets.length <= 164);
  }
  assert.ok(took() < 3000 * slowness());
});

test('nothing that a user wrote can add a line or an escape sequence', () => {
  const text = render({
    file: 'a\n::error::b.wf',
    message: 'found "\u001b[31mx\r"',
    suggestion: 'a\nb',
    sourceLine: '    log "\u0007"',
    column: 5,
    length: 3,
  });
  assert.match(text, /^Error in a\\n::error::b\.wf, line 12/);
  assert.match(text, /found "\\u001b\[31mx\\r"/);
  assert.match(text, /Did you mean "a\\nb"\?/);
  assert.doesNotMatch(text, /[\u0000-\u0009\u000b-\u001f]/);
});

test('uses colours only on request: for the header and the carets', () => {
  assert.doesNotMatch(render(), /\u001b/);
  const text = render({ ...bare }, true);
  assert.match(text, /^\u001b\[31mError in order\.wf, line 12 \(WF021\):\u001b\[39m\n/);
  assert.match(text, / \u001b\[31m\^{12}\u001b\[39m\n/);
  assert.match(render({ severity: 'warning' }, true), /^\u001b\[33mWarning/);
  assert.equal(text.replace(/\u001b\[\d+m/g, ''), render({ ...bare }));
});

test('any source line and place: one excerpt line, with carets inside its columns', () => {
  const unit = fc.constantFrom('a', ' ', '名', '\u0301', '\t', '\u0000', '👩', '\u200d', '\ud800');
  fc.assert(
    fc.property(
      fc.string({ unit, minLength: 1, maxLength: 400 }),
      fc.nat(400),
      fc.integer({ min: 1, max: 400 }),
      (sourceLine, offset, length) => {
        const text = render({ sourceLine, column: Math.min(offset, sourceLine.length) + 1, length, message: 'm', ...bare });
        const lines = text.split('\n');
        assert.equal(lines.length, sourceLine.trim() === '' ? 3 : 5);
        if (lines.length === 5) assert.match(lines[3] ?? '', /^ *\^+$/);
      },
    ),
  );
});

test('counts errors and warnings', () => {
  const of = (...list: [severity: 'error' | 'warning', file: string][]) =>
    summary(list.map(([severity, file]) => ({ severity, file })));
  assert.equal(of(['error', 'a'], ['error', 'a'], ['warning', 'a']), '2 errors and 1 warning in 1 file.');
  assert.equal(of(['error', 'a']), '1 error in 1 file.');
  assert.equal(of(['warning', 'a'], ['warning', 'b']), '2 warnings in 2 files.');
  assert.equal(of(), 'No errors and no warnings.');
});
