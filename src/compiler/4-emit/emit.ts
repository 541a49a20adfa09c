// The checked tree → the text of an ES module, its source map, and what a run of it can reach.
import type { WorkflowInfo } from '../../../runtime/types.js';
import type { Service, Text, Workflow } from '../2-parse/tree.js';
import type { Facts } from '../3-check/checker.js';
import { inMilliseconds } from './calls.js';
import { type EmitOptions, Emitter, type Reachable } from './emitter.js';
import { blocksOf } from './infer-types.js';
import { jsData, jsText } from './javascript-text.js';
import { grownLists } from './shared-lists.js';
import { emitBlock } from './statements.js';
import type { SourceMap } from './writer.js';

export interface Emitted {
  readonly code: string;
  readonly map: SourceMap;
  readonly info: WorkflowInfo;
  /** With `coverage`: the statements and branches, by the index that `run.reach` tells. */
  readonly reachable: readonly Reachable[];
}

/** What is not in the tree. */
export interface FileInfo {
  /** Base name of the `.wf` file. */
  readonly file: string;
  /** The path that the source map names. */
  readonly source: string;
  /** Name of the workflow where `config:` gives none. */
  readonly defaultName: string;
  /** Version of the compiler. */
  readonly version: string;
}

export function emit(text: string, workflow: Workflow, facts: Facts, file: FileInfo, options: EmitOptions = {}): Emitted {
  const emitter = new Emitter(text, workflow, facts, grownLists(workflow.body, blocksOf), options);
  const info = describe(workflow, facts, file);
  const { writer } = emitter;
  writer.line('async function main(run, request) {');
  writer.indented(() => {
    const start = writer.length;
    emitBlock(emitter, workflow.body);
    writer.insert(
      start,
      locals(emitter).map((line) => `  ${line}`),
    );
  });
  writer.line('}');
  writer.line('');
  writer.line(
    `export const run = ${emitter.use('defineWorkflow')}(workflow, ${jsData([...emitter.directFields].sort())}, main${serviceList(facts)});`,
  );
  if (options.standalone === true) writer.line(`${emitter.use('runAsProgram')}(import.meta.url, run);`);
  writer.insert(0, head(emitter, info));
  let map: SourceMap | undefined;
  return {
    code: writer.code,
    // Few ask for it.
    get map() {
      map ??= writer.sourceMap(file.source, text);
      return map;
    },
    info,
    reachable: emitter.reachable,
  };
}

/** Imports, what the module says of itself, and the declarations. */
function head(emitter: Emitter, info: WorkflowInfo): string[] {
  const services = [...emitter.facts.services.values()];
  return [
    `import { ${emitter.imports.join(', ')} } from 'wf-runtime';`,
    '',
    `export const workflow = ${jsData(info)};`,
    ...(services.length === 0
      ? []
      : [
          '',
          'const services = {',
          ...services.map((service) => `  [${jsText(service.name.text)}]: ${serviceCode(service, emitter.options)},`),
          '};',
        ]),
    ...(emitter.places.length === 0 ? [] : ['', ...emitter.places.map((place, index) => `const place$${index} = ${place};`)]),
    '',
  ];
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

/** The declarations as a list, so that their credentials stay out of every log from the start. */
const serviceList = ({ services }: Facts): string =>
  services.size === 0 ? '' : `, [${[...services.keys()].map((name) => `services[${jsText(name)}]`).join(', ')}]`;

const template = ({ parts }: Text): string =>
  `[${parts.map((part) => (typeof part === 'string' ? jsText(part) : `{ env: ${jsText(part.fields[0] ?? '')} }`)).join(', ')}]`;

function serviceCode(service: Service, options: EmitOptions): string {
  const { name, kind, target, headers, timeout } = service;
  const fields = [`name: ${jsText(name.text)}`, `kind: ${jsText(kind)}`];
  if (kind === 'api' || kind === 'webhook') {
    fields.push(`url: ${template(target)}`);
    // A header that is declared twice is sent once: the last one wins.
    const last = new Map(headers.map((header) => [header.name.text.toLowerCase(), header]));
    if (last.size > 0)
      fields.push(
        `headers: [${[...last.values()].map((header) => `[${jsText(header.name.text)}, ${template(header.value)}]`).join(', ')}]`,
      );
  } else if (kind === 'ai') {
    // The check has made sure that the provider is fixed text with a slash behind it.
    const [first = '', ...rest] = target.parts;
    const [provider = '', ...model] = String(first).split('/');
    fields.push(`provider: ${jsText(provider)}`, `model: ${template({ ...target, parts: [model.join('/'), ...rest] })}`);
  } else {
    const module = target.parts.join('');
    fields.push(`module: ${jsText(module)}`);
    if (options.bundlePlugins === true) fields.push(`load: () => import(${jsText(module)})`);
  }
  if (timeout !== undefined) fields.push(`timeoutMs: ${inMilliseconds(timeout)}`);
  return `{ ${fields.join(', ')} }`;
}

function describe(workflow: Workflow, facts: Facts, file: FileInfo): WorkflowInfo {
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
    env: [...facts.env].sort(),
    services: [...facts.services.values()].map((service) => ({ name: service.name.text, kind: service.kind })),
    requestFields: [...facts.requestFields].sort(),
    outputKeys: [...facts.outputKeys].sort(),
    compiler: file.version,
  };
}
