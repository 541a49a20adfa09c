// A random program → its module, also if the check says that some of its lines fail whenever a run reaches them.
import { emit } from '../../../src/compiler/4-emit/emit.js';
import type { EmitOptions } from '../../../src/compiler/4-emit/emitter.js';
import { checkFile, type Emitted } from '../../../src/compiler/compile.js';
import type { LocatedDiagnostic } from '../../../src/compiler/diagnostics/diagnostic.js';
import { renderText } from '../../../src/compiler/diagnostics/render-text.js';

/** Codes of what is bound to fail where a run reaches it: errors about the values of a line, not about how it is written. */
const CERTAIN: ReadonlySet<string> = new Set(['WF067', 'WF068', 'WF069', 'WF070']);

export const isCertainFailure = ({ code }: { readonly code: string }): boolean => CERTAIN.has(code);

/** @param options of the emitted module, from the lines with such an error. @throws if there is any other error. */
export function compileAnyway(
  text: string,
  options: (failing: readonly LocatedDiagnostic[]) => EmitOptions = () => ({}),
): { emitted: Emitted; failing: readonly LocatedDiagnostic[] } {
  const checked = checkFile(text, 'random.wf');
  const failing = checked.diagnostics.filter(({ severity }) => severity === 'error');
  if (!failing.every(isCertainFailure)) throw new Error(`It does not compile:\n${renderText(failing, { colour: false })}`);
  const about = { file: 'random.wf', source: 'random.wf', defaultName: 'random', version: 'test' };
  return { emitted: emit(checked.text, checked.workflow, checked.facts, about, options(failing)), failing };
}
