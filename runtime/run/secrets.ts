// Which texts to redact, from a workflow's variables, services and headers. The same rule applies to runs, logs and recordings.
import { filledTemplate } from '../services/template.js';
import type { Environment, EnvTemplate, ServiceSpec, WorkflowInfo } from '../types.js';
import { percentDecoded } from '../values/percent-decoded.js';
import { isNotified, isSecretName, isSecretParameter, secretVariables } from './secret-variables.js';

/** Shorter values of environment variables are not secrets: redacting `1` or `prod` would remove half of every log. */
const shortestValue = 6;
/** Headers can contain secrets of any length. Below this, redacting them would reveal more than it hides. */
const shortestHeaderValue = 3;

const secretHeaders: ReadonlySet<string> = new Set(['authorization', 'proxy-authorization', 'cookie', 'set-cookie', 'x-api-key']);

/** Whether a header carries credentials, judging by its name in any case. */
const isSecretHeader = (name: string): boolean => secretHeaders.has(name.toLowerCase());

/** Shared, so that two calls without secrets are easily recognized as alike. */
const none: readonly never[] = [];

/**
 * Texts to keep out of every log line: values of secret environment variables, users, passwords and keys in addresses, whole
 * addresses of webhooks and of people, credentials in headers, those that the file itself contains, and `more` (a server's token).
 * @param services what the variables are used for; if unknown, every variable of the workflow counts
 */
export function secretsOf(
  workflow: Workflow,
  env: Environment,
  more: readonly string[] = none,
  services?: readonly ServiceSpec[],
): readonly string[] {
  const used = services === undefined ? none : [...secretVariables(services)];
  const names = [...new Set([...workflow.env, ...used])];
  const values = names.map((name) => valueIn(env, name));
  const last = lastFound.get(workflow);
  if (last?.more === more && last.services === services && last.values.every((value, index) => value === values[index])) {
    return last.secrets;
  }
  // Several secrets of a webhook, separated by spaces, are secret each.
  const parts = (workflow.serving?.secrets ?? []).flatMap((name) => [env[name] ?? '', ...(env[name] ?? '').split(/\s+/)]);
  const own = [...(workflow.secrets ?? none), ...parts.filter((part) => part.length >= shortestHeaderValue)];
  const secrets = findSecrets(names, env, [...more, ...own], services);
  lastFound.set(workflow, { values, more, services, secrets });
  return secrets;
}

type Workflow = Pick<WorkflowInfo, 'env' | 'serving' | 'secrets'>;

interface Found {
  readonly values: readonly (string | undefined)[];
  readonly more: readonly string[];
  readonly services: readonly ServiceSpec[] | undefined;
  readonly secrets: readonly string[];
}

/** The last result per workflow, which the runs of a process share. */
const lastFound = new WeakMap<Workflow, Found>();

const valueIn = (env: Environment, name: string): string | undefined => (Object.hasOwn(env, name) ? env[name] : undefined);

function findSecrets(
  names: readonly string[],
  env: Environment,
  more: readonly string[],
  services: readonly ServiceSpec[] | undefined,
): readonly string[] {
  const secrets = new Set(more);
  const used = secretVariables(services ?? none);
  for (const name of names) {
    const value = valueIn(env, name) ?? '';
    if (services === undefined || used.has(name) || isSecretName(name)) {
      for (const secret of [value, value.trim()]) {
        if (secret.length >= shortestValue) secrets.add(secret);
      }
    }
    for (const secret of addressSecrets(value)) secrets.add(secret);
  }
  for (const { headers = [], url = [], signIn, kind } of services ?? none) {
    if (signIn !== undefined) secrets.add(filledTemplate(signIn.secret, env) ?? '');
    for (const [name, template] of headers) {
      for (const secret of headerSecrets(name, filledTemplate(template, env) ?? '')) secrets.add(secret);
    }
    const address = filledTemplate(url, env) ?? '';
    for (const secret of addressSecrets(address)) secrets.add(secret);
    if (isNotified(kind)) for (const secret of webhookSecrets(address)) secrets.add(secret);
  }
  secrets.delete('');
  return [...secrets];
}

