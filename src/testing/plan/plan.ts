// The plan of a checked workflow (`wf test --dry-run`): an indented tree in the order of the file. Runs nothing.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { FieldKind, InputField } from '../../../runtime/inputs/input-types.js';
import { kindWords } from '../../../runtime/inputs/input-words.js';
import { withoutPassword, writtenAddress } from '../../../runtime/services/template.js';
import { methodOf } from '../../../runtime/services/verbs.js';
import { oneLine } from '../../../runtime/values/one-line.js';
import type {
  Ask,
  AtTheSameTime,
  Block,
  Call,
  If,
  LookUp,
  Loop,
  OnFailure,
  OutcomeBlock,
  Retry,
  Service,
  Statement,
  Step,
  Text,
  WaitFor,
} from '../../compiler/2-parse/tree.js';
import { blocksOf, blocksRun } from '../../compiler/2-parse/walk.js';
import { type Checked, checkFile } from '../../compiler/compile.js';
import type { LocatedDiagnostic, Span } from '../../compiler/diagnostics/diagnostic.js';
import { renderText, summary } from '../../compiler/diagnostics/render-text.js';
import { pathAsWritten } from '../../compiler/vocabulary/field-names.js';
import { endOf } from '../../compiler/vocabulary/statement-table.js';
import type { Io } from '../../engine/io.js';
import { workflowFiles } from '../../engine/prepare/workflow-files.js';

/** The lines of the plan. `file` is the path for messages. Only for workflows without errors. */
export function dryRunLines({ text, workflow, facts }: Checked, file: string): string[] {
  const plan = new PlanWriter(text, facts.services);
  const { config, trigger, body } = workflow;
  const name = config?.name === undefined ? undefined : plan.textOf(config.name);
  plan.line(`${name ?? file.replace(/^.*[\\/]/, '').replace(/\.wf$/, '')} v${config?.version?.value ?? 1} (${file})`);
  plan.indented(() => {
    if (trigger !== '') plan.line(`trigger: ${trigger}`);
    if (facts.inputs !== undefined) printInputs(plan, facts.inputs);
    if (config?.timeout !== undefined) plan.line(`ends as error after ${plan.source(config.timeout.span)}`);
    if (facts.env.size > 0) plan.line(`reads from the environment: ${[...facts.env].sort().join(', ')}`);
    plan.block(body);
    if (!alwaysEnds(body)) plan.line('complete (the end of the file: no outputs)');
  });
  return plan.lines;
}

const alwaysEnds = (block: Block): boolean => block.some(endsRun);

function endsRun(statement: Statement): boolean {
  if (endOf(statement.kind) === 'run') return true;
  const blocks = blocksOf(statement);
  switch (blocksRun(statement)) {
    case 'all':
      return blocks.some(alwaysEnds);
    case 'one':
      return blocks.every(alwaysEnds);
    case 'maybe':
      return false;
  }
}

function printInputs(plan: PlanWriter, fields: readonly InputField[]): void {
  plan.line('takes');
  plan.indented(() => {
    for (const field of fields) printField(plan, field);
  });
}

function printField(plan: PlanWriter, { name, kind, optional, otherwise }: InputField): void {
  const missing = optional === true ? ', optional' : otherwise === undefined ? '' : `, otherwise ${JSON.stringify(otherwise)}`;
  plan.line(`${name}: ${kind.is === 'anything' ? kind.is : kindWords(kind, false)}${missing}`);
  const inside = fieldsOf(kind);
  plan.indented(() => {
    for (const field of inside) printField(plan, field);
  });
}

/** The fields of a record, or of the records in a list. */
const fieldsOf = (kind: FieldKind): readonly InputField[] =>
  kind.is === 'record' ? kind.fields : kind.is === 'list' ? fieldsOf(kind.of) : [];

/**
 * `wf test --dry-run`: checks each workflow and prints its plan, without running, compiling or calling anything.
 * @returns 0, or 1 if a workflow has errors and therefore no plan
 */
