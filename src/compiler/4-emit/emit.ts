// Emits the checked tree as a JavaScript module with its source map, and lists what a run of it can reach.
import type { WorkflowInfo } from '../../../runtime/types.js';
import { inMilliseconds } from '../2-parse/durations.js';
import type { Service, Text, Workflow } from '../2-parse/tree.js';
import type { Facts } from '../3-check/checker.js';
import { type EmitOptions, Emitter, type Reachable } from './emitter.js';
import { jsData } from './javascript-text.js';
import { grownLists } from './list-aliasing.js';
import { moduleFormats } from './module-formats.js';
import { pausesOf } from './pauses.js';
import { serviceArgument, serviceTable } from './services.js';
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

/** @param called the workflows that it calls, directly or indirectly, each after those that it calls itself */
export function emit(
  text: string,
  workflow: Workflow,
  facts: Facts,
  file: FileInfo,
  options: EmitOptions = {},
  called: readonly Emitted[] = [],
): Emitted {
  const emitter = new Emitter(text, workflow, facts, grownLists(workflow.body), options);
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
  const fields = jsData([...emitter.directFields].sort());
  const accepts = facts.inputs === undefined ? '' : `${services.length === 0 ? ', []' : ''}, ${emitter.use('acceptRequest')}`;
  writer.line(
    exported('run', `${emitter.use('defineWorkflow')}(workflow, ${fields}, main${serviceArgument(services)}${accepts})`),
  );
  if (isBuilt) writer.line(program(emitter.use('runAsProgram')));
  const info = describe(workflow, facts, file, emitter.sites, called);
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
  sites: readonly number[],
  called: readonly Emitted[],
): WorkflowInfo {
  const { config } = workflow;
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
    env: [...new Set([...facts.env, ...called.flatMap(({ info }) => info.env)])].sort(),
    services: [...facts.services.values()].map((service) => ({ name: service.name.text, kind: service.kind })),
    ...(called.length === 0 ? {} : { calledServices: called.flatMap(({ info }) => info.services) }),
    ...(facts.inputs === undefined ? {} : { inputs: facts.inputs }),
    requestFields: [...facts.requestFields].sort(),
    outputKeys: [...facts.outputKeys].sort(),
    sites,
    compiler: file.version,
  };
}
