// Emits the checked tree as a JavaScript module with its source map, and lists what a run of it can reach.
import { writtenSecrets } from '../../../runtime/run/secrets.js';
import type { WorkflowInfo } from '../../../runtime/types.js';
import type { Block, Expression, Once, Service, Serving, Statement, Text, Workflow } from '../2-parse/tree.js';
import { isWaiting, namesIn, statementsIn } from '../2-parse/walk.js';
import { inMilliseconds } from '../3-check/check-time-span.js';
import type { Facts } from '../3-check/checker.js';
import { jsData, jsText } from './emitted-code.js';
import { type CheckedText, type EmitOptions, Emitter, type Reachable } from './emitter.js';
import { emitExpression } from './expressions/emit-expression.js';
import { grownLists } from './list-aliasing.js';
import { serviceArgument, serviceTable, writtenService } from './services.js';
import { emitPairs } from './statements/call.js';
import { emitBlock } from './statements/emit-block.js';
import type { SourceMap } from './writer.js';

export interface Emitted {
  readonly code: string;
  readonly format: keyof typeof moduleFormats;
  readonly map: SourceMap;
  readonly info: WorkflowInfo;
  /** Names that it imports from the runtime. */
  readonly imports: readonly string[];
  /** With `coverage`: the statements and branches, by the index passed to `run.reach`. */
  readonly reachable: readonly Reachable[];
}

/** Options that are not in the tree. */
export interface FileInfo {
  /** Base name of the `.wf` file. */
  readonly file: string;
  /** The path in the source map. */
  readonly source: string;
  /** Name of the workflow if `config:` gives none. */
  readonly defaultName: string;
  /** Version of the compiler. */
  readonly version: string;
}

const nodeEmitters = { block: emitBlock, expression: emitExpression };

/** @param called the workflows that it calls, directly or indirectly, each after those that it calls itself */
export function emit(
  { text, workflow, facts }: CheckedText,
  file: FileInfo,
  options: EmitOptions = {},
  called: readonly Emitted[] = [],
): Emitted {
  const emitter = new Emitter({ text, workflow, facts }, grownLists(workflow.body), nodeEmitters, options);
  const { writer } = emitter;
  const services = [...facts.services.values()];
  const isBuilt = options.format === 'build';
  const format = formatOf(options, [...services, ...called.flatMap(({ info }) => info.services)]);
  const { head, exported, program } = moduleFormats[format];
  writer.line('async function main(run, request) {');
  writer.indented(() => {
    const start = writer.length;
    emitter.block(workflow.body);
    writer.insert(start, locals(emitter));
  });
  writer.line('}');
  writer.line('');
  const rest = restOfArguments(emitter, workflow, facts);
  const fields = jsData([...emitter.directFields].sort());
  writer.line(exported('run', `${emitter.use('defineWorkflow')}(workflow, ${fields}, main${rest})`));
  if (isBuilt) writer.line(program(emitter.use('runAsProgram')));
  const info = describe(workflow, facts, file, emitter, called);
  const imports = [...new Set([...emitter.imports, ...called.flatMap((one) => one.imports)])].sort();
  writer.insert(0, [
    ...head(imports),
    '',
    ...called.flatMap(calledModule),
    exported('workflow', jsData(info)),
    ...serviceTable(services, {
      bundlesPlugins: isBuilt || options.bundlesPlugins === true,
      folder: options.folder ?? '.',
      called: facts.called,
    }),
    ...(emitter.locations.length === 0 ? [] : ['']),
    ...emitter.tables.lines,
    ...emitter.locations.map((location, index) => `const location$${index} = ${location};`),
    '',
    ...emitter.functions,
  ]);
  let map: SourceMap | undefined;
  return {
    code: writer.code,
    format,
    // Rarely requested.
    get map() {
      map ??= writer.sourceMap(file.source, text);
      return map;
    },
    info,
    imports,
    reachable: emitter.reachable,
  };
}

/** The arguments of `defineWorkflow` besides the workflow itself, as far as the file needs them. */
function restOfArguments(emitter: Emitter, { config, body }: Workflow, { inputs, services: known }: Facts): string {
  const services = [...known.values()];
  const once = onceFunction(emitter, config?.once);
  const early = earlyMessages(emitter, body);
  const extra = [
    inputs === undefined ? 'undefined' : emitter.use('acceptRequest'),
    once ?? 'undefined',
    early ?? 'undefined',
  ].slice(0, early !== undefined ? 3 : once !== undefined ? 2 : inputs !== undefined ? 1 : 0);
  const listed = services.length === 0 && extra.length > 0 ? ', []' : serviceArgument(services);
  return [listed, ...extra].join(', ');
}

/** Emits the value of `once for each` as a function of the request; returns its name. */
const onceFunction = (emitter: Emitter, once: Once | undefined): string | undefined =>
  once === undefined ? undefined : requestFunction(emitter, 'once', () => emitter.expression(once.value).alone);