export function showPlans(files: readonly string[], io: Io): number {
  const found: LocatedDiagnostic[] = [];
  const plans: string[] = [];
  let hasErrors = false;
  for (const file of files) {
    const checked = checkFile(readFileSync(path.resolve(io.cwd, file)), file, { files: workflowFiles(file, io.cwd) });
    found.push(...checked.diagnostics);
    hasErrors ||= checked.hasErrors;
    if (!checked.hasErrors) plans.push(`${dryRunLines(checked, file).join('\n')}\n`);
  }
  io.stdout.write(plans.join('\n'));
  if (found.length > 0) io.stderr.write(`${renderText(found, { colour: io.colour.stderr })}\n\n${summary(found)}\n`);
  return hasErrors ? 1 : 0;
}

// The plan printers by statement kind. `tsc` reports a missing one.

type Printers = {
  readonly [Kind in Statement['kind']]: (plan: PlanWriter, statement: Extract<Statement, { kind: Kind }>) => void;
};

const printLine = (plan: PlanWriter, { span }: Statement): void => plan.line(plan.source(span));

const printers: Printers = {
  step: printStep,
  'at the same time': printAtTheSameTime,
  if: printIf,
  'for each': printLoop,
  'for each field': printLoop,
  repeat: printLoop,
  call: printCall,
  ask: printAsk,
  set: printLine,
  add: printLine,
  log: printLine,
  skip: printLine,
  stop: printLine,
  wait: printLine,
  'wait for': printWaitFor,
  'look up': printLookUp,
  'wait until': printLine,
  complete: printLine,
  reject: printLine,
  broken() {
    throw new Error('A workflow with errors has no plan');
  },
};

function printBlock(plan: PlanWriter, block: Block): void {
  for (const statement of block) printStatement(plan, statement);
}

function printStatement<K extends Statement['kind']>(plan: PlanWriter, statement: Extract<Statement, { kind: K }>): void {
  const print = printers[statement.kind] as (plan: PlanWriter, statement: Extract<Statement, { kind: K }>) => void; // looked up by its own kind
  print(plan, statement);
}

function printLookUp(plan: PlanWriter, { results, table, pairs, nothing }: LookUp): void {
  plan.line(`look up ${results.map(({ text }) => text).join(' and ')} in ${table.text}`);
  plan.indented(() => {
    for (const { key, value } of pairs) plan.line(`with ${key.text}: ${plan.source(value.span)}`);
    if (nothing === undefined) return;
    plan.line('if nothing matches');
    plan.nested(nothing.body);
  });
}

function printWaitFor(plan: PlanWriter, { message, pairs, atMost, save, silence, onSuccess }: WaitFor): void {
  plan.line(`wait for ${message.text}${atMost === undefined ? '' : `, at most ${plan.source(atMost.span)}`}`);
  plan.indented(() => {
    for (const { key, value } of pairs) plan.line(`with ${key.text}: ${plan.source(value.span)}`);
    if (save !== undefined) plan.line(`save the message as ${save.text}`);
    printSuccess(plan, onSuccess);
    if (silence === undefined) return;
    plan.line('if nothing comes');
    plan.nested(silence.body);
  });
}

function printStep(plan: PlanWriter, { name, body }: Step): void {
  plan.line(`step ${name.text}`);
  plan.nested(body);
}

function printAtTheSameTime(plan: PlanWriter, { span, body }: AtTheSameTime): void {
  plan.line(plan.source(span).slice(0, -1).trimEnd());
  plan.nested(body);
}

function printIf(plan: PlanWriter, { branches, otherwise }: If): void {
  branches.forEach(({ condition, body }, index) => {
    plan.line(`${index === 0 ? 'if' : 'otherwise if'} ${plan.source(condition.span)}`);
    plan.nested(body);
  });
  if (otherwise === undefined) return;
  plan.line('otherwise');
  plan.nested(otherwise.body);
}

function printLoop(plan: PlanWriter, { span, body }: Loop): void {
  plan.line(plan.source(span).slice(0, -1).trimEnd());
  plan.nested(body);
}

function printCall(plan: PlanWriter, call: Call): void {
  const service = plan.services.get(call.service.text);
  plan.line(`${call.phrase.join(' ')} using ${call.service.text}`);
  plan.indented(() => {
    if (service !== undefined) plan.line(targetOf(plan, call, service));
    printDetails(plan, call);
  });
}

