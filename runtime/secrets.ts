// What is secret: the environment that a workflow names, and headers that carry credentials → the texts to hide. Its own file, because
// the rule (behaviour.md 7) stands here once for runs, logs and cassettes.
import { filledTemplate } from './services/template.js';
import type { ServiceSpec } from './types.js';

/** Shorter values of environment variables are no secrets: hiding `1` or `prod` would hide half of every log. */
const shortestValue = 6;
/** Headers hold secrets whatever their length; below this, hiding them would tell more than it hides. */
const shortestHeaderValue = 3;

const secretHeaders: ReadonlySet<string> = new Set(['authorization', 'proxy-authorization', 'cookie', 'set-cookie', 'x-api-key']);

/** Whether a header carries credentials by its name alone, in any case. */
const isSecretHeader = (name: string): boolean => secretHeaders.has(name.toLowerCase());

/** One list for all, so that two calls without secrets of their own are known to be alike. */
const none: readonly never[] = [];

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The texts that no log line may hold: the values of the environment variables that the workflow names, credentials in its services'
 * headers, and `more` (a server's token).
 */
export function secretsOf(
  workflow: Workflow,
  env: Environment,
  more: readonly string[] = none,
  services: readonly ServiceSpec[] = none,
): readonly string[] {
  const values = workflow.env.map((name) => (Object.hasOwn(env, name) ? env[name] : undefined));
  const last = lastFound.get(workflow);
  if (last?.more === more && last.services === services && last.values.every((value, index) => value === values[index])) {
    return last.secrets;
  }
  const secrets = findSecrets(workflow, env, more, services);
  lastFound.set(workflow, { values, more, services, secrets });
  return secrets;
}

type Workflow = { readonly env: readonly string[] };

interface Found {
  readonly values: readonly (string | undefined)[];
  readonly more: readonly string[];
  readonly services: readonly ServiceSpec[];
  readonly secrets: readonly string[];
}

/** What was found for each workflow last: the runs of a process share it. */
const lastFound = new WeakMap<Workflow, Found>();

function findSecrets(
  workflow: Workflow,
  env: Environment,
  more: readonly string[],
  services: readonly ServiceSpec[],
): readonly string[] {
  const secrets = new Set(more);
  for (const name of workflow.env) {
    const value = Object.hasOwn(env, name) ? (env[name] ?? '') : '';
    for (const secret of [value, value.trim()]) {
      if (secret.length >= shortestValue) secrets.add(secret);
    }
    for (const secret of addressSecrets(value)) secrets.add(secret);
  }
  for (const { headers = [], url } of services) {
    for (const [name, template] of headers) {
      for (const secret of headerSecrets(name, filledTemplate(template, env) ?? '')) secrets.add(secret);
    }
    for (const secret of addressSecrets(filledTemplate(url ?? [], env) ?? '')) secrets.add(secret);
  }
  secrets.delete('');
  return [...secrets];
}

/** What is secret about one header: its value, the credentials behind the scheme's name, the password inside of Basic. */
export function headerSecrets(name: string, value: string): string[] {
  if (!isSecretHeader(name)) return [];
  if (name.toLowerCase() === 'set-cookie') {
    // Whole, and without its attributes: as the next request would send it back.
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

/** `https://user:password@host` → the password, as written and decoded. */
function addressSecrets(address: string): string[] {
  const [, password] = /^[a-z][a-z0-9+.-]*:\/\/[^/?#:@]*:([^/?#]*)@/i.exec(address) ?? [];
  if (password === undefined) return [];
  return [password, decoded(password)].filter((secret) => secret.length >= shortestHeaderValue);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
