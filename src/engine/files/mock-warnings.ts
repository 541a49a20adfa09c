// After a run, warns about each mock answer that no call used.
import type { GivenMocks } from '../../../runtime/services/given-mocks.js';
import type { Redactor, WorkflowInfo } from '../../../runtime/types.js';
import { closest } from '../../compiler/diagnostics/suggest.js';

/** Without "Warning", with a full stop. Secrets are redacted. */
export function mockWarnings(
  mocks: GivenMocks,
  { services, calledServices = [] }: Pick<WorkflowInfo, 'services' | 'calledServices'>,
  redactor: Redactor,
): string[] {
  const names = [...services, ...calledServices].map(({ name }) => name);
  return mocks
    .services()
    .flatMap((service) => (names.includes(service) ? mocks.warnings(service) : [unknownService(service, names)]))
    .map((sentence) => redactor.text(sentence));
}

function unknownService(service: string, names: readonly string[]): string {
  const near = closest(service, names);
  if (near !== undefined) return `the workflow has no service "${service}" for these mock answers. Did you mean "${near}"?`;
  const known = names.length === 0 ? 'it declares none' : `it has ${names.join(', ')}`;
  return `the workflow has no service "${service}" for these mock answers; ${known}.`;
}
