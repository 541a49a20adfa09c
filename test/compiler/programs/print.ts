// Prints a workflow as the text of a `.wf` file, and records the line of each statement.
import { posix } from 'node:path';
import { printInputs } from './inputs.js';
import { escaped } from './quoted.js';
import { printTable } from './tables.js';
import type { Expr, Pairs, Path, Stmt, Workflow } from './tree.js';

export const envOfPrograms: Readonly<Record<string, string>> = { REGION: 'north' };

const head = ({ zone, inputs, tables, parts }: Workflow, folder: string): string => `config:
    name: "Random"
    version: 1
${zone === undefined ? '' : `    timezone: "${zone}"\n`}${inputs === undefined ? '' : `\ninputs:\n${printInputs(inputs).join('\n')}\n`}
services:
    Orders is an API at "https://orders.example.com"
    Hook is a webhook at "https://hook.example.com/1"
    Ledger is a plugin "./ledger.js"
    Writer is an AI using "openai/gpt-4o"
${parts.map(({ service, file }) => `    ${service} is a workflow at "${pathFrom(folder, file)}"\n`).join('')}${tables.length === 0 ? '' : `\ntables:\n${tables.flatMap(printTable).join('\n')}\n`}
workflow:
    trigger: when the test runs`;

function pathFrom(folder: string, file: string): string {
  const path = posix.relative(folder, file);
  return path.startsWith('.') ? path : `./${path}`;
}

/** @param file its path from the folder of the program */
export function printWorkflow(workflow: Workflow, file: string): string {
  const lines = head(workflow, posix.dirname(file)).split('\n');
  printBlock(workflow.body, 1, lines);
  return `${lines.join('\n')}\n`;
}

function printBlock(body: readonly Stmt[], depth: number, lines: string[]): void {
  for (const statement of body) printStatement(statement, depth, lines);
}

function printStatement(statement: Stmt, depth: number, lines: string[]): void {
  const put = (text: string, deeper = 0): void => {
    lines.push(`${'    '.repeat(depth + deeper)}${text}`);
  };
  if ('line' in statement) statement.line.at = lines.length + 1;
  switch (statement.k) {
    case 'step':
      put(`step ${statement.name}:`);
      printBlock(statement.body, depth + 1, lines);
      break;
    case 'set':
      put(`set ${printPath(statement.path)} to ${print(statement.value)}`);
      break;
    case 'add':
      put(`add ${print(statement.value)} to ${statement.name}`);
      break;
    case 'log':
      put(`log ${print(statement.value)}`);
      break;
    case 'if':
      statement.branches.forEach((branch, index) => {
        branch.line.at = lines.length + 1;
        put(`${index === 0 ? '' : 'otherwise '}if ${print(branch.test)}:`);
        printBlock(branch.body, depth + 1, lines);
      });
      if (statement.otherwise === undefined) return;
      put('otherwise:');
      printBlock(statement.otherwise, depth + 1, lines);
      break;
    case 'for':
      put(
        `for each ${statement.item} in ${print(statement.list)}${statement.where === undefined ? '' : ` where ${print(statement.where)}`}:`,
      );
      printBlock(statement.body, depth + 1, lines);
      break;
    case 'together':
      put('at the same time:');
      printBlock(statement.branches, depth + 1, lines);
      break;
    case 'rounds':
      put(`set ${statement.added} to []`);
      statement.line.at = lines.length + 1;
      put(`for each ${statement.item} in ${print(statement.list)}, ${statement.most} at a time:`);
      printBlock(statement.body, depth + 1, lines);
      break;
    case 'fields':
      put(`for each ${statement.names.join(' and ')} in ${print(statement.record)}:`);
      printBlock(statement.body, depth + 1, lines);
      break;
    case 'repeat': {
      const { until, most } = statement;
      put(`repeat ${until === undefined ? '' : `until ${print(until)}, `}at most ${print(most)} times:`);
      printBlock(statement.body, depth + 1, lines);
      break;
    }
    case 'letter':
      put(`set ${printPath(statement.path)} to text:`);
      for (const line of statement.lines) put(printLine(line), 1);
      break;
    case 'look up':
      put(`look up ${statement.results.join(' and ')} in ${statement.table}${printPairs(statement.pairs)}`);
      if (statement.nothing === undefined) break;
      put('if nothing matches:', 1);
      printBlock(statement.nothing, depth + 2, lines);
      break;
    case 'skip':
      put('skip');
      break;
    case 'stop':
      put('stop the loop');
      break;
    case 'wait':
      put(filled(`wait # ${statement.unit}`, [statement.amount]));
      break;
    case 'complete':
      put(`complete${printPairs(statement.pairs)}`);
      break;
    case 'reject':
      put(`reject with ${print(statement.message)}`);
      break;
    case 'call': {
      const { instruction, at, handler } = statement;
      if (instruction !== undefined)
        put(
          `ask ${statement.service} to ${instruction.quoted ? printText(instruction.parts) + printPairs(statement.pairs) : printPlain(instruction.parts)}`,
        );
      else
        put(
          `${statement.phrase} using ${statement.service}${at === undefined ? '' : ` at ${printText(at)}`}${printPairs(statement.pairs)}`,
        );
      for (const [what, name] of statement.saves) put(`save the ${what} as ${name}`, 1);
      if (handler === undefined) return;
      put('on failure:', 1);
      if (handler.retry !== undefined) put(`retry ${handler.retry} times waiting 5 seconds`, 2);
      if (handler.body === undefined) return;
      if (handler.stillFailing) put('if still failing:', 2);
      printBlock(handler.body, depth + (handler.stillFailing ? 3 : 2), lines);
    }
  }
}