/** The services and calls that a file declares. */
export interface WrittenTexts {
  readonly services: readonly Pick<ServiceSpec, 'kind' | 'url' | 'headers' | 'signIn'>[];
  /** Of calls. A value that is not an environment variable has any name. */
  readonly headers: readonly (readonly [name: string, value: EnvTemplate])[];
  readonly addresses: readonly EnvTemplate[];
}

/** Takes the place of a value that is only known at run time. */
const hole = '\0';

/** The credentials that a file itself contains. At run time, nothing tells them apart from those of the environment. */
export function writtenSecrets({ services, headers, addresses }: WrittenTexts): string[] {
  const written = (template: EnvTemplate): string => template.map((part) => (typeof part === 'string' ? part : hole)).join('');
  const declared = services.map((service) => ({ ...service, name: '', url: [written(service.url ?? [])] }));
  const found = new Set([
    ...findSecrets([], {}, [], declared),
    ...headers.flatMap(([name, value]) => headerSecrets(name, written(value))),
    ...addresses.flatMap((address) => querySecrets(written(address))),
  ]);
  return [...found].filter((secret) => !secret.includes(hole) && !secret.includes(encodeURIComponent(hole)));
}

/** The secret parts of a header: its value, the credentials after the scheme, the password inside Basic. */
export function headerSecrets(name: string, value: string): string[] {
  if (!isSecretHeader(name)) return [];
  if (name.toLowerCase() === 'set-cookie') {
    // Both whole and without attributes, as the next request would return it.
    return [value, value.split(';', 1)[0] ?? ''].filter((secret) => secret.length >= shortestHeaderValue);
  }
  const [, scheme, credentials] = /^(\S+)\s+(\S.*)$/.exec(value) ?? [];
  const secrets = [value, ...(credentials === undefined ? [] : [credentials])];
  if (scheme?.toLowerCase() === 'basic' && credentials !== undefined) {
    const pair = Buffer.from(credentials, 'base64').toString();
    secrets.push(pair, pair.slice(pair.indexOf(':') + 1));
  }
  return secrets.filter((secret) => secret.length >= shortestHeaderValue);
}

/** `https://user:password@host/?key=value` → user, password and value, as written and decoded. */
function addressSecrets(address: string): string[] {
  const [, user = '', password = ''] = /^\s*[a-z][a-z0-9+.-]*:\/\/([^/?#:@]*)(?::([^/?#]*))?@/i.exec(address) ?? [];
  return [
    ...[user, percentDecoded(user)].filter((secret) => secret.length >= shortestValue),
    ...[password, percentDecoded(password)].filter((secret) => secret.length >= shortestHeaderValue),
    ...querySecrets(address),
  ];
}

/** The values of a query whose names say that they are secret, as written and decoded. */
export function querySecrets(address: string): string[] {
  const start = address.indexOf('?');
  if (start === -1) return [];
  const [query = ''] = address.slice(start + 1).split('#', 1);
  return query.split('&').flatMap((pair) => {
    const at = pair.indexOf('=');
    if (at === -1 || !isSecretParameter(percentDecoded(pair.slice(0, at)))) return [];
    const value = pair.slice(at + 1).trim();
    return [value, percentDecoded(value.replaceAll('+', ' '))].filter((secret) => secret.length >= shortestHeaderValue);
  });
}

/** A shorter path of a webhook is not a secret: `/alerts` must not vanish from every log. */
const shortestPath = 20;

/** Anyone who knows the address of a webhook can use it. Returns it as written, as sent, and what follows the host. */
function webhookSecrets(address: string): string[] {
  const secrets = [address, address.trim()];
  try {
    const { href, pathname, search } = new URL(address);
    secrets.push(href, `${pathname}${search}`);
  } catch {
    // Such an address can't be called.
  }
  return secrets.filter((secret) => secret.length >= (secret.startsWith('/') ? shortestPath : shortestValue));
}
