// Compiles a random program even if the check reports lines that are bound to fail, in it or in the workflows that it calls.
import { emit } from '../../../src/compiler/4-emit/emit.js';
import type { EmitOptions } from '../../../src/compiler/4-emit/emitter.js';
import { CallTree } from '../../../src/compiler/call-tree.js';
import { type Checked, checkOne, type Emitted, emitCalled, fileInfo } from '../../../src/compiler/compile.js';
import type { LocatedDiagnostic } from '../../../src/compiler/diagnostics/diagnostic.js';
import { renderText } from '../../../src/compiler/diagnostics/render-text.js';
import { type Files, inMemory, programFile, showFiles } from './files.js';

/** A call that can't succeed, because its pairs don't fit the inputs of the workflow that it calls. */
export const badRequest = 'WF264';

/** Codes of errors about values, which only occur if a run reaches the line, as opposed to errors in how it is written. */
const CERTAIN: ReadonlySet<string> = new Set([
  'WF062',
  'WF067',
  'WF068',
  'WF069',
  'WF070',
  'WF088',
  'WF090',
  'WF091',
  'WF092',
  badRequest,
]);

export const isCertainFailure = ({ code }: { readonly code: string }): boolean => CERTAIN.has(code);

/** The program reads a field that its inputs don't declare, through a variable whose content the generator doesn't know. */
export class UndeclaredField extends Error {}

/** @param options of the emitted module, given the lines with such an error. @throws UndeclaredField, or for any other error */
export function compileAnyway(
  files: Files,
  options: (failing: readonly LocatedDiagnostic[]) => EmitOptions = () => ({}),
): { emitted: Emitted; failing: readonly LocatedDiagnostic[] } {
  const host = inMemory(files);
  const tree = new CallTree(host, (source, file, within) => tolerated(checkOne(source, file, within), files));
  const checked = checkOne(host.read(host.root), programFile, tree);
  tolerated(checked, files);
  const failing = checked.diagnostics.filter(({ severity }) => severity === 'error');
  const emitOptions = options(failing);
  const called = emitCalled(tree.order, emitOptions);
  return { emitted: emit(checked, fileInfo(programFile), emitOptions, called), failing };
}

/** As if only errors that prevent a run counted. */
function tolerated(checked: Checked, files: Files): Checked {
  const errors = checked.diagnostics.filter(({ severity }) => severity === 'error');
  const others = errors.filter((error) => !isCertainFailure(error));
  if (others.length > 0 && others.every(({ code }) => code === 'WF097')) throw new UndeclaredField();
  if (others.length > 0) throw new Error(`It does not compile:\n${renderText(errors, { colour: false })}\n${showFiles(files)}`);
  return { ...checked, hasErrors: false };
}
