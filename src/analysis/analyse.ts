// The diagnostics of a file with what the analysis adds to them: warnings about its ways.
import type { Checked } from '../compiler/compile.js';
import type { Diagnostic, LocatedDiagnostic } from '../compiler/diagnostics/diagnostic.js';
import { createLineMap, locate } from '../compiler/diagnostics/locate.js';
import { type InTurns, runToEnd } from '../compiler/in-turns.js';
import { findings } from './findings.js';

/** Only for a file without errors. Sorted by line. @param file as messages show it */
export const analyse = (checked: Checked, file: string): readonly LocatedDiagnostic[] => runToEnd(analyseInTurns(checked, file));

export function* analyseInTurns(checked: Checked, file: string): InTurns<readonly LocatedDiagnostic[]> {
  const refuted = new Set<Diagnostic>();
  const found = yield* findings(checked, refuted);
  const lines = createLineMap(checked.text);
  const located = found.map((diagnostic) => locate(diagnostic, file, lines));
  const explained = new Set(located.map(({ line }) => line));
  const others = checked.diagnostics.filter((one) => !refuted.has(one) && (one.byInputs !== true || !explained.has(one.line)));
  return inOrder([...others, ...located]);
}

/** The diagnostics of the check alone, without those that the ways through the file refute. Only for a file without errors. */
export function unrefuted(checked: Checked, file: string): readonly LocatedDiagnostic[] {
  const refuted = new Set<Diagnostic>();
  const moved = runToEnd(findings(checked, refuted)).filter(({ code }) => code === 'WF101');
  const lines = createLineMap(checked.text);
  const others = checked.diagnostics.filter((one) => !refuted.has(one));
  return inOrder([...others, ...moved.map((one) => locate(one, file, lines))]);
}

const inOrder = (all: readonly LocatedDiagnostic[]): readonly LocatedDiagnostic[] =>
  [...all].sort((one, other) => one.line - other.line || one.column - other.column);