/** Emits the messages for which a run has a place from the start: their names, and their pairs as functions of the request. */
function earlyMessages(emitter: Emitter, body: Block): string | undefined {
  const waits = [...statementsIn(body)]
    .filter((statement) => statement.kind === 'wait for')
    .filter(({ pairs }) => pairs.length > 0 && pairs.every(({ value }) => isOfRequest(value)));
  const places = waits.map(({ message, pairs }) => {
    const name = requestFunction(emitter, 'early', () => emitPairs(emitter, pairs));
    return `[${jsText(message.text)}, ${name}]`;
  });
  return places.length === 0 ? undefined : `[${places.join(', ')}]`;
}

const isOfRequest = (value: Expression): boolean => [...namesIn(value)].every((name) => name === 'request');

/** Emits a function of the request; returns its name. */
function requestFunction(emitter: Emitter, like: string, expression: () => string): string {
  const name = emitter.unique(like);
  const { result, temporaries } = emitter.inFunction(expression);
  emitter.functions.push(
    `async function ${name}(run, request) {`,
    ...(temporaries.length === 0 ? [] : [`  let ${temporaries.join(', ')};`]),
    `  return ${result};`,
    '}',
    '',
  );
  return name;
}

/** A called workflow, inside the module of its caller. */
const calledModule = ({ code }: Emitted, index: number): string[] => [
  `const called$${index} = ((exports) => {`,
  ...code.trimEnd().split('\n'),
  'return exports;',
  '})({});',
  '',
];

/**
 * A plugin may use everything that an ES module can, such as top-level await. With a plugin, a built module is therefore an ES module
 * itself.
 */
function formatOf({ format = 'esm' }: EmitOptions, services: readonly Pick<Service, 'kind'>[]): keyof typeof moduleFormats {
  if (format !== 'build') return format;
  return services.some(({ kind }) => kind === 'plugin') ? 'esm' : 'body';
}

/** The variables of the run, and the locals of the emitter. */
function locals(emitter: Emitter): string[] {
  const variables = [...emitter.variables].map((name) => emitter.symbols.identifier(name)).sort();
  const own = [...emitter.grown]
    .filter((name) => emitter.variables.has(name))
    .map((name) => `${emitter.symbols.identifier(name)}$own = false`);
  const { temporaries } = emitter;
  return [
    ...(variables.length === 0 ? [] : [`let ${variables.join(', ')};`]),
    ...(own.length === 0 ? [] : [`let ${own.join(', ')};`]),
    ...(temporaries.length === 0 ? [] : [`let ${temporaries.join(', ')};`]),
    ...(emitter.hasLoops ? ['let fuel$ = 16;'] : []),
  ];
}

function describe(
  workflow: Workflow,
  facts: Facts,
  file: FileInfo,
  { sites, written }: Emitter,
  called: readonly Emitted[],
): WorkflowInfo {
  const { config } = workflow;
  const services = [...facts.services.values()];
  const secrets = [
    ...writtenSecrets({ ...written, services: services.map(writtenService) }),
    ...called.flatMap(({ info }) => info.secrets ?? []),
  ];
  const literal = (text: Text | undefined): string | undefined => text?.parts.join('');
  const description = literal(config?.description);
  return {
    name: literal(config?.name) ?? file.defaultName,
    version: config?.version?.value ?? 1,
    ...(description === undefined ? {} : { description }),
    trigger: workflow.trigger,
    file: file.file,
    ...(config?.timeout === undefined ? {} : { timeoutMs: inMilliseconds(config.timeout) }),
    ...pausesOf(workflow, facts, called),
    ...(config?.timezone === undefined ? {} : { timezone: config.timezone.parts.join('') }),
    ...(config?.schedule === undefined ? {} : { schedule: config.schedule.parts.join('') }),
    ...(config === undefined || config.holidays.length === 0
      ? {}
      : { holidays: config.holidays.map(({ parts }) => parts.join('')) }),
    ...(config?.once === undefined ? {} : { once: onceInfo(config.once) }),
    ...(config === undefined || config.findBy.length === 0 ? {} : { findBy: config.findBy.map(({ fields }) => fields) }),
    ...(config?.keepFor === undefined ? {} : { keepForMs: inMilliseconds(config.keepFor) }),
    ...(config?.workingHours === undefined ? {} : { workingHours: config.workingHours.parts.join('') }),
    ...(config?.language === undefined ? {} : { language: config.language.parts.join('') }),
    ...servingOf(config?.serving),
    ...(facts.readsReceived || called.some(({ info }) => info.received === true) ? { received: true } : {}),
    env: [...new Set([...facts.env, ...called.flatMap(({ info }) => info.env)])].sort(),
    ...(secrets.length === 0 ? {} : { secrets }),
    services: services.map((service) => ({ name: service.name.text, kind: service.kind })),
    ...(called.length === 0 ? {} : { calledServices: called.flatMap(({ info }) => info.services) }),
    ...(facts.inputs === undefined ? {} : { inputs: facts.inputs }),
    requestFields: [...facts.requestFields].sort(),
    outputKeys: [...facts.outputKeys].sort(),
    ...(facts.ownAnswers.length === 0 ? {} : { ownAnswers: facts.ownAnswers }),
    sites,
    compiler: file.version,
  };
}

