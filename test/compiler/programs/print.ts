// Prints a program as the text of a `.wf` file, and records the line of each statement.
import type { Expr, Pairs, Path, Program, Stmt } from './tree.js';

export const envOfPrograms: Readonly<Record<string, string>> = { REGION: 'north' };

const head = `config:
    name: "Random"
    version: 1

services:
    Orders is an API at "https://orders.example.com"
    Hook is a webhook at "https://hook.example.com/1"
    Ledger is a plugin "./ledger.js"
    Writer is an AI using "openai/gpt-4o"

workflow:
    trigger: when the test runs`;

export function printProgram(program: Program): string {
  const lines = head.split('\n');
  printBlock(program.body, 1, lines);
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
      put(`for each ${statement.item} in ${print(statement.list)}:`);
      printBlock(statement.body, depth + 1, lines);
      break;
    case 'skip':
      put('skip');
      break;
    case 'stop':
      put('stop the loop');
      break;
    case 'wait':
      put(`wait ${statement.seconds} seconds`);
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

const printPlain = (parts: readonly (string | Path)[]): string =>
  parts.map((part) => (typeof part === 'string' ? part : `{${printPath(part)}}`)).join('');

const escaped = (text: string): string =>
  text
    .replace(/[\\"\n\t]/g, (character) => ({ '\n': '\\n', '\t': '\\t' })[character] ?? `\\${character}`)
    .replace(/[{}]/g, (brace) => brace + brace);

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
      return [
        print(expr.first),
        ...expr.rest.map(([operator, operand]) => `${operator} ${print(operand)}${operator === 'rounded to' ? ' places' : ''}`),
      ].join(' ');
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
