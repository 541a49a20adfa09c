// What people write wrong, and what the check says about it: fixtures/slips has a workflow of each process, and a list of slips in it. A block
// of the list is a line of the workflow (`right`), what someone wrote instead (`wrong`), words of which the message must have one (`names`,
// separated by commas), and lines that would be right (`fix`; the line of the workflow where there is none, or `none` where no line can be
// shown). `\n    ` in a fix begins a deeper line. `npm test` tries a sixth of each list. Three rates must not fall: the right line, the right reason, a fix that works.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { rewordLine } from '../../src/compiler/2-parse/reword/reword-line.js';
import { checkFile } from '../../src/compiler/compile.js';
import type { Diagnostic } from '../../src/compiler/diagnostics/diagnostic.js';
import { processorTime, slowness } from '../processor-time.js';
import { isSlow, root } from '../root.js';

const folder = path.join(root, 'fixtures', 'slips');

/** In percent of the slips. A sixth of them may lack one more in a hundred. */
const TARGETS = { line: 98.8, reason: 97, fix: 97 };
const TOLERANCE = isSlow ? 0 : 1;

interface Slip {
  readonly name: string;
  /** The workflow with the slip. */
  readonly text: string;
  readonly line: number;
  /** How deep the line should be. */
  readonly indent: number;
  readonly names: readonly string[];
  /** Lines that would be right, without their indentation. Empty if none can be shown. */
  readonly fixes: readonly string[];
}

const indentOf = (line: string): number => line.length - line.trimStart().length;

function slipsOf(process: string): Slip[] {
  const workflow = readFileSync(path.join(folder, `${process}.wf`), 'utf8').split('\n');
  return readFileSync(path.join(folder, `${process}.txt`), 'utf8')
    .split('\n\n')
    .filter((block) => /^right /m.test(block))
    .map((block): Slip => {
      const all = (key: string): string[] =>
        block.split('\n').flatMap((line) => (line.startsWith(`${key} `) ? [line.slice(key.length + 1)] : []));
      const [right = '', wrong = ''] = [all('right')[0], all('wrong')[0]];
      const index = workflow.findIndex((line) => line.trim() === right.trim());
      assert.notEqual(index, -1, `${process}.wf has no line "${right.trim()}"`);
      const isTab = wrong.startsWith('\t');
      const indent = indentOf(workflow[index] ?? '') + (isTab ? -4 : indentOf(wrong) - indentOf(right));
      const slipped = `${' '.repeat(indent)}${isTab ? wrong : wrong.trim()}`;
      const fixes = all('fix').map((line) => line.trim().replaceAll('\\n', '\n'));
      return {
        name: `${process}: ${wrong.trim()}`,
        text: [...workflow.slice(0, index), slipped, ...workflow.slice(index + 1)].join('\n'),
        line: index + 1,
        indent: indentOf(workflow[index] ?? ''),
        names: all('names')[0]?.split(/, (?=\S)/) ?? [],
        fixes: fixes[0] === 'none' ? [] : fixes.length > 0 ? fixes : [right.trim()],
      };
    });
}

const lineOf = (text: string, offset: number): number => text.slice(0, offset).split('\n').length;

/** Every text that a reader of the message would try: its suggestion, and each example in the hint, in place of the words or of the line. */
function attempts(text: string, { span, suggestion, hint = '' }: Diagnostic): string[] {
  const start = text.lastIndexOf('\n', span.start - 1) + 1;
  const end = text.indexOf('\n', span.end) === -1 ? text.length : text.indexOf('\n', span.end);
  const indent = ' '.repeat(indentOf(text.slice(start, end).replaceAll('\t', '    ')));
  const shown = [...hint.matchAll(/(?:^ {4}[^\n]*(?:\n|$))+/gm)].flatMap(([block]) => {
    const lines = block.trimEnd().split('\n');
    return [block.trimEnd().replace(/^ {4}/gm, ''), ...lines.map((line) => line.trim())];
  });
  if (suggestion !== undefined) shown.unshift(suggestion);
  for (const [, words = ''] of hint.matchAll(/^[^\n:]{5,80}: (\S[^\n]*)$/gm)) shown.push(words);
  const before = text.slice(span.start, span.end);
  return shown.flatMap((words) => {
    const isText = before.length > 1 && /^"[^"]*"$/.test(before) && !words.startsWith('"');
    const quoted = isText ? `"${words}"` : words;
    const inPlace = text.slice(0, span.start) + quoted + text.slice(span.end);
    return [inPlace, text.slice(0, start) + indent + words.replaceAll('\n', `\n${indent}`) + text.slice(end)];
  });
}

