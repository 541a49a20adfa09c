// Formats rows as tables: aligned for a terminal, Markdown for `results.md`.
import { show } from './result.mjs';

const percent = (share) => `±${Math.round(share * 100)} %`;
const times = (ratio) => (ratio === undefined ? '' : `${ratio.toFixed(2)}×`);

const COLUMNS = ['what', 'wf', 'yardstick', 'ratio', 'of the fastest', 'target', 'met', 'noise'];

function cells(row) {
  const { name, unit, measured, yardstick, ratio, bestRatio, target = '', met } = row;
  return [
    name,
    show(measured.median, unit),
    yardstick === undefined ? '' : `${show(yardstick.median, unit)} ${yardstick.name}`,
    times(ratio),
    times(bestRatio),
    target,
    met === undefined ? '' : met ? 'yes' : 'NO',
    percent(measured.noise) + (yardstick === undefined ? '' : ` / ${percent(yardstick.noise)}`),
  ];
}

const toTable = (columns, lines) => {
  const widths = columns.map((column, index) => Math.max(column.length, ...lines.map((line) => line[index].length)));
  const padded = (line) =>
    line
      .map((cell, index) => (index === 0 ? cell.padEnd(widths[index]) : cell.padStart(widths[index])))
      .join('   ')
      .trimEnd();
  return [padded(columns), widths.map((width) => '-'.repeat(width)).join('   '), ...lines.map(padded)].join('\n');
};

const toMarkdown = (columns, lines) =>
  [columns, columns.map((_, index) => (index === 0 ? '---' : '---:')), ...lines]
    .map((line) => `| ${line.join(' | ')} |`)
    .join('\n');

/** The rows of one group, as a table for the terminal. */
export function terminalText({ rows = [], tables = [] }) {
  const parts =
    rows.length === 0
      ? []
      : [
          toTable(COLUMNS, rows.map(cells)),
          ...rows.filter(({ note }) => note !== undefined).map(({ name, note }) => `  ${name}: ${note}`),
        ];
  return [...parts, ...tables.map(({ name, columns, lines }) => `${name}\n${toTable(columns, lines)}`)].join('\n');
}

/** The whole of `results.md`. */
export function markdownText({ machine, rows, tables }) {
  const notes = rows.filter(({ note }) => note !== undefined).map(({ name, note }) => `- ${name}: ${note}.`);
  const parts = [
    '# What was measured',
    `By \`npm run bench\` on ${machine.date}: Node.js ${machine.node}, ${machine.processors} processors (${machine.model}), load of the machine ${machine.load}. Medians of ${machine.rounds} rounds or more; the yardstick ran in the same rounds, in turns. A ratio is the median of the rounds' own ratios, beside it the ratio of the fastest rounds; noise is half the width of the middle half of the rounds, as a share of the median, of \`wf\` and of the yardstick.`,
    ...(rows.length === 0 ? [] : ['## Beside their targets', toMarkdown(COLUMNS, rows.map(cells))]),
    ...(notes.length === 0 ? [] : [notes.join('\n')]),
    ...tables.map(({ name, columns, lines }) => `## ${name[0].toUpperCase()}${name.slice(1)}\n\n${toMarkdown(columns, lines)}`),
  ];
  return `${parts.join('\n\n')}\n`;
}
