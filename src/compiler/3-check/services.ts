// Checks service declarations: names, addresses, models, headers, and whether each service is used.

import type { Service, Text, Workflow } from '../2-parse/tree.js';
import * as catalogue from '../diagnostics/catalogue/index.js';
import type { Checker } from './checker.js';
import { checkServiceOptions } from './service-options.js';
import { checkTemplate } from './template-check.js';

const PROVIDERS = ['openai', 'anthropic', 'ollama'] as const;

export function checkServices(checker: Checker, { services }: Workflow): void {
  const seen = new Set<string>();
  for (const service of services) {
    if (seen.has(service.name.text) && (service.kind !== 'broken' || !service.nameless))
      checker.report(catalogue.serviceTwice(service.name.span, service.name.text));
    seen.add(service.name.text);
    if (service.kind === 'broken') continue;
    targetChecks[service.kind](checker, service.target, service.name.text);
    checkServiceOptions(checker, service);
  }
}

/** How to check the target of each kind of service: an address, a model or a module. */
const targetChecks: Readonly<Record<Service['kind'], (checker: Checker, target: Text, name: string) => void>> = {
  api: checkAddress,
  webhook: checkAddress,
  ai: checkModel,
  plugin: checkModule,
  person: (checker, target) => target.parts.length > 0 && checkAddress(checker, target),
  database: checkDatabase,
  mail: checkMailServer,
  folder: checkFolder,
  workflow: checkWorkflow,
};

/** Call it after checking the statements. */
export function checkUse(checker: Checker, { services }: Workflow): void {
  const reported = new Set<string>();
  for (const service of services) {
    const name = service.name.text;
    if (service.kind === 'broken' || checker.usedServices.has(name) || reported.has(name)) continue;
    reported.add(name);
    checker.report(catalogue.unusedService(service.name.span, name));
  }
}

function checkAddress(checker: Checker, target: Text): void {
  if (!checkTemplate(checker, target)) return;
  const [first = ''] = target.parts;
  // Values from the environment are checked when they are used.
  if (typeof first !== 'string') return;
  const isWhole = target.parts.length === 1;
  const right = isWhole ? isHttp(first) : /^https?:\/\//i.test(first) || (!first.includes(':') && /^https?:?\/?$/i.test(first));
  if (!right) checker.report(catalogue.badAddress(target.span));
}

function isHttp(address: string): boolean {
  try {
    const { protocol, hostname } = new URL(address);
    return (protocol === 'http:' || protocol === 'https:') && hostname !== '' && /^https?:\/\//i.test(address);
  } catch {
    return false;
  }
}

function checkModel(checker: Checker, target: Text): void {
  if (!checkTemplate(checker, target)) return;
  const written = target.parts.map((part) => (typeof part === 'string' ? part : `{env.${part.fields[0] ?? ''}}`)).join('');
  const slash = written.indexOf('/');
  const provider = slash === -1 ? written : written.slice(0, slash);
  const known = PROVIDERS.some((name) => name === provider);
  if (known && slash !== -1 && written.slice(slash + 1).trim() !== '') return;
  const near = known ? undefined : checker.closest(provider, PROVIDERS);
  checker.report(
    catalogue.unknownProvider(
      target.span,
      written,
      near === undefined ? undefined : `${near}${slash === -1 ? '/…' : written.slice(slash)}`,
    ),
  );
}

/** A plugin must be named in the file; no value may choose it. */
function checkModule(checker: Checker, target: Text): void {
  if (target.isFaulty) return;
  const reference = target.parts.find((part) => typeof part !== 'string');
  if (reference !== undefined && typeof reference !== 'string') checker.report(catalogue.fixedModule(reference.span));
  else if (target.parts.join('').trim() === '') checker.report(catalogue.emptyModule(target.span));
  else if (!isModule(target.parts.join(''))) checker.report(catalogue.foreignModule(target.span));
}

const filePath = /^(?:\.{0,2}[\\/]|[a-z]:[\\/])/i;
const packageName = /^(?:@[a-z\d~-][\w.~-]*\/)?[a-z\d~-][\w.~-]*(?:\/[\w.~-]+)*$/i;

/** Any other import would contain code itself (`data:`), or load code from elsewhere (`https:`). */
const isModule = (name: string): boolean => filePath.test(name) || packageName.test(name);

/** The path is fixed, because the file is compiled with this one. Read errors are reported before the check. */
function checkWorkflow(checker: Checker, target: Text, name: string): void {
  if (target.isFaulty) return;
  const reference = target.parts.find((part) => typeof part !== 'string');
  if (reference !== undefined && typeof reference !== 'string') checker.report(catalogue.fixedWorkflowPath(reference.span));
  else if (!target.parts.join('').endsWith('.wf'))
    checker.report(catalogue.badWorkflowPath(target.span, name, target.parts.join('')));
}

/** Its address is that of a supported server, or the path of a file. */
function checkDatabase(checker: Checker, target: Text): void {
  const scheme = fixedScheme(checker, target);
  if (scheme === undefined) return;
  const isServer = ['postgres', 'postgresql', 'mysql', 'mariadb'].includes(scheme);
  if (scheme === '' ? !namesFile(target) : !isServer) checker.report(catalogue.badDatabaseAddress(target.span));
}

const namesFile = ({ parts }: Text): boolean => {
  const last = parts[parts.length - 1];
  return typeof last !== 'string' || (last.trim() !== '' && !/[\\/]$/.test(last) && last !== ':memory:');
};

function checkMailServer(checker: Checker, target: Text): void {
  const scheme = fixedScheme(checker, target);
  if (scheme !== undefined && scheme !== 'smtp' && scheme !== 'smtps') checker.report(catalogue.badMailAddress(target.span));
}

function checkFolder(checker: Checker, target: Text): void {
  const scheme = fixedScheme(checker, target);
  const isEmpty = target.parts.join('').trim() === '';
  if (scheme !== undefined && (scheme !== '' || isEmpty)) checker.report(catalogue.badFolder(target.span));
}

/** `postgres`; `''` for a path; `undefined` if the start comes from the environment. */
function fixedScheme(checker: Checker, target: Text): string | undefined {
  if (!checkTemplate(checker, target)) return undefined;
  const [first = ''] = target.parts;
  return typeof first === 'string' ? (/^([a-z][a-z0-9+.-]*):\/\//i.exec(first)?.[1]?.toLowerCase() ?? '') : undefined;
}
