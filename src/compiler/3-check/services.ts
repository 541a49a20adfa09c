// Checks service declarations: names, addresses, models, headers, and whether each service is used.
import type { Service, Text, Workflow } from '../2-parse/tree.js';
import { referencesIn } from '../2-parse/walk.js';
import * as catalogue from '../diagnostics/catalogue/index.js';
import type { Span } from '../diagnostics/diagnostic.js';
import { pathAsWritten } from '../vocabulary/field-names.js';
import { checkHeaderName } from './call-forms/http-call.js';
import { checkTimeSpan } from './check-time-span.js';
import type { Checker } from './checker.js';
import { checkForeignBraces } from './foreign-braces.js';
import { kindNames } from './service-kinds.js';

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
    checkTimeout(checker, service);
    checkNotifier(checker, service);
  }
}

/** Checks the target of each kind of service: an address, a model or a module. */
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

/** Questions are sent by a mail server of the same file. */
function checkNotifier(checker: Checker, { name, notifiedBy }: Service): void {
  if (notifiedBy === undefined) return;
  const by = checker.services.get(notifiedBy.text);
  checker.usedServices.add(notifiedBy.text);
  if (by?.kind === 'mail' || by?.kind === 'broken') return;
  const mails = [...checker.services.values()].flatMap((one) => (one.kind === 'mail' ? [one.name.text] : []));
  const near = checker.closest(notifiedBy.text, mails) ?? (by === undefined && mails.length === 1 ? mails[0] : undefined);
  if (near !== undefined) checker.usedServices.add(near);
  const kind = by === undefined ? undefined : kindNames[by.kind];
  checker.report(catalogue.notifiedByOther(notifiedBy.span, name.text, notifiedBy.text, kind, near));
}

/** A declaration is not part of a run: only the environment is known. */
function checkTimeout(checker: Checker, { timeout }: Service): void {
  if (timeout === undefined) return;
  const foreign = [...referencesIn(timeout.amount)].find(({ root }) => root !== 'env');
  if (foreign !== undefined)
    checker.report(
      catalogue.timeoutNeedsRun(
        foreign.span,
        `${checker.text.slice(timeout.amount.span.start, timeout.amount.span.end)} ${timeout.unit}`,
      ),
    );
  else checkTimeSpan(checker, timeout, 'with timeout');
}

/** Call it after checking the statements. */
export function checkUse(checker: Checker, { services }: Workflow): void {
  const reported = new Set<string>();
  for (const service of services) {
    const name = service.name.text;
    if (service.kind === 'broken' || checker.usedServices.has(name) || reported.has(name)) continue;
    // A person whose declaration can't be read may be notified by it.
    if (service.kind === 'mail' && services.some(({ kind }) => kind === 'broken')) continue;
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

/** Two slashes at the beginning would name another machine. */
const filePath = /^(?:\.{1,2}[\\/]|[\\/](?![\\/])|[a-z]:[\\/])/i;
const packageName = /^(?:@[a-z\d~-][\w.~-]*\/)?[a-z\d~-][\w.~-]*(?:\/(?!\.{1,2}(?:\/|$))[\w.~-]+)*$/i;

/** Any other import would contain code itself (`data:`), or load code from elsewhere (`https:`). */
const isModule = (name: string): boolean => filePath.test(name) || (packageName.test(name) && !isOfNode(name));

/** Modules of Node.js, which come before packages of the same name, and can do anything on the machine. A bundle has its own `wf-runtime`. */
const ofNode: ReadonlySet<string> = new Set(
  (
    'assert async_hooks buffer child_process cluster console constants crypto dgram diagnostics_channel dns domain events fs http http2 ' +
    'https inspector module net os path perf_hooks process punycode querystring readline repl sea sqlite stream string_decoder sys test ' +
    'timers tls trace_events tty url util v8 vm wasi wf-runtime worker_threads zlib'
  ).split(' '),
);

const isOfNode = (name: string): boolean => ofNode.has(name.split('/', 1)[0] ?? '');

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

/** Checks the lines under a declaration: which of them apply to its kind of service, and their content. */
function checkServiceOptions(checker: Checker, service: Service): void {
  const { kind, name, headers, headersSpan, clientCertificate, signIn, from } = service;
  const isHttp = kind === 'api' || kind === 'webhook';
  const ignore = (span: Span | undefined, what: string): void => {
    if (span !== undefined) checker.report(catalogue.ignoredOption(span, what, kindNames[kind]));
  };
  if (!isHttp) {
    ignore(headersSpan, 'Headers');
    ignore(clientCertificate?.span, 'Client certificates');
  }
  if (kind !== 'api') ignore(signIn?.span, 'Sign-ins');
  if (kind !== 'mail') ignore(from?.span, 'Senders');
  const seen = new Set<string>();
  for (const header of headers) {
    checkHeaderName(checker, header.name, seen, isHttp);
    checkTemplate(checker, header.value);
  }
  for (const text of [
    clientCertificate?.certificate,
    clientCertificate?.key,
    signIn?.at,
    signIn?.id,
    signIn?.secret,
    signIn?.scope,
  ])
    if (text !== undefined) checkTemplate(checker, text);
  if (kind === 'mail' && from === undefined && service.hasUnread !== true)
    checker.report(catalogue.missingSender(service.span, name.text));
  if (from !== undefined) checkSender(checker, from);
  if (signIn !== undefined) checkTokenAddress(checker, signIn.at);
}

/** Values from the environment are checked when a message is sent. */
function checkSender(checker: Checker, from: Text): void {
  if (!checkTemplate(checker, from) || from.parts.length !== 1 || typeof from.parts[0] !== 'string') return;
  if (!isSender(from.parts[0].trim())) checker.report(catalogue.badSender(from.span));
}

/** `shop@example.org`, or with a name: `Shop <shop@example.org>`. */
function isSender(text: string): boolean {
  const [local = '', host = '', ...more] = text.split('@');
  const [name = '', address = name, ...others] = local.split('<');
  if (more.length > 0 || others.length > 0 || !/^[^>,;]*$/.test(name)) return false;
  return (
    /^[^\s<>,;]+>?$/.test(host) && /^[^<>,;]*$/.test(address) && /\S$/.test(address) && (address === name || !/\s/.test(address))
  );
}

function checkTokenAddress(checker: Checker, { parts, span }: Text): void {
  const [first = ''] = parts;
  if (typeof first === 'string' && !/^https?:\/\//i.test(first)) checker.report(catalogue.badAddress(span));
}

/** Returns true if nothing is wrong. */
function checkTemplate(checker: Checker, text: Text): boolean {
  let right = text.isFaulty !== true;
  for (const part of text.parts) {
    if (typeof part === 'string') continue;
    const [variable, ...more] = part.fields;
    if (part.root === 'env' && variable !== undefined && more.length === 0) {
      checker.facts.env.add(variable);
    } else {
      const hasSign = checker.text.startsWith('${', part.span.start - 2);
      checker.report(catalogue.onlyEnvironment(part.span, pathAsWritten(part), !hasSign));
      right = false;
    }
  }
  checkForeignBraces(checker, text);
  return right;
}
