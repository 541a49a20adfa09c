// Checks the declarations of services: names, addresses, models, headers, and that each is used.

import type { Service, Text, Workflow } from '../2-parse/tree.js';
import * as catalogue from '../diagnostics/catalogue/index.js';
import { kindNames } from './calls.js';
import type { Checker } from './checker.js';
import { meantHeader } from './header-names.js';

export const PROVIDERS = ['openai', 'anthropic', 'ollama'] as const;

/** What an HTTP header's name may consist of (RFC 9110, token). */
const HEADER_NAME = /^[\w!#$%&'*+.^`|~-]+$/;

export function checkServices(checker: Checker, { services }: Workflow): void {
  const seen = new Set<string>();
  for (const service of services) {
    if (seen.has(service.name.text) && (service.kind !== 'broken' || !service.nameless))
      checker.report(catalogue.serviceTwice(service.name.span, service.name.text));
    seen.add(service.name.text);
    if (service.kind === 'broken') continue;
    if (service.kind === 'api' || service.kind === 'webhook') checkAddress(checker, service.target);
    else if (service.kind === 'ai') checkModel(checker, service.target);
    else checkModule(checker, service.target);
    checkHeaders(checker, service);
  }
}

/** To be asked after the statements were checked. */
export function checkUse(checker: Checker, { services }: Workflow): void {
  const told = new Set<string>();
  for (const service of services) {
    const name = service.name.text;
    if (service.kind === 'broken' || checker.usedServices.has(name) || told.has(name)) continue;
    told.add(name);
    checker.report(catalogue.unusedService(service.name.span, name));
  }
}

/** Only `{env.NAME}` can stand in a declaration. Returns true where nothing was wrong. */
function checkTemplate(checker: Checker, { parts, isFaulty }: Text): boolean {
  let right = isFaulty !== true;
  for (const part of parts) {
    if (typeof part === 'string') continue;
    const [variable, ...more] = part.fields;
    if (part.root === 'env' && variable !== undefined && more.length === 0) {
      checker.facts.env.add(variable);
    } else {
      checker.report(catalogue.onlyEnvironment(part.span, [part.root, ...part.fields].join('.')));
      right = false;
    }
  }
  return right;
}

function checkAddress(checker: Checker, target: Text): void {
  if (!checkTemplate(checker, target)) return;
  const [first = ''] = target.parts;
  // What comes from the environment is checked when it is used.
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

/** Only the file names a plugin: no value can. */
function checkModule(checker: Checker, target: Text): void {
  if (target.isFaulty) return;
  const reference = target.parts.find((part) => typeof part !== 'string');
  if (reference !== undefined && typeof reference !== 'string') checker.report(catalogue.fixedModule(reference.span));
  else if (target.parts.join('').trim() === '') checker.report(catalogue.emptyModule(target.span));
}

function checkHeaders(checker: Checker, service: Service): void {
  const { headersSpan } = service;
  const ignored = service.kind === 'ai' || service.kind === 'plugin';
  if (ignored && headersSpan !== undefined)
    checker.report(catalogue.ignoredOption(headersSpan, 'Headers', kindNames[service.kind]));
  const seen = new Set<string>();
  for (const { name, value } of service.headers) {
    if (seen.has(name.text.toLowerCase())) checker.report(catalogue.headerTwice(name.span, name.text));
    seen.add(name.text.toLowerCase());
    const meant = ignored ? undefined : meantHeader(name.text);
    if (!HEADER_NAME.test(name.text)) checker.report(catalogue.badHeaderName(name.span, name.text, meant));
    else if (meant !== undefined) checker.report(catalogue.unusualHeader(name.span, name.text, meant));
    checkTemplate(checker, value);
  }
}
