// Emits the service declarations as a table of the module, and as the list passed to the runtime.
import type { WrittenTexts } from '../../../runtime/run/secrets.js';
import type { EnvTemplate } from '../../../runtime/types.js';
import type { Limit, Service, Text } from '../2-parse/tree.js';
import { inMilliseconds } from '../3-check/check-time-span.js';
import type { Facts } from '../3-check/checker.js';
import { jsText } from './emitted-code.js';
import { isFixedAmount } from './time-spans.js';

interface TableOptions {
  /** A plugin is an import, which the bundler includes. */
  readonly bundlesPlugins: boolean;
  /** From the folder of the module to that of the workflow. */
  readonly folder: string;
  /** The called workflows by the names of their services. */
  readonly called: Facts['called'];
}

/** The lines of the table. */
export const serviceTable = (services: readonly Service[], options: TableOptions): string[] =>
  services.length === 0
    ? []
    : [
        '',
        'const services = {',
        ...services.map((service) => `  [${jsText(service.name.text)}]: ${declaration(service, options)},`),
        '};',
      ];

/** An argument that lists the declarations, so their credentials are redacted from the first log entry on. */
export const serviceArgument = (services: readonly Service[]): string =>
  services.length === 0 ? '' : `, [${services.map(({ name }) => `services[${jsText(name.text)}]`).join(', ')}]`;

function declaration(service: Service, options: TableOptions): string {
  const { name, kind, timeout, limits } = service;
  const fields = [`name: ${jsText(name.text)}`, `kind: ${jsText(kind)}`, ...targets[kind](service, options)];
  if (timeout?.amount.kind === 'number' && isFixedAmount(timeout))
    fields.push(`timeoutMs: ${inMilliseconds({ amount: timeout.amount.value, unit: timeout.unit })}`);
  if (limits.length > 0)
    fields.push(`limits: { ${limits.map(({ per, count }) => `${limitNames[per]}: ${count.value}`).join(', ')} }`);
  return `{ ${fields.join(', ')} }`;
}

/** The fields that each kind of service needs. */
const targets: Readonly<Record<Service['kind'], (service: Service, options: TableOptions) => readonly string[]>> = {
  api: address,
  webhook: address,
  ai: model,
  plugin: module,
  database: connected,
  mail: connected,
  folder: connected,
  workflow: calledWorkflow,
  person: ({ target, notifiedBy }) => [
    ...(target.parts.length === 0 ? [] : [`url: ${template(target)}`]),
    // The mail server may be declared below the person.
    ...(notifiedBy === undefined ? [] : [`notifiedBy: () => services[${jsText(notifiedBy.text)}]`]),
  ],
};

const limitNames = { 'a minute': 'perMinute', 'at once': 'atOnce' } as const satisfies Record<Limit['per'], string>;

function connected({ target, from }: Service): string[] {
  return [`url: ${template(target)}`, ...(from === undefined ? [] : [`from: ${template(from)}`])];
}

function address({ kind, target, headers, signIn, clientCertificate }: Service): string[] {
  // A header that is declared twice is sent once: the last one wins.
  const last = new Map(headers.map((header) => [header.name.text.toLowerCase(), header]));
  const pairs = [...last.values()].map(({ name, value }) => `[${jsText(name.text)}, ${template(value)}]`);
  return [
    `url: ${template(target)}`,
    ...(pairs.length === 0 ? [] : [`headers: [${pairs.join(', ')}]`]),
    ...(signIn === undefined || kind !== 'api'
      ? []
      : [`signIn: ${templates({ at: signIn.at, id: signIn.id, secret: signIn.secret, scope: signIn.scope })}`]),
    ...(clientCertificate === undefined
      ? []
      : [`clientCertificate: ${templates({ certificate: clientCertificate.certificate, key: clientCertificate.key })}`]),
  ];
}

/** The check guarantees that the provider is fixed text followed by a slash. */
function model({ target }: Service): string[] {
  const [first = '', ...rest] = target.parts;
  const [provider = '', ...name] = String(first).split('/');
  return [`provider: ${jsText(provider)}`, `model: ${template({ ...target, parts: [name.join('/'), ...rest] })}`];
}

function calledWorkflow({ name, target }: Service, { called }: TableOptions): string[] {
  const found = called.get(name.text);
  const [folder = ''] = /^.*[\\/]/.exec(target.parts.join('')) ?? [];
  return [
    ...(found === undefined ? [] : [`called: called$${found.index}`]),
    ...(folder === '' || folder === './' ? [] : [`folder: ${jsText(folder)}`]),
  ];
}

function module({ target }: Service, { bundlesPlugins, folder }: TableOptions): string[] {
  const written = target.parts.join('');
  // A path starts from the folder of the workflow, an import from that of the module.
  const isMoved = folder !== '.' && written.startsWith('.');
  const name = jsText(isMoved ? `${folder.startsWith('.') ? folder : `./${folder}`}/${written}` : written);
  return [`module: ${name}`, ...(bundlesPlugins ? [`load: () => import(${name})`] : [])];
}

/** An object of these texts, without absent ones. */
const templates = (texts: Readonly<Record<string, Text | undefined>>): string =>
  `{ ${Object.entries(texts)
    .flatMap(([name, text]) => (text === undefined ? [] : [`${name}: ${template(text)}`]))
    .join(', ')} }`;

const template = (text: Text): string =>
  `[${templateOf(text)
    .map((part) => (typeof part === 'string' ? jsText(part) : `{ env: ${jsText(part.env)} }`))
    .join(', ')}]`;

/** A text whose values are environment variables. */
export const templateOf = ({ parts }: Text): EnvTemplate =>
  parts.map((part) => (typeof part === 'string' ? part : { env: part.fields[0] ?? '' }));

/** The parts of the declaration that may contain credentials. */
export const writtenService = ({ kind, target, headers, signIn }: Service): WrittenTexts['services'][number] => ({
  kind,
  url: templateOf(target),
  headers: headers.map(({ name, value }) => [name.text, templateOf(value)]),
  ...(signIn === undefined
    ? {}
    : { signIn: { at: templateOf(signIn.at), id: templateOf(signIn.id), secret: templateOf(signIn.secret) } }),
});
