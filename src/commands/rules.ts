// `wf rules`: prints what a workflow decides, for people who review it without reading the file.
import { oneLine } from '../../runtime/values/one-line.js';
import type { Io } from '../engine/io.js';
import { rulesOf, rulesText } from '../rules/rules.js';
import { waysCsv, waysMarkdown, waysOf, waysText } from '../rules/ways.js';
import type { Values } from './command-spec.js';
import { checkedFile, printDiagnostics, readFormat } from './named-sources.js';

const FORMATS = ['text', 'markdown', 'csv', 'json'] as const;

/** @returns 0, or 1 if the workflow has errors. Warnings are for `wf check`. */
export function rulesCommand(file: string, values: Values, io: Io): number {
  const format = readFormat(FORMATS, values.json === true ? 'json' : values.format);
  const checked = checkedFile(file, io, 'wf rules takes one file: wf rules order.wf');
  if (checked.hasErrors) {
    printDiagnostics(checked, io);
    return 1;
  }
  const rules = rulesOf(checked, file);
  const ways = waysOf(checked);
  const written = {
    text: () => [rulesText(rules), '', 'Ways', ...waysText(ways).map((line) => `    ${oneLine(line)}`)].join('\n'),
    markdown: () => waysMarkdown(ways),
    csv: () => waysCsv(ways),
    json: () => JSON.stringify({ ...rules, ways }),
  }[format];
  io.stdout.write(`${written()}\n`);
  return 0;
}
