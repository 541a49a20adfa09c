// What must hold for any input of the compiler: diagnostics within the text, or a module that JavaScript can parse.
import assert from 'node:assert/strict';
import { parse } from 'acorn';
import { compile } from '../../src/compiler/compile.js';
import { decode } from '../../src/compiler/decode.js';
import type { LocatedDiagnostic } from '../../src/compiler/diagnostics/diagnostic.js';
import { renderText } from '../../src/compiler/diagnostics/render-text.js';

/** @returns the diagnostics, after checking them and the module */
export function assertSound(source: Uint8Array | string): readonly LocatedDiagnostic[] {
  const compiled = compile(source, { file: 'any.wf' });
  const lines = decode(source, []).split('\n');
  let before = 0;
  for (const { file, line, column, length, code, message, sourceLine } of compiled.diagnostics) {
    assert.equal(file, 'any.wf');
    assert.match(code, /^WF\d{3}$/);
    assert.ok(message.length > 10);
    assert.ok(line >= 1 && line <= Math.max(lines.length, 1), `line ${line} of ${lines.length}`);
    assert.ok(line >= before, 'sorted by line');
    before = line;
    assert.ok(column >= 1 && column <= sourceLine.length + 1, `column ${column} of ${sourceLine.length}`);
    assert.ok(length >= 1);
    if (sourceLine.length < 10_000) assert.equal(sourceLine.replace(/\r*$/, ''), (lines[line - 1] ?? '').replace(/\r*$/, ''));
  }
  renderText(compiled.diagnostics.slice(0, 20), { colour: true });
  // acorn takes quadratic time in the number of declarations.
  if (!compiled.hasErrors && compiled.emitted.code.length < 5_000_000)
    parse(compiled.emitted.code, { ecmaVersion: 2022, sourceType: 'module' });
  return compiled.diagnostics;
}
