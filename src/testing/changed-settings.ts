// Compares the sections above `workflow:`. Runs with mock services show what inputs, tables and the calendar do, but not most settings of
// `config:`, such as `once for each`, and of services, such as their addresses: those are compared as they are written.
import { layout } from '../compiler/1-layout/layout.js';
import { type Line, tokenSpan, tokenText } from '../compiler/1-layout/line.js';
import type { ConfigLine } from '../compiler/2-parse/line-node.js';
import { linesOf, readLines } from '../compiler/2-parse/read-lines.js';
import type { Checked } from '../compiler/compile.js';

/** The lines of a file above its workflow, by what they decide. */
export interface Head {
  /** Lines of `config:` and of services, each service with its name. */
  readonly settings: readonly string[];
  /** Everything on which a run with mock services depends. */
  readonly ofRuns: string;
}

/** The effect of each setting: on a run with mock services, around a run, or only on which file it is. */
const decides: Readonly<Record<ConfigLine['kind'], 'run' | 'service' | 'file'>> = {
  name: 'file',
  version: 'file',
  description: 'file',
  timezone: 'run',
  'working hours': 'run',
  holidays: 'run',
  language: 'run',
  timeout: 'run',
  schedule: 'service',
  signature: 'service',
  secret: 'service',
  answer: 'service',
  status: 'service',
  runs: 'service',
  'find by': 'service',
  'keep for': 'service',
  'once for each': 'service',
  unknown: 'service',
};

export function headOf({ text }: Pick<Checked, 'text'>): Head {
  const settings: string[] = [];
  const ofRuns: string[] = [];
  for (const section of readLines(layout(text).tokens)) {
    const name = tokenText(section, text, 0);
    for (const line of name === 'workflow' ? [] : section.children) {
      const words = wordsOf(line, text);
      const below = [...linesOf(line.children)].map((one) => wordsOf(one, text));
      if (name === 'config') {
        const decided = settingOf(words);
        if (decided !== 'file') settings.push(words);
        if (decided === 'run') ofRuns.push(words);
      } else if (name === 'services') {
        const service = tokenText(line, text, 0);
        settings.push(words, ...below.map((one) => `${service}: ${one}`));
        ofRuns.push(words.split('"', 1)[0] ?? '');
      } else ofRuns.push(words, ...below);
    }
  }
  return { settings, ofRuns: ofRuns.join('\n') };
}

function settingOf(words: string): (typeof decides)[ConfigLine['kind']] {
  const [, what] = Object.entries(decides).find(([kind]) => words.startsWith(`${kind}:`) || words.startsWith(`${kind} `)) ?? [];
  return what ?? 'service';
}

/** A line as it is written, without its comment, and with single spaces between its tokens. */
function wordsOf(line: Line, text: string): string {
  let words = '';
  for (let index = 0, before = line.start; index < line.shape.length; index++) {
    const { start, end } = tokenSpan(line, index);
    words += `${start > before ? ' ' : ''}${text.slice(start, end)}`;
    before = end;
  }
  return [words, ...(line.pieces ?? []).map(({ start, end }) => text.slice(start, end))].join('\n');
}

/** The settings that only one of two files has. */
export function changedSettings(old: Head, now: Head): readonly [before: string[], after: string[]] {
  const without = (lines: readonly string[], others: readonly string[]): string[] =>
    lines.filter((line) => !others.includes(line));
  return [without(old.settings, now.settings), without(now.settings, old.settings)];
}
