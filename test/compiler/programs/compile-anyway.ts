// Compiles a random program even if the check reports lines that are bound to fail.
import { emit } from '../../../src/compiler/4-emit/emit.js';
import type { EmitOptions } from '../../../src/compiler/4-emit/emitter.js';
import { checkFile, type Emitted } from '../../../src/compiler/compile.js';
import type { LocatedDiagnostic } from '../../../src/compiler/diagnostics/diagnostic.js';
import { renderText } from '../../../src/compiler/diagnostics/render-text.js';

/** Codes of errors about values, which only occur if a run reaches the line, as opposed to errors in how it is written. */
const CERTAIN: ReadonlySet<string> = new Set(['WF062', 'WF067', 'WF068', 'WF069', 'WF070', 'WF088', 'WF090', 'WF091', 'WF092']);

export const isCertainFailure = ({ code }: { readonly code: string }): boolean => CERTAIN.has(code);

/** @param options of the emitted module, given the lines with such an error. @throws if there is any other error */
export function compileAnyway(
  text: string,
  options: (failing: readonly LocatedDiagnostic[]) => EmitOptions = () => ({}),
): { emitted: Emitted; failing: readonly LocatedDiagnostic[] } {
  const checked = checkFile(text, 'random.wf');
  const failing = checked.diagnostics.filter(({ severity }) => severity === 'error');
  if (!failing.every(isCertainFailure))
    throw new Error(`It does not compile:\n${renderText(failing, { colour: false })}\n${text}`);
  const about = { file: 'random.wf', source: 'random.wf', defaultName: 'random', version: 'test' };
  return { emitted: emit(checked.text, checked.workflow, checked.facts, about, options(failing)), failing };
}