/** Without differences in spaces inside a line, or in how deep the lines below it are. */
const plain = (text: string): string => text.replace(/\n {4,}/g, '\n    ').replace(/(?<=\S) {2,}/g, ' ');

const rates = { line: 0, reason: 0, fix: 0 };
const missed: string[] = [];
const processes = readdirSync(folder).flatMap((name) => (name.endsWith('.wf') ? [path.basename(name, '.wf')] : []));
/** SLIPS=hotel,school shows what those lack; SLIPS=all shows it for all. */
const { SLIPS } = process.env;
const slips = processes
  .filter((name) => SLIPS === undefined || SLIPS === 'all' || SLIPS.split(',').includes(name))
  .flatMap((name) => slipsOf(name).filter((_, index) => isSlow || SLIPS !== undefined || index % 6 === 0));

function judge(slip: Slip): void {
  const { diagnostics } = checkFile(slip.text, 'slip.wf');
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  const found = errors.length > 0 ? errors : diagnostics;
  const isLine = found.length > 0 && errors.every(({ span }) => Math.abs(lineOf(slip.text, span.start) - slip.line) < 1);
  const told = found.filter(({ span }) => lineOf(slip.text, span.start) === slip.line);
  const message = told.map((one) => `${one.message}\n${one.suggestion ?? ''}\n${one.hint ?? ''}`).join('\n');
  const isReason = isLine && slip.names.some((name) => message.toLowerCase().includes(name.toLowerCase()));
  const works = (text: string): boolean => {
    const line = plain(
      text
        .split('\n')
        .slice(slip.line - 1)
        .join('\n')
        .replace(/^[ \t]*/, ''),
    );
    return slip.fixes.some((fix) => line.startsWith(`${plain(fix)}\n`));
  };
  const isIndented = new RegExp(`Indent (?:it|them) (?:by|with) ${slip.indent} spaces`).test(message);
  const isFix = slip.fixes.length === 0 ? isLine : isIndented || told.some((one) => attempts(slip.text, one).some(works));
  if (isLine) rates.line++;
  if (isReason) rates.reason++;
  if (isFix) rates.fix++;
  if (!isLine || !isReason || !isFix) {
    const lacks = [isLine ? [] : ['line'], isReason ? [] : ['reason'], isFix ? [] : ['fix']].flat().join(', ');
    missed.push(
      `${slip.name}\n  lacks: ${lacks}\n  ${found
        .map(
          (one) =>
            `${lineOf(slip.text, one.span.start)} ${one.code} ${one.message} | ${one.suggestion ?? '-'} | ${one.hint ?? '-'}`,
        )
        .join('\n  ')
        .replaceAll('\n', '\n  ')}`,
    );
  }
}

test('slips are told on their line, with their reason and a fix that works', () => {
  for (const slip of slips) judge(slip);
  const percent = (count: number): number => Math.floor((count / slips.length) * 1000) / 10;
  const reached = { line: percent(rates.line), reason: percent(rates.reason), fix: percent(rates.fix) };
  const report = `${slips.length} slips: ${JSON.stringify(reached)}\n\n${missed.join('\n\n')}`;
  if (process.env.SLIPS !== undefined) process.stdout.write(`${report}\n`);
  for (const key of ['line', 'reason', 'fix'] as const) assert.ok(reached[key] >= TARGETS[key] - TOLERANCE, report);
});

test('the workflows are right without the slips', () => {
  for (const name of processes) {
    const { diagnostics } = checkFile(readFileSync(path.join(folder, `${name}.wf`), 'utf8'), `${name}.wf`);
    assert.deepEqual(diagnostics, [], name);
  }
});

test('rewording takes little time, whatever a line repeats', () => {
  const heads = ['', 'if ', 'set x to ', 'complete with ', 'send mail to ', 'for each ', 'a is ', 'look up '];
  const repeated = ['a ', 'a', '1,', 'a.', '"a" ', 'a + ', '(', '{a', 'a: b, ', 'and ', 'is ', "'", '\u201c', 'x x ', '- ', '"'];
  const workflow = readFileSync(path.join(folder, 'school.wf'), 'utf8');
  for (const above of ['inputs:\n', 'services:\n', 'workflow:\n']) {
    const took = processorTime();
    for (const head of heads)
      for (const part of repeated) {
        const line = `${head}${part.repeat(300)}`.slice(0, 298);
        const text = workflow.replace(above, `${above}    ${line}!\n`);
        const start = text.indexOf(above) + above.length + 4;
        rewordLine(text, { code: 'WF040', severity: 'error', span: { start, end: start + 1 }, message: '' });
      }
    const ms = Math.round(took());
    // 128 lines of the greatest length.
    assert.ok(ms < 5_000 * slowness(), `${above.trim()} ${ms} ms`);
  }
});