function printAsk(plan: PlanWriter, ask: Ask): void {
  const service = plan.services.get(ask.service.text);
  plan.line(
    `ask ${ask.service.text}${service === undefined ? '' : ` (${plan.textOf(service.target)})`} to ${plan.textOf(ask.instruction)}`,
  );
  plan.indented(() => printDetails(plan, ask));
}

/** `GET https://stock.invalid/items/{request.sku}`. A plugin has no address, only the words of the call. */
function targetOf(plan: PlanWriter, { phrase, at, running, sentAs }: Call, { kind, target }: Service): string {
  const path = at === undefined ? undefined : plan.textOf(at);
  switch (kind) {
    case 'plugin':
      return `plugin ${plan.textOf(target)}${path === undefined ? '' : ` at ${path}`}`;
    case 'workflow':
      return `workflow ${plan.textOf(target)}`;
    case 'database':
    case 'mail':
    case 'folder': {
      const what = running === undefined ? (path === undefined ? '' : ` at ${path}`) : ` running ${plan.textOf(running)}`;
      return `${kind === 'mail' ? 'mail server' : kind} ${withoutPassword(plan.textOf(target))}${what}`;
    }
    case 'api':
    case 'webhook':
    case 'ai':
    case 'person':
      return `${sentAs?.text ?? methodOf(kind, phrase[0] ?? '')} ${writtenAddress(plan.textOf(target), path)}`;
  }
}

function printDetails(plan: PlanWriter, call: Call | Ask): void {
  const { pairs, headers, body, saves, onFailure, onSuccess } = call;
  for (const { name, value } of headers) plan.line(`with header ${name.text}: ${plan.source(value.span)}`);
  for (const { key, value } of pairs) plan.line(`with ${key.text}: ${plan.source(value.span)}`);
  for (const { key, value } of call.kind === 'call' ? call.where : []) plan.line(`where ${key.text}: ${plan.source(value.span)}`);
  if (body !== undefined) plan.line(`body: ${plan.source(body.value.span)}`);
  for (const { what, name } of saves) plan.line(`save the ${what} as ${name.text}`);
  printSuccess(plan, onSuccess);
  if (onFailure !== undefined) printFailure(plan, onFailure);
}

/** The lines under `on success:`. */
function printSuccess(plan: PlanWriter, onSuccess: OutcomeBlock | undefined): void {
  if (onSuccess === undefined) return;
  plan.line('if it works');
  plan.nested(onSuccess.body);
}

function printFailure(plan: PlanWriter, { retry, body }: OnFailure): void {
  plan.line('if it fails');
  plan.indented(() => {
    if (retry !== undefined) plan.line(retryText(plan, retry));
    if (body === undefined) {
      plan.line('if it still fails, the run ends as error');
    } else if (retry === undefined) {
      plan.block(body);
    } else {
      plan.line('if it still fails');
      plan.nested(body);
    }
  });
}

function retryText(plan: PlanWriter, { times, waiting, doubling }: Retry): string {
  const wait =
    waiting === undefined ? 'without waiting' : `waiting ${plan.source(waiting.span)}${doubling ? ', doubling each time' : ''}`;
  return `retry ${times === 1 ? 'once' : `up to ${times} times`}, ${wait}`;
}

/** Writes the lines of a plan, with their indentation and source text, and reaches the printers of nested blocks. */
class PlanWriter {
  readonly lines: string[] = [];
  readonly services: ReadonlyMap<string, Service>;
  readonly #source: string;
  #depth = 0;

  constructor(source: string, services: ReadonlyMap<string, Service>) {
    this.#source = source;
    this.services = services;
  }

  line(text: string): void {
    this.lines.push(oneLine(`${'    '.repeat(this.#depth)}${text}`));
  }

  indented(print: () => void): void {
    this.#depth++;
    print();
    this.#depth--;
  }

  block(block: Block): void {
    printBlock(this, block);
  }

  /** The statements of a block, one level deeper. */
  nested(block: Block): void {
    this.indented(() => this.block(block));
  }

  /** The text of the file. */
  source({ start, end }: Span): string {
    return this.#source.slice(start, end);
  }

  /** Quoted text without its quotes, with values as `{name}`. */
  textOf({ parts }: Text): string {
    return parts.map((part) => (typeof part === 'string' ? part : `{${pathAsWritten(part)}}`)).join('');
  }
}