export const printPath = ({ root, fields }: Path): string => [root, ...fields].join('.');

const printPairs = (pairs: Pairs): string =>
  pairs.length === 0 ? '' : ` with ${pairs.map(([key, value]) => `${key} ${print(value)}`).join(' and ')}`;

const printText = (parts: readonly (string | Path)[]): string =>
  `"${parts.map((part) => (typeof part === 'string' ? escaped(part) : `{${printPath(part)}}`)).join('')}"`;

/** A line of a long text, in which only braces have a meaning. */
const printLine = (parts: readonly (string | Path)[]): string =>
  parts.map((part) => (typeof part === 'string' ? part.replace(/[{}]/g, '$&$&') : `{${printPath(part)}}`)).join('');

const printPlain = (parts: readonly (string | Path)[]): string =>
  parts.map((part) => (typeof part === 'string' ? part : `{${printPath(part)}}`)).join('');

export function print(expr: Expr): string {
  switch (expr.k) {
    case 'text':
      return printText(expr.parts);
    case 'number':
      return expr.written;
    case 'constant':
      return expr.value === null ? 'empty' : String(expr.value);
    case 'list':
      return `[${expr.items.map(print).join(', ')}]`;
    case 'path':
      return printPath(expr.path);
    case 'group':
      return `(${print(expr.inner)})`;
    case 'ready':
      return `${expr.name} ${print(expr.of)}`;
    case 'chain':
      // `first 3 of rows sorted by price` has two readings.
      return [
        (expr.first.k === 'phrase' || expr.first.k === 'ready') && expr.rest.some(([words]) => /^(sorted|grouped)/.test(words))
          ? `(${print(expr.first)})`
          : print(expr.first),
        ...expr.rest.map(([words, ...operands]) => filled(words, operands)),
      ].join(' ');
    case 'phrase':
      return filled(expr.words, expr.of);
    case 'record':
      return expr.pairs.length === 0 ? 'empty' : `(record${printPairs(expr.pairs)})`;
    case 'filter':
      return `(each ${expr.item} in ${print(expr.list)} where ${print(expr.where)})`;
    case 'map':
      return `(${print(expr.value)} for each ${expr.item} in ${print(expr.list)}${expr.where === undefined ? '' : ` where ${print(expr.where)}`})`;
    case 'quantified':
      return `(${expr.word} ${expr.item} in ${print(expr.list)} satisfies ${print(expr.where)})`;
    case 'compare':
      return `${print(expr.left)} ${expr.word} ${print(expr.right)}`;
    case 'between':
      return `${print(expr.value)} is between ${print(expr.low)} and ${print(expr.high)}`;
    case 'state':
      return `${print(expr.value)} ${expr.word}`;
    case 'logic':
      return expr.parts.map(print).join(` ${expr.word} `);
    case 'not':
      return `not ${print(expr.of)}`;
  }
}

/** Puts each operand in place of a `#`. The words of one operation must not be read as those of another one. */
function filled(words: string, operands: readonly Expr[]): string {
  const isOnly = operands.length === 1;
  const left = [...operands];
  return words.replace(/(?<=^| )#/g, () => {
    const operand = left.shift();
    if (operand === undefined) throw new Error(`Too few operands: ${words}`);
    const isUnclear = isOnly
      ? operand.k === 'path' && operand.path.root === 'trimmed'
      : operand.k === 'ready' || operand.k === 'phrase';
    return isUnclear ? `(${print(operand)})` : print(operand);
  });
}
