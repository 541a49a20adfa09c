// Mock answers after a run, and the services of its workflow, go in; a sentence for each answer that no call asked for comes out.
import type { GivenMocks } from '../../runtime/services/given-mocks.js';
import type { Redactor, WorkflowInfo } from '../../runtime/types.js';
import { closest } from '../compiler/diagnostics/suggest.js';

/** Without "Warning", with a full stop; secrets are redacted. */
export function mockWarnings(mocks: GivenMocks, { services }: Pick<WorkflowInfo, 'services'>, redactor: Redactor): string[] {
  const names = services.map(({ name }) => name);
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
