// The kinds of services behind a host's connectors, and how messages show their calls.
import type { ConnectorKind, PathPart, ServiceKind } from '../types.js';
import { show } from '../values/values.js';
import { badPathValue, type Failure } from './call-errors.js';

/** For use in a sentence. */
export const connectedKinds: Readonly<Record<ConnectorKind, string>> = {
  database: 'a database',
  mail: 'a mail server',
  folder: 'a folder',
};

/** Whether a kind of service is reached through a connector. */
export const isConnected = (kind: ServiceKind): kind is ConnectorKind => Object.hasOwn(connectedKinds, kind);

/** The text after `at` with its values unencoded, for mock answers and tests. */
export function plainPath(parts: readonly PathPart[]): string | Failure {
  let path = '';
  for (const part of parts) {
    const text = typeof part === 'string' ? part : show(part.value);
    if (text === '' && typeof part !== 'string') return badPathValue(part.name, 'is empty, but the call needs a value there');
    path += text;
  }
  return path;
}
