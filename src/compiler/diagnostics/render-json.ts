// `--format json`: diagnostics as one JSON list, for editors and scripts.
import type { LocatedDiagnostic } from './diagnostic.js';
import { snippet } from './snippet.js';

/** Lines and columns count from 1, columns in UTF-16 units; `endColumn` is the column after the fault. */
export function renderJson(diagnostics: readonly LocatedDiagnostic[]): string {
  const list = diagnostics.map(({ code, severity, file, line, column, length, sourceLine, message, suggestion, hint }) => ({
    code,
    severity,
    file,
    line,
    column,
    length,
    endLine: line,
    endColumn: column + length,
    sourceLine: snippet(sourceLine),
    message,
    suggestion,
    hint,
  }));
  return JSON.stringify(list, null, 2);
}
