// Which environment variables contain secrets, judging by their names and by what the services of a workflow use them for.
import { providers } from '../services/ai-providers.js';
import { namedVariables } from '../services/template.js';
import type { EnvTemplate, ServiceSpec } from '../types.js';

const lastWord = /(?:^|_)(?:TOKEN|KEY|SECRET|PASSWORD|PASS|PWD|CREDENTIALS|AUTH|DSN)$/i;

/** `SHOP_TOKEN`, `DB_PASSWORD`, `KEY`: the last word says what it contains. */
export const isSecretName = (variable: string): boolean => lastWord.test(variable);

const secretParameter =
  /(?:key|token|secret|password|passwd|passphrase|pwd|signature|credentials?)$|(?:^|[^a-z])(?:sig|auth|pass)$|^(?:auth|authorization|access|function)?code$/;

/** Whether the value of a query parameter is a secret, judging by its name: `key`, `access_token`, `X-Amz-Signature`, `code`. */
export const isSecretParameter = (name: string): boolean => {
  const lower = name.toLowerCase();
  return secretParameter.test(lower) || secretParameter.test(lower.replace(/[^a-z]/g, ''));
};

/** Variables used in headers, in `sign in` and in addresses of webhooks, and the keys of AIs. */
export function secretVariables(services: readonly ServiceSpec[]): Set<string> {
  const names = new Set<string>();
  const add = (template: EnvTemplate | undefined): void => {
    for (const name of namedVariables(template ?? [])) names.add(name);
  };
  for (const { kind, url, headers = [], signIn, provider } of services) {
    for (const [, value] of headers) add(value);
    for (const template of Object.values(signIn ?? {})) add(template);
    if (isNotified(kind)) add(url);
    const key = provider === undefined ? undefined : providers[provider].key;
    if (key !== undefined) names.add(key);
  }
  return names;
}

/** Knowing the address of a webhook, or of a person's or a team's notifications, is enough to use it. */
const notified: Readonly<Record<ServiceSpec['kind'], boolean>> = {
  webhook: true,
  person: true,
  api: false,
  ai: false,
  plugin: false,
  workflow: false,
  database: false,
  mail: false,
  folder: false,
};

/** Whether the address of such a service is a secret. */
export const isNotified = (kind: ServiceSpec['kind']): boolean => notified[kind];