const onceInfo = ({ keptFor }: Once): NonNullable<WorkflowInfo['once']> =>
  keptFor === undefined ? {} : { keptForMs: inMilliseconds(keptFor) };
function servingOf(serving: Serving | undefined): Pick<WorkflowInfo, 'serving'> {
  if (serving === undefined) return {};
  const { signature, secret, isAccepted, statusWhenRejected, runsAtOnce } = serving;
  return {
    serving: {
      ...(signature === undefined ? {} : { signature: signature.parts.join('') }),
      ...(secret === undefined
        ? {}
        : { secrets: secret.parts.flatMap((part) => (typeof part === 'string' ? [] : (part.fields[0] ?? []))) }),
      ...(isAccepted ? { isAccepted } : {}),
      ...(statusWhenRejected === undefined ? {} : { statusWhenRejected: statusWhenRejected.value }),
      ...(runsAtOnce === undefined ? {} : { runsAtOnce: runsAtOnce.value }),
    },
  };
}

interface ModuleFormat {
  /** The first lines, which import `names` from the runtime. */
  readonly head: (names: readonly string[]) => string[];
  /** Declares an exported constant. */
  readonly exported: (name: string, code: string) => string;
  /** The last line of a module that can also be started; `runAsProgram` is the name of the runtime's function. */
  readonly program: (runAsProgram: string) => string;
}

const fromPackage = (names: readonly string[]): string[] => [`import { ${names.join(', ')} } from 'wf-runtime';`];

/**
 * The kinds of modules that the same code can be printed as: how each imports the runtime and exports `workflow` and `run`.
 */
const moduleFormats = {
  /** An ES module, for bundlers and for the module loader of Node.js. */
  esm: {
    head: fromPackage,
    exported: (name, code) => `export const ${name} = ${code};`,
    program: (runAsProgram) => `${runAsProgram}(import.meta.url, run);`,
  },
  /** The body of a function with the parameters `exports` and `require`, ready to run. */
  commonjs: {
    // Locals are faster than properties of `require('wf-runtime')`.
    head: (names) => ["'use strict';", `const { ${names.join(', ')} } = require('wf-runtime');`],
    exported: (name, code) => `const ${name} = (exports.${name} = ${code});`,
    program: () => '',
  },
  /** A called workflow inside the module of its caller, whose imports it uses. */
  called: {
    head: () => [],
    exported: (name, code) => `const ${name} = (exports.${name} = ${code});`,
    program: () => '',
  },
  /** The text between the head and the foot of a built module (`built-module.ts`), once the runtime is bundled in. */
  body: {
    head: fromPackage,
    exported: (name, code) => `const ${name} = (wf$module.${name} = ${code});`,
    program: (runAsProgram) => `wf$module.start = (address) => ${runAsProgram}(address, run);`,
  },
} as const satisfies Record<string, ModuleFormat>;

const LONG_MS = 3_600_000;

type CalledWorkflows = readonly { readonly info: WorkflowInfo }[];

/** @param called the workflows that it calls, by `Facts.called` */
function pausesOf({ body }: Workflow, facts: Facts, called: CalledWorkflows): Pick<WorkflowInfo, 'longestWaitMs' | 'pauses'> {
  let longestWaitMs = 0;
  const pauses: { line: number; reason: string }[] = [];
  for (const statement of statementsIn(body)) {
    longestWaitMs = Math.max(longestWaitMs, waitOf(statement, 0));
    const reason = reasonOf(statement, facts, called);
    if (reason !== undefined) pauses.push({ line: statement.line, reason });
  }
  return { ...(longestWaitMs === 0 ? {} : { longestWaitMs }), ...(pauses.length === 0 ? {} : { pauses }) };
}

/** Milliseconds. @param unknown the amount where it is a value of the run */
function waitOf(statement: Statement, unknown: number): number {
  if (statement.kind !== 'wait') return 0;
  const { amount, unit } = statement;
  return inMilliseconds({ amount: amount.kind === 'number' ? amount.value : unknown, unit });
}

function reasonOf(statement: Statement, { services, called: calledAs }: Facts, called: CalledWorkflows): string | undefined {
  // At least one day or week.
  if (waitOf(statement, 1) > LONG_MS) return 'a long time';
  if (statement.kind === 'call') {
    const { text: service } = statement.service;
    const { index } = calledAs.get(service) ?? {};
    return index !== undefined && called[index]?.info.pauses !== undefined ? `the workflow ${service}` : undefined;
  }
  if (!isWaiting(statement)) return undefined;
  switch (statement.kind) {
    case 'wait':
      return undefined;
    case 'wait until':
      return 'a date';
    case 'wait for':
      return `the message ${statement.message.text}`;
    case 'ask':
      return services.get(statement.service.text)?.kind === 'person' ? `${statement.service.text} to answer` : undefined;
  }
}
