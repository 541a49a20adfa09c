// The lines of `config:` → the settings of the workflow.

import { type Line, lineSpan } from '../1-layout/line.js';
import * as catalogue from '../diagnostics/catalogue/index.js';
import { closest } from '../diagnostics/suggest.js';
import type { ParseContext } from './context.js';
import { wrongCapitals } from './explain.js';
import { settingForms } from './forms.js';
import type { ConfigLine } from './line-node.js';
import type { Config } from './tree.js';

const keys = Object.keys(settingForms);

export function parseConfig(head: Line, context: ParseContext): Config {
  const seen = new Map<string, ConfigLine>();
  for (const line of head.children) {
    const first = context.name(line, 0);
    const key = keys.find((known) => known === first?.text);
    const matched = line.fault === undefined ? context.match('configLine', line) : undefined;
    if (matched?.ok !== true) {
      if (key !== undefined) {
        context.report(
          (matched === undefined ? undefined : wrongCapitals('configLine', line, context.text, matched.failure)) ??
            catalogue.badSetting(valueSpan(line), key, settingForms[key] ?? ''),
        );
        if (!seen.has(key)) seen.set(key, { kind: 'unknown', key: first ?? { text: key, span: lineSpan(line) } });
      } else if (line.fault !== undefined && first !== undefined && line.shape.charAt(1) === ':') {
        // The value of a setting that means nothing can be anything.
        context.report(catalogue.unknownSetting(first.span, first.text, closest(first.text, keys)));
      } else if (line.fault !== undefined) context.report(line.fault);
      else
        context.report(
          catalogue.unexpected(
            lineSpan(line),
            'this line',
            ['a setting'],
            undefined,
            keys.map((known) => settingForms[known]).join('\n'),
          ),
        );
      continue;
    }
    const { node } = matched;
    if (node.kind === 'unknown') {
      context.report(catalogue.unknownSetting(node.key.span, node.key.text, closest(node.key.text, keys)));
    } else if (seen.has(node.kind)) {
      context.report(catalogue.settingTwice(lineSpan(line), node.kind));
    } else {
      seen.set(node.kind, isRight(node) ? node : { kind: 'unknown', key: { text: node.kind, span: lineSpan(line) } });
      if (!isRight(node)) context.report(catalogue.badSetting(valueSpan(line), node.kind, settingForms[node.kind] ?? ''));
    }
  }
  const of = <K extends ConfigLine['kind']>(kind: K): Extract<ConfigLine, { kind: K }> | undefined => {
    const node = seen.get(kind);
    return node?.kind === kind ? (node as Extract<ConfigLine, { kind: K }>) : undefined; // compared just before
  };
  const name = seen.get('name');
  const description = seen.get('description');
  return {
    span: lineSpan(head),
    name: name?.kind === 'name' ? name.value : undefined,
    version: of('version')?.value,
    description: description?.kind === 'description' ? description.value : undefined,
    timeout: of('timeout')?.value,
  };
}

/** The value after the colon; the whole line where there is none. */
const valueSpan = (line: Line): { start: number; end: number } => {
  const start = line.offsets[4];
  return start === undefined ? lineSpan(line) : { start, end: Math.max(line.end, start + 1) };
};

/** The grammar lets any text and number through; what they may be is said here (language.md 2.1). */
function isRight(node: Exclude<ConfigLine, { kind: 'unknown' }>): boolean {
  if (node.kind === 'timeout') return node.value.amount > 0;
  if (node.kind === 'version') return Number.isSafeInteger(node.value.value) && node.value.value >= 0;
  const isPlain = node.value.parts.every((part) => typeof part === 'string');
  return isPlain && (node.kind === 'description' || node.value.parts.join('').trim() !== '');
}
