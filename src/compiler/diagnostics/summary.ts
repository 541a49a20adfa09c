// The last line of a list of diagnostics: how many there are, in how many files.
import type { LocatedDiagnostic } from './diagnostic.js';

/** `2 errors and 1 warning in 1 file.`, without zero counts. */
export function summary(diagnostics: readonly Pick<LocatedDiagnostic, 'severity' | 'file'>[]): string {
  const errors = diagnostics.filter(({ severity }) => severity === 'error').length;
  const warnings = diagnostics.length - errors;
  const found = [errors > 0 ? counted(errors, 'error') : '', warnings > 0 ? counted(warnings, 'warning') : ''].filter(Boolean);
  if (found.length === 0) return 'No errors and no warnings.';
  return `${found.join(' and ')} in ${counted(new Set(diagnostics.map(({ file }) => file)).size, 'file')}.`;
}

/** `1 error`, `2 errors`. */
export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;
